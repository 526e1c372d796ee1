// Finds the figures in a currency that a country left, for example for the euro: they are gone with its rates.

import { DATASET_NAMES, type DatasetName } from '../../src/catalog/datasets.ts';
import type { Verdict } from './guard.ts';

/** The datasets whose figures are gone with the rates of a verdict. */
export const followersOf = (
  rate: Verdict,
  patternsOf: Readonly<Record<DatasetName, readonly Verdict[]>>,
): readonly DatasetName[] =>
  DATASET_NAMES.filter((name) => patternsOf[name].some((one) => isFollowed(rate, one)));

/** Whether the figures of a verdict are gone with the rates of another one. */
export const isFollower = (verdict: Verdict, rates: readonly Verdict[]): boolean =>
  rates.some((rate) => isFollowed(rate, verdict));

/**
 * Whether two verdicts belong together: rates are gone from a country, and figures in their currency are gone from the same
 * country.
 */
function isFollowed(rate: Verdict, { severity, pattern }: Verdict): boolean {
  const { place, family, forecast } = pattern;
  const isOfCurrency = place.fx !== undefined && Object.keys(place).length === 2;
  return (
    severity === 'warn' &&
    family === 'gone' &&
    isOfCurrency &&
    rate.pattern.family === 'gone' &&
    rate.pattern.forecast === forecast &&
    rate.pattern.place.country !== undefined &&
    rate.pattern.place.country === place.country &&
    currencyOf(rate) === place.fx
  );
}

/** The currency of the rows of a verdict on rates; undefined if they have several. */
export function currencyOf({ pattern: { examples } }: Verdict): string | number | undefined {
  const [first, ...others] = examples.map(({ key }) => key.fx_local_currency);
  return others.every((one) => one === first) ? first : undefined;
}
