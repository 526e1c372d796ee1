// Finds values that lost digits: they were pasted as a sheet shows them, or a program wrote them as 32-bit numbers.

import { datasetOf } from '../../../src/catalog/datasets.ts';
import { groupBy } from '../../../src/groupBy.ts';
import { KIND } from '../rows/matched.ts';
import { byCountry } from './byCountry.ts';
import { describePattern } from './describePattern.ts';
import { digitsOf, isExact } from './equalValues.ts';
import type { Search, Shift } from './shifts.ts';
import type { Pattern } from './types.ts';

/** The number of a country's values that must be rounded. Fewer may be honest revisions to round figures. */
const FEWEST_ROUNDED = 5;

/** The share of a country's revised values that must be rounded. */
const ROUNDED_SHARE = 0.5;

/** The number of digits that a value must have lost. Sources sometimes drop the last digit. */
const FEWEST_DIGITS_LOST = 2;

/** The unit to which an amount must be rounded. Rounding to a smaller one loses nothing that matters. */
const LEAST_UNIT = 100;

/** The number of digits from which on a rate is not taken for rounded. Central banks publish rates with as many. */
const DIGITS_OF_RATES = 4;

/** The largest share by which rounding moves a value. One that moved further is found as moved. */
const NEAR_SHARE = 0.05;

/** Finds revised values that are the earlier ones with fewer digits. Later steps may find the same cells for other reasons. */
export function findRoundedValues(search: Search): Pattern[] {
  const { matched, shifts } = search;
  const { codes, metrics } = matched;
  const isRate = (metric: string) =>
    codes.dataset === 'fx' || datasetOf(codes.dataset).metrics[metric]?.unit === 'percent';
  const isRounded = metrics.map((metric) => (isRate(metric) ? isRateRounded : isAmountRounded));
  const revised: Shift[][] = Array.from({ length: 2 * metrics.length }, () => []);
  for (const i of shifts.unexplained(KIND.revised))
    revised[2 * (shifts.metric[i] as number) + (shifts.forecast[i] as number)]?.push(i);
  return revised.flatMap((all, at) => {
    const rounded = isRounded[at >> 1];
    if (rounded === undefined) return [];
    const cells = all.filter((i) => rounded(shifts.before[i] as number, shifts.after[i] as number));
    if (cells.length < FEWEST_ROUNDED) return [];
    const countryOf = (i: Shift) => shifts.code('country', i);
    const revisedOf = groupBy(all, countryOf);
    const told = [...groupBy(cells, countryOf)].flatMap(([country, own]) =>
      own.length >= Math.max(FEWEST_ROUNDED, ROUNDED_SHARE * (revisedOf.get(country)?.length ?? 0))
        ? own
        : [],
    );
    const common = { family: 'rounded', metric: metrics[at >> 1] ?? null, forecast: at % 2 === 1 } as const;
    return byCountry(told, countryOf, codes).map(({ place, items }) => {
      const countries = new Set(items.map(countryOf));
      const of = [...countries].reduce((sum, country) => sum + (revisedOf.get(country)?.length ?? 0), 0);
      return describePattern(search, { ...common, place, cells: items.length, of, between: null }, items);
    });
  });
}

function isAmountRounded(b: number, a: number): boolean {
  if (!(Math.abs(a - b) <= NEAR_SHARE * Math.abs(b))) return false;
  if (Math.fround(b) === a) return Math.abs(a - b) >= 1;
  return a % LEAST_UNIT === 0 && isExact(b) && isShorter(b, a);
}

const isRateRounded = (b: number, a: number): boolean =>
  Math.abs(a - b) <= NEAR_SHARE * Math.abs(b) && digitsOf(a).count < DIGITS_OF_RATES && isShorter(b, a);

/** Whether `a` is `b`, rounded or cut to fewer digits. */
function isShorter(b: number, a: number): boolean {
  const { count, unit } = digitsOf(a);
  return Math.abs(a - b) < unit && count <= digitsOf(b).count - FEWEST_DIGITS_LOST;
}
