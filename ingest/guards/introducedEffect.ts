// Tells which moves come from rows with a value that is new to their country.
// The finding about the value reports these moves.

import type { DatasetComparison } from '../compare/comparisonTypes.ts';
import type { CountryMove } from '../compare/totalTypes.ts';
import { counted, roundedPercent } from '../messages/numbers.ts';
import type { GuardSeverity } from './finding.ts';
import { type GuardContext, type GuardLimits, severityOf, worstOf } from './guard.ts';
import { type MovedTotal, totalMoveText } from './movedTotal.ts';
import { movedTotals } from './totalsGuard.ts';

/** Whether a country's totals moved too far only because of rows with a value that is new to the country. */
export const isMovedByIntroducedRows = (
  { country, mean, introduced: byIntroduced }: CountryMove,
  { introduced }: DatasetComparison,
  { country: { warn } }: GuardLimits,
): boolean =>
  mean - byIntroduced < warn && introduced.values.some(({ countries }) => countries.includes(country));

/** The effect of rows with values that are new to their country. It is reported with the values, not by other guards. */
export interface IntroducedEffect {
  readonly severity: GuardSeverity;
  /** The number of these rows. */
  readonly rows: number;
  /** The share by which these rows made the dataset larger; null when that is not worth a finding. */
  readonly growthShare: number | null;
  /** The totals that moved, the furthest first. */
  readonly totals: readonly MovedTotal[];
  /** The country whose totals of closed years moved most; null when none moved far. */
  readonly largestMove: CountryMove | null;
  /** The number of other countries whose totals of closed years moved. */
  readonly otherCountries: number;
}

/** The effect on the number of rows, on totals and on the totals of countries; null if none of it is worth a finding. */
export function introducedEffect(dataset: DatasetComparison, context: GuardContext): IntroducedEffect | null {
  const { introduced, rows } = dataset;
  if (introduced.rows === 0) return null;
  const { limits } = context;
  const share = Math.max(0, Math.min(introduced.rows, rows.after - rows.before)) / rows.before;
  const ofRows = severityOf(share, limits.rows);
  const { introduced: totals } = movedTotals(dataset, context);
  const [most, ...others] = dataset.countryMoves
    .filter((move) => isMovedByIntroducedRows(move, dataset, limits))
    .toSorted((a, b) => b.mean - a.mean);
  const severity = worstOf([
    ofRows,
    ...totals.map((one) => one.severity),
    most === undefined ? null : severityOf(most.mean, limits.country),
  ]);
  if (severity === null) return null;
  return {
    severity,
    rows: introduced.rows,
    growthShare: ofRows === null ? null : share,
    totals: totals.toSorted((a, b) => Math.abs(b.share) - Math.abs(a.share)),
    largestMove: most !== undefined && most.mean >= limits.country.warn ? most : null,
    otherCountries: others.length,
  };
}

/** The effect in words that follow those about the values. */
export function introducedEffectWords({
  rows,
  growthShare,
  totals,
  largestMove,
  otherCountries,
}: IntroducedEffect): string {
  const [most] = totals;
  const share = growthShare === null ? '' : `; the dataset has ${roundedPercent(growthShare, 3)} more rows`;
  const moved =
    most === undefined
      ? ''
      : `; ${counted(totals.length, 'total')} moved with ${rows === 1 ? 'it' : 'them'}, most ${totalMoveText(most)}`;
  const less =
    otherCountries === 0
      ? ''
      : `, and those of ${counted(otherCountries, 'other country', 'other countries')} by less`;
  const closed =
    largestMove === null
      ? ''
      : `; closed years of ${largestMove.country} moved by ${roundedPercent(largestMove.mean, 3)} on average${less}`;
  return `${share}${moved}${closed}`;
}
