// Prints the findings of guards for people: refusals with the option that accepts each, warnings, accepted findings.

import { wrapped } from '../../../src/terminal/wrap.ts';
import { printable } from '../../../src/text/printable.ts';
import { type FindingInLines, type GuardFinding, isRefused, isWarning } from '../../guards/finding.ts';
import { hiddenRefusalsText } from '../../guards/hiddenRefusals.ts';
import { counted } from '../../messages/numbers.ts';
import type { DamageFinding } from '../publish/damageFinding.ts';

/**
 * The findings in up to three blocks; '' when there is none. With a width, a finding has several lines: the change, its
 * shares, each example and the remedy. Without a width, each finding is one line.
 */
export function printedFindings(findings: readonly Finding[], width: number | undefined): string {
  return BLOCKS.map(({ heading, includes, line, remedy }) => {
    const ofKind = findings.filter(includes);
    const lines = ofKind.map((finding) => {
      const dataset = finding.dataset ?? 'current';
      if (width === undefined) return `  ${dataset}: ${printable(`${finding.message}${line(finding)}`)}\n`;
      return `${inLines(dataset, linesOf(finding), width)}${wrapped(`→ ${printable(remedy(finding))}`, '      ', '        ', width)}`;
    });
    return ofKind.length === 0 ? '' : `${counted(ofKind.length, ...heading)}\n${lines.join('')}`;
  })
    .filter((block) => block !== '')
    .join('\n');
}

/** The findings of guards between two published snapshots, without the options that accept them. */
export function printedGuardVerdicts(findings: readonly FindingInLines[], width: number | undefined): string {
  if (findings.length === 0) return '';
  const lines = findings.map(({ rule, severity, dataset, message, lines }) => {
    const verdict = `${severity === 'refuse' ? 'refuses' : 'warns'} (${rule}) ${dataset}`;
    return width === undefined ? `  ${verdict}: ${printable(message)}\n` : inLines(verdict, lines, width);
  });
  return `guards\n${lines.join('')}`;
}

type Finding = GuardFinding | FindingInLines | DamageFinding;

/** The option that accepts a refusal, and the refusals that it hides. */
export const optionOf = (finding: Finding): string =>
  `${finding.accept}${'hides' in finding ? hiddenRefusalsText(finding.hides) : ''}`;

const linesOf = (finding: Finding): readonly string[] =>
  'lines' in finding ? finding.lines : [finding.message];

/** The text of a finding: the place and the first line, then each other line below. */
const inLines = (place: string, [first = '', ...others]: readonly string[], width: number): string =>
  [
    wrapped(`${place}: ${printable(first)}`, '  ', '    ', width),
    ...others.map((line) => wrapped(printable(line), '      ', '        ', width)),
  ].join('');

interface Block {
  readonly heading: readonly [one: string, many: string];
  readonly includes: (finding: Finding) => boolean;
  /** The end of a finding that is printed as one line. */
  readonly line: (finding: Finding) => string;
  /** The last line of a finding that is printed in several lines. */
  readonly remedy: (finding: Finding) => string;
}

const BLOCKS: readonly Block[] = [
  {
    heading: ['refusal by a guard', 'refusals by guards'],
    includes: isRefused,
    line: (finding) => `. If that is right: ${optionOf(finding)}`,
    remedy: (finding) => `if that is right: ${optionOf(finding)}`,
  },
  {
    heading: ['warning by a guard', 'warnings by guards'],
    includes: isWarning,
    line: ({ accept }) => ` (${accept})`,
    remedy: ({ accept }) => `if that is right: ${accept}`,
  },
  {
    heading: ['finding accepted', 'findings accepted'],
    includes: ({ accepted }) => accepted !== null,
    line: ({ rule, accepted }) => `. Accepted as ${rule}: ${accepted}`,
    remedy: ({ rule, accepted }) => `accepted as ${rule}: ${accepted}`,
  },
];
