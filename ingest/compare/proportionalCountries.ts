// Finds new countries whose figures are those of another country times one factor.

import { groupBy } from '../../src/groupBy.ts';
import { median } from '../../src/medians.ts';
import { digitsOf } from './patterns/equalValues.ts';
import { Groups, NO_GROUP } from './rows/groups.ts';
import type { Matched } from './rows/matchedRows.ts';
import { allRowsWhere } from './rows/rowLists.ts';
import type { ProportionalCountry } from './types.ts';

/** The fewest figures that are compared. */
const FEWEST_FIGURES = 10;

/** The share of the new country's figures that the other country must have in the same markets, years and currencies. */
const COMPARED_SHARE = 0.5;

/** The share of the compared figures that must have the factor. */
const ALIKE_SHARE = 0.9;

/** How far a figure may be from the factor, as a share of it. Figures of four digits are rounded by up to 1 in 2,000. */
const TOLERANCE = 0.001;

/** Figures of fewer digits are not compared, because their rounding hides the factor. */
const FEWEST_DIGITS = 4;

/**
 * Compares each country that ggr or turnover has for the first time with all others, market by market and year by year. Of two
 * new countries with the same figures, the second one is reported.
 */
export function proportionalCountries(matched: Matched): readonly ProportionalCountry[] {
  const { codes, before, after, metrics } = matched;
  const [metric = ''] = metrics;
  if (!codes.has('fx')) return [];
  const known = new Uint8Array(codes.size('country'));
  for (const country of before.codes('country')) known[country] = 1;
  const [countries, values] = [after.codes('country'), after.values(0)];
  const countryOf = (row: number) => countries[row] as number;
  const isFigure = (row: number) => digitsOf(values[row] as number).count >= FEWEST_DIGITS;
  const fresh = allRowsWhere(after, (row) => known[countryOf(row)] === 0 && isFigure(row));
  if (fresh.length < FEWEST_FIGURES) return [];
  const groups = Groups.without(codes, 'country', 'region', 'temporal');
  groups.addRows(after, fresh);
  const groupOf = groups.ofRows(
    after,
    allRowsWhere(after, () => true),
  );
  const compared = allRowsWhere(after, (row) => groupOf[row] !== NO_GROUP && isFigure(row));
  const rowsOf = groupBy(Array.from(compared), countryOf);
  return [...groupBy(Array.from(fresh), countryOf)].flatMap(([country, rows]) => {
    const rowIn = new Map(rows.map((row) => [groupOf[row], row]));
    const quotientsWith = (others: readonly number[]) =>
      others.flatMap((other) => {
        const row = rowIn.get(groupOf[other]);
        return row === undefined ? [] : [(values[row] as number) / (values[other] as number)];
      });
    const sharedWith = (others: readonly number[]) =>
      mayShare(quotientsWith(sampleOf(others))) ? sharedFactor(quotientsWith(others), rows.length) : null;
    for (const [other, others] of rowsOf) {
      const mayBeSource = known[other] === 1 || other < country;
      const shared = mayBeSource ? sharedWith(others) : null;
      if (shared === null) continue;
      return [
        { metric, country: codes.textOf('country', country), of: codes.textOf('country', other), ...shared },
      ];
    }
    return [];
  });
}

/** The most rows of a country from which `mayShare` judges. */
const SAMPLED = 200;

/** At most `SAMPLED` of these rows, evenly spread. */
function sampleOf(rows: readonly number[]): readonly number[] {
  const step = Math.ceil(rows.length / SAMPLED);
  return rows.length <= SAMPLED ? rows : rows.filter((_, i) => i % step === 0);
}

/**
 * Whether quotients of a sample may have one factor: half of them do, or they are too few to tell. Among countries with a shared
 * factor, nine in ten quotients have it. All pairs of countries are compared, and hardly any needs all its quotients.
 */
function mayShare(sample: readonly number[]): boolean {
  return sample.length < FEWEST_FIGURES || 2 * alikeIn(sample, median(sample)) >= sample.length;
}

/** How many quotients are within `TOLERANCE` of a factor. */
const alikeIn = (quotients: readonly number[], factor: number): number =>
  quotients.filter((one) => Math.abs(one - factor) <= TOLERANCE * Math.abs(factor)).length;

/** The factor that nearly all quotients have, with the number of those that have it; null when they differ. */
function sharedFactor(
  quotients: readonly number[],
  figures: number,
): Pick<ProportionalCountry, 'factor' | 'figures' | 'compared'> | null {
  const compared = quotients.length;
  if (compared < Math.max(FEWEST_FIGURES, COMPARED_SHARE * figures)) return null;
  const factor = median(quotients);
  const alike = alikeIn(quotients, factor);
  return alike < ALIKE_SHARE * compared ? null : { factor, figures: alike, compared };
}
