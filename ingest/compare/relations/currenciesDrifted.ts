// Finds countries whose amounts in a foreign currency left the rates of fx by little, while those of most countries follow them.

import { groupBy } from '../../../src/groupBy.ts';
import { type Amounts, type MarketDataset, MOST_YEARS } from './amounts.ts';
import type { CurrencySources } from './currenciesApart.ts';
import { AGREES, CLOSE, distancesFrom, nearerRates, nearest, reportedRates } from './rateDistances.ts';
import { type BrokenOfKind, SMALLEST_PART } from './relationLevels.ts';

/** Rates that are revised after the amounts were computed cause smaller distances. */
export const DRIFTED = 0.005;

/** One year may be converted at a rate of its own. */
const FEWEST_YEARS = 3;

/** With fewer other countries, none shows how amounts are converted. */
export const FEWEST_COUNTRIES = 3;

/** An amount that agreed closely before, and its distance now. */
interface Known {
  readonly name: number;
  readonly before: number;
  readonly after: number;
}

/**
 * Finds countries whose amounts in a currency agreed closely with the rates before, and now differ by 0.5 % or more in at
 * least three years. They were converted at the rates of the month before, or multiplied. Finds none where most differ.
 */
export function currenciesDrifted(amounts: CurrencySources, dataset: MarketDataset): BrokenOfKind[] {
  const { forecast, rates, names } = amounts;
  const [olds, news] = [amounts.totals(dataset, 'before'), amounts.totals(dataset, 'after')];
  const distance = forecast ? nearerRates : reportedRates;
  if (!mayDrift(amounts, olds, news)) return [];
  const known: Known[] = [];
  let drifted = 0;
  for (const [name, amount] of news) {
    const old = olds.get(name);
    const [ratesNow, ratesThen] = [rates.after.get(name), rates.before.get(name)];
    if (old === undefined || ratesNow === undefined || ratesThen === undefined) continue;
    const then = distancesFrom(ratesThen, olds, old, SMALLEST_PART);
    const before = nearest(then);
    if (!(before <= CLOSE)) continue;
    const after = distance(then, distancesFrom(ratesNow, news, amount, SMALLEST_PART));
    if (Number.isNaN(after)) continue;
    known.push({ name, before, after });
    if (after >= DRIFTED && after <= AGREES) drifted += 1;
  }
  if (drifted < FEWEST_YEARS) return [];
  const blamed = amounts.hasChanged(dataset) ? dataset : 'fx';
  const countries = [...groupBy(known, ({ name }) => names.countryOf(name))];
  const found = countries.flatMap(([country, all]): BrokenOfKind[] =>
    [...groupBy(all, ({ name }) => Math.floor(name / MOST_YEARS)).values()].flatMap((own): BrokenOfKind[] => {
      const apart = own.filter(({ after }) => after >= DRIFTED && after <= AGREES);
      if (apart.length < FEWEST_YEARS) return [];
      const { fx } = names.placeOf(own[0].name);
      const years = apart.map(({ name }) => name % MOST_YEARS).sort((a, b) => a - b);
      const worst = {
        before: Math.max(...apart.map(({ before }) => before)),
        after: Math.max(...apart.map(({ after }) => after)),
      };
      const where = { dataset: blamed, country, places: [], currency: fx, years, share: null } as const;
      return [{ relation: 'currencies-drifted', ...where, ...worst }];
    }),
  );
  const close = countries.filter(([, all]) => all.every(({ after }) => after <= CLOSE)).length;
  return close < FEWEST_COUNTRIES || close < countries.length / 2 ? [] : found;
}

/** Whether at least three amounts are apart from the rates and one of the two moved. In most months fewer are. */
function mayDrift({ forecast, rates }: CurrencySources, olds: Amounts, news: Amounts): boolean {
  let apart = 0;
  for (const [name, amount] of news) {
    const ratesNow = rates.after.get(name);
    if (ratesNow === undefined) continue;
    const [now, then] = [ratesNow[0], rates.before.get(name)?.[0]];
    const isSame =
      then !== undefined &&
      now?.current === then.current &&
      now.constant === then.constant &&
      olds.get(name) === amount &&
      olds.get(now.own) === news.get(now.own);
    if (isSame) continue;
    const distances = distancesFrom(ratesNow, news, amount, SMALLEST_PART);
    // A forecast at the rates of the month before may agree with the constant ones by chance.
    if ((forecast ? distances.current : nearest(distances)) > CLOSE) apart += 1;
    if (apart >= FEWEST_YEARS) return true;
  }
  return false;
}
