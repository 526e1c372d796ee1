// Prints problems for people: problems of one kind form a group with its first places and one remedy.

import { groupBy } from '../../../src/basics/lists.ts';
import { PLAIN, type Style } from '../../../src/terminal/terminalStyle.ts';
import { wrapped } from '../../../src/terminal/wrap.ts';
import { printable } from '../../../src/text/printable.ts';
import { count, counted } from '../../messages/numbers.ts';
import { groupKey, type Problem, SEVERITIES, type Severity } from '../../messages/problems.ts';
import type { PublishResult } from '../publish/publishResult.ts';

/** The most groups that are printed, and the most places of each group. */
const GROUPS = 40;
const PLACES = 5;

const HEADINGS: Readonly<Record<Severity, readonly [one: string, many: string]>> = {
  unreadable: ['file cannot be read', 'files cannot be read'],
  error: ['error', 'errors'],
  warning: ['warning', 'warnings'],
  note: ['note', 'notes'],
};

const COLOURS: Readonly<Record<Severity, keyof Style>> = {
  unreadable: 'red',
  error: 'red',
  warning: 'yellow',
  note: 'dim',
};

/**
 * A block for each severity, worst first; '' when there are no problems. At most 40 groups are printed.
 *
 * @param width The width of the terminal in characters. Without it, no line is wrapped.
 */
export function printedProblems(
  { problems, counts, countLike }: Pick<PublishResult, 'problems' | 'counts' | 'countLike'>,
  style: Style = PLAIN,
  width?: number,
): string {
  let room = GROUPS;
  const blocks = SEVERITIES.filter((severity) => counts[severity] > 0).map((severity) => {
    const own = problems.filter((problem) => problem.severity === severity);
    const groups = problemGroups(own);
    const shown = groups.slice(0, room);
    room -= shown.length;
    const sizes = shown.map((group) => Math.max(group.length, countLike(group[0])));
    const unlisted = counts[severity] - sizes.reduce((sum, size) => sum + size, 0);
    const more =
      unlisted > 0
        ? `  … and ${count(unlisted)} more${groups.length > shown.length ? ': --json has them' : ''}\n`
        : '';
    const heading = style[COLOURS[severity]](counted(counts[severity], ...HEADINGS[severity]));
    return `${heading}\n${shown.map((group, i) => printedGroup(group, sizes[i] ?? group.length, width)).join('')}${more}`;
  });
  return blocks.join('\n');
}

/** How many cells a group is about. A problem that is not listed counts as one cell. */
const countCells = (group: Group, size: number): number =>
  group.reduce((sum, { cells = 1 }) => sum + cells, size - group.length);

/** The problems by kind, in the order in which the first of each was found. */
const problemGroups = (problems: readonly Problem[]): readonly Group[] => [
  ...groupBy(problems, groupKey).values(),
];

type Group = readonly [Problem, ...Problem[]];

/** @param size How many problems the group has, including those that are not listed. */
function printedGroup(group: Group, size: number, width: number | undefined): string {
  const [first] = group;
  const remedy =
    first.remedy === null ? '' : wrapped(`→ ${printable(first.remedy)}`, '      ', '        ', width);
  if (size === 1) {
    if (width === undefined) return `  ${first.place}: ${first.message}\n`;
    return `${wrapped(`${first.place}: ${printable(first.problem)}`, '  ', '    ', width)}${remedy}`;
  }
  // The heading quotes the problem when all problems of the group have the same text. The texts of problems that are not
  // listed are unknown here. They are the same only if the text is the kind itself.
  const isSame =
    (size === group.length || first.kind === first.problem) &&
    group.every(({ problem }) => problem === first.problem);
  const heading = wrapped(
    `${count(countCells(group, size))} × ${printable(isSame ? first.problem : first.kind)}`,
    '  ',
    '    ',
    width,
  );
  const places = group
    .slice(0, PLACES)
    .map(({ place, problem }) =>
      wrapped(`${place}${isSame ? '' : `: ${printable(problem)}`}`, '      ', '        ', width),
    );
  const unlisted = size - places.length;
  const more =
    unlisted > 0 ? `      … and ${count(unlisted)} more ${unlisted === 1 ? 'place' : 'places'}\n` : '';
  return `${heading}${places.join('')}${more}${remedy}`;
}
