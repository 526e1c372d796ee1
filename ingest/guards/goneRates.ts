// Merges findings about a currency that a country left, for example for the euro: its rates and its figures are gone.

import type { DatasetName } from '../../src/catalog/datasets.ts';
import { listed } from '../messages/numbers.ts';
import type { Verdict } from './guard.ts';
import { sized } from './wording.ts';

interface OfDataset {
  readonly dataset: { readonly dataset: DatasetName };
  readonly verdicts: readonly Verdict[];
}

/**
 * The verdicts on a dataset. A verdict that rates are gone from `fx` also names the datasets whose figures in the currency are
 * gone. The warnings about these figures are left out.
 */
export function withGoneRates(
  verdicts: readonly Verdict[],
  dataset: DatasetName,
  all: readonly OfDataset[],
): readonly Verdict[] {
  const rates = all.find((one) => one.dataset.dataset === 'fx')?.verdicts ?? [];
  if (dataset !== 'fx') return verdicts.filter((one) => !rates.some((rate) => isFollowed(rate, one)));
  return verdicts.map((rate) => {
    const followed = all.filter((one) => one.verdicts.some((other) => isFollowed(rate, other)));
    if (followed.length === 0) return rate;
    const names = followed.map((one) => one.dataset.dataset);
    const also = `, with the figures in ${currencyOf(rate)} of ${listed(names, names.length)}`;
    return { ...rate, ...sized(`${rate.lines?.[0] ?? rate.message}${also}`, rate.pattern, 'fx') };
  });
}

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
function currencyOf({ pattern: { examples } }: Verdict): string | number | undefined {
  const [first, ...others] = examples.map(({ key }) => key.fx_local_currency);
  return others.every((one) => one === first) ? first : undefined;
}
