// Reads the exchange rates of countries. A rate has the key of the amount that it converts.

import { getOrInsert } from '../../../src/basics/maps.ts';
import type { CodeArray } from '../rows/codedRows.ts';
import type { MatchedRows } from '../rows/matchedRows.ts';
import type { SideName } from '../side.ts';
import type { AmountKeys } from './amountKeys.ts';

/**
 * The value of one unit of local currency in a foreign currency, at current and at constant rates; NaN if unknown.
 * `localKey` is the key of the amount in local currency.
 */
export interface Rate {
  readonly localKey: number;
  readonly current: number;
  readonly constant: number;
}

/** The rates of each amount in a foreign currency, by the amount's key. */
export type Rates = ReadonlyMap<number, readonly Rate[]>;

/**
 * The rates of whole countries for forecasts, or for reported figures. For reported ones, forecast rates of the later side
 * are left out. A figure that is reported while its rate is a forecast was converted at another rate.
 */
export function ratesOf(
  matched: MatchedRows,
  side: SideName,
  keys: AmountKeys,
  forecast: boolean,
): { readonly rates: Rates; readonly countries: ReadonlySet<number> } {
  const { codes, metrics, flags, [side]: rows } = matched;
  const { nation } = codes;
  const [states, countryCodes, years, locals] = (
    ['state', 'country', 'year', 'fx_local_currency'] as const
  ).map((dimension) => rows.codes(dimension)) as [CodeArray, CodeArray, CodeArray, CodeArray];
  const countries = codes.values('country').map((value) => keys.country(value));
  const yearOf = codes.values('year').map(Number);
  const localOf = codes.values('fx_local_currency').map(String);
  const valuesOf = (metric: string) => rows.values(metrics.indexOf(metric));
  const foreign = [
    { fx: 'USD', current: valuesOf('fx_current_usd'), constant: valuesOf('fx_constant_usd') },
    { fx: 'EUR', current: valuesOf('fx_current_eur'), constant: valuesOf('fx_constant_eur') },
  ];
  const isLeftOut = forecast || side === 'before' ? null : flags.after.forecast;
  const keyOf = rememberedKeys(keys, countries);
  const [ratesByKey, withRates] = [new Map<number, Rate[]>(), new Set<number>()];
  for (let row = 0; row < rows.count; row += 1) {
    if (states[row] !== nation || (isLeftOut !== null && isLeftOut[row] === 1)) continue;
    const country = countryCodes[row] as number;
    const year = yearOf[years[row] as number] as number;
    const local = localOf[locals[row] as number] as string;
    const localKey = keyOf(local, country) + year;
    for (const { fx, current, constant } of foreign) {
      if (fx === local || Number.isNaN(current[row])) continue;
      withRates.add(countries[country] as number);
      const key = keyOf(fx, country) + year;
      const rate = { localKey, current: current[row] as number, constant: constant[row] as number };
      getOrInsert(ratesByKey, key, () => []).push(rate);
    }
  }
  return { rates: ratesByKey, countries: withRates };
}

/**
 * A function that gives the key of a currency and a country code for the year 0. Adding a year gives the key for that year.
 */
function rememberedKeys(
  keys: AmountKeys,
  countries: readonly number[],
): (currency: string, country: number) => number {
  const remembered = new Map<string, (number | undefined)[]>();
  return (currency, country) => {
    const ofCurrency = getOrInsert(remembered, currency, () => []);
    const key = ofCurrency[country] ?? keys.encode(countries[country] as number, currency, 0);
    ofCurrency[country] = key;
    return key;
  };
}
