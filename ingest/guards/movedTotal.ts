// The type of totals that moved too far, and the words for them.

import type { DatasetComparison } from '../compare/comparisonTypes.ts';
import type { Total } from '../compare/totalTypes.ts';
import { amountText, changeText, count, counted } from '../messages/numbers.ts';
import { MANY_COUNTRIES } from './completeness.ts';
import type { GuardSeverity } from './finding.ts';
import type { FindingText } from './guard.ts';

/** The two rules about totals. A total is reported by the first rule of those that object most severely. */
export const TOTAL_RULES = ['totals', 'closed-years'] as const;

export type TotalRule = (typeof TOTAL_RULES)[number];

/** A total that moved too far. */
export interface MovedTotal {
  readonly total: Total;
  readonly share: number;
  readonly severity: GuardSeverity;
  readonly rules: readonly TotalRule[];
}

const MOST_TOTALS_NAMED = 3;

/** The message about totals: how many moved by how much, then the totals that moved furthest. */
export function movedTotalsText(
  moved: readonly MovedTotal[],
  by: string,
  noun: string,
  { countries }: DatasetComparison,
): FindingText {
  const several = countries >= MANY_COUNTRIES;
  const largest = [...moved]
    .sort((a, b) => Math.abs(b.share) - Math.abs(a.share))
    .slice(0, MOST_TOTALS_NAMED);
  const each = largest.map(({ total, share }) => {
    const { joined, mover } = total;
    const part = joined === 0 ? '' : `, ${amountText(joined)} of it from countries that had none`;
    const largestMover = mover === null || !several ? '' : `, most by ${mover.country}`;
    return `${totalMoveText({ total, share })}${part}${largestMover}`;
  });
  const rest = moved.length - largest.length;
  const more = rest > 0 ? [`and ${count(rest)} more`] : [];
  const heading = `${counted(moved.length, noun)} moved by ${by}`;
  return {
    message: `${heading}: ${[each.join(', '), ...more].join(' ')}`,
    lines: [heading, ...each, ...more],
  };
}

/** A total with its move: `ggr in EUR 2024 5.2 bn → 5.6 bn (+7.7 %)`. */
export function totalMoveText({ total, share }: Pick<MovedTotal, 'total' | 'share'>): string {
  const { metric, fx, year, forecast, before, after } = total;
  const name = `${metric}${fx === null ? '' : ` in ${fx}`} ${year}${forecast ? ' (forecast)' : ''}`;
  const by = Number.isFinite(share) ? ` (${changeText(share)})` : '';
  return `${name} ${amountText(before)} → ${after === null ? 'nothing' : amountText(after)}${by}`;
}
