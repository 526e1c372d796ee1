// Totals that moved, and how a guard tells of them: the largest moves first, the rest counted.

import type { Comparison, DatasetComparison, Total } from '../compare/types.ts';
import { amount, change, count } from '../messages/numbers.ts';
import { type Band, percent, type Suspicion, severityOf } from './guard.ts';

/** How many are told in words. */
const TOLD = 3;

interface Moved {
  readonly total: Total;
  readonly share: number;
  readonly severity: Suspicion['severity'];
}

/** The totals that moved by a share of the band, as one suspicion for those refused and one for those warned of. */
export function movedTotals(
  totals: readonly Total[],
  dataset: DatasetComparison,
  { closedBefore }: Comparison,
  band: Band,
  what: string,
): readonly Suspicion[] {
  const moved = totals.flatMap((total) => {
    if (isGoneWithItsValue(total, dataset)) return [];
    const after = total.after ?? 0;
    const share = shareMoved(total.before, after);
    // Countries report a year one after the other, up to a year late: that alone is no reason to refuse.
    const joining = total.year >= closedBefore - 1 ? total.joined : 0;
    const own = severityOf(shareMoved(total.before, after - joining), band);
    const severity = severityOf(share, band);
    if (severity === null && own === null) return [];
    // Forecasts are meant to move, and of 0 nothing is a share.
    const isMild = total.forecast || total.before === 0;
    return [{ total, share, severity: isMild ? ('warn' as const) : (own ?? 'warn') }];
  });
  return (['refuse', 'warn'] as const).flatMap((severity) => {
    const some = moved.filter((one) => one.severity === severity);
    return some.length === 0 ? [] : [{ severity, message: told(some, band[severity], what) }];
  });
}

/** A total that is new did not move; one that is gone moved by all of it. */
function shareMoved(before: number | null, after: number): number {
  if (before === null || before === after) return 0;
  return before === 0 ? Number.POSITIVE_INFINITY : (after - before) / Math.abs(before);
}

/** Where a whole year or currency is gone, `vanished` says so once. */
const isGoneWithItsValue = ({ fx, year, after }: Total, { dimensions }: DatasetComparison) =>
  after === null &&
  dimensions.some(
    ({ dimension, vanished }) =>
      (dimension === 'year' && vanished.some(({ value }) => value === year)) ||
      (dimension === 'fx' && vanished.some(({ value }) => value === fx)),
  );

function told(moved: readonly Moved[], limit: number, what: string): string {
  const largest = [...moved].sort((a, b) => Math.abs(b.share) - Math.abs(a.share)).slice(0, TOLD);
  const each = largest.map(({ total, share }) => {
    const { metric, fx, year, forecast, before, after, joined } = total;
    const name = `${metric}${fx === null ? '' : ` in ${fx}`} ${year}${forecast ? ' (forecast)' : ''}`;
    const by = Number.isFinite(share) ? ` (${change(share)})` : '';
    const part = joined === 0 ? '' : `, ${amount(joined)} of it from countries that had none`;
    return `${name} ${amount(before)} → ${after === null ? 'nothing' : amount(after)}${by}${part}`;
  });
  const rest = moved.length - largest.length;
  const more = rest > 0 ? `, and ${count(rest)} more` : '';
  const counted = moved.length === 1 ? `1 ${what}` : `${count(moved.length)} ${what}s`;
  return `${counted} moved by ${percent(limit)} or more: ${each.join(', ')}${more}`;
}
