// Reports the comments and pivot tables of a sheet, because they may concern its figures.

import { statedUnit } from '../../messages/statedUnits.ts';
import type { Aside } from './asides.ts';
import type { Remark } from './rawFile.ts';

/**
 * Words that say that a figure is wrong or not final. Words for estimates are left out, because estimates are valid
 * figures.
 */
const DOUBT =
  /\b(?:(?:do(?:es)?\s*n[o']?t|never|not(?:\s+to)?(?:\s+be)?)\s+(?:use[d]?|publish(?:ed)?|count|final)|wrong|incorrect|erroneous|mistake|placeholder|dummy|to\s+be\s+(?:checked|confirmed|updated|corrected|replaced|deleted)|tb[cd]|outdated|obsolete|superseded)\b/i;

const LONGEST_SHOWN = 100;

/**
 * Remarks on comments and pivot tables. Comments that state a unit are left out, because they are reported with the
 * figures.
 *
 * @param fromRow The row of the header. Comments above it are left out.
 */
export function asideRemarks(asides: readonly Aside[], fromRow: number): readonly Remark[] {
  const comments = asides.filter(
    ({ what, text, cell }) =>
      what === 'comment' && cell !== undefined && cell[0] >= fromRow && statedUnit(text) === null,
  );
  const doubts = comments.filter(({ text }) => DOUBT.test(text));
  return [
    ...remarkOn(doubts, 'warning', 'correct or delete what does not count, and delete the comment'),
    ...remarkOn(
      comments.filter((comment) => !doubts.includes(comment)),
      'note',
      null,
    ),
    ...(asides.some(({ what }) => what === 'pivot table') ? [PIVOT] : []),
  ];
}

function remarkOn(
  comments: readonly Aside[],
  severity: Remark['severity'],
  remedy: string | null,
): readonly Remark[] {
  const [first] = comments;
  if (first?.cell === undefined) return [];
  const text = first.text.length > LONGEST_SHOWN ? `${first.text.slice(0, LONGEST_SHOWN)}…` : first.text;
  const count = comments.length === 1 ? '' : ` (first of ${comments.length} comments)`;
  const says = severity === 'warning' ? ', and the cell was read like all others' : '';
  return [
    {
      severity,
      cell: first.cell,
      problem: `a comment says "${text}"${says}${count}`,
      remedy,
      kind: severity === 'warning' ? 'comments that say that a figure does not count' : 'comments',
    },
  ];
}

const PIVOT: Remark = {
  severity: 'note',
  problem: 'the sheet has a pivot table, whose figures are those of its last refresh',
  remedy: null,
  kind: 'pivot tables',
};
