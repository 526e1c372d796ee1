// Finds the markets without figures in one of two currencies, which make the sums of a country disagree with the rates.

import type { AmountKey } from './amountKeys.ts';
import { type MarketDataset, NO_AMOUNTS } from './amounts.ts';
import type { CollectedAmounts } from './collectedAmounts.ts';
import { AGREEING_DISTANCE, distancesFromRates, nearerDistance } from './rateDistances.ts';
import { type BrokenInYear, MARKET_LEVEL } from './relationLevels.ts';

interface Sum {
  readonly dataset: MarketDataset;
  /** The product that is summed; `''` for the whole country. */
  readonly place: string;
  /** The key of the sum in a foreign currency. */
  readonly key: AmountKey;
  /** The distance of the sum from the rates. */
  readonly after: number;
}

/**
 * The markets of a sum that have figures in the local or in the foreign currency alone. None where the other markets
 * disagree with the rates, because then the rates or the figures are wrong as well.
 */
export function marketsWithoutCurrency(amounts: CollectedAmounts, sum: Sum): BrokenInYear[] {
  const { dataset, place, key, after } = sum;
  const { country, year, fx } = amounts.keys.decode(key);
  const isOfSum = (market: string) => place === '' || market === place || market.startsWith(`${place} / `);
  const markets = [...amounts.markets(dataset)].filter(([market]) => isOfSum(market));
  for (const rate of amounts.rates.after.get(key) ?? []) {
    const { localKey } = rate;
    let [local, foreign, marketsWithBoth] = [0, 0, 0];
    const found: BrokenInYear[] = [];
    for (const [market, ofMarket = NO_AMOUNTS] of markets) {
      const [inLocal, inForeign] = [ofMarket.get(localKey), ofMarket.get(key)];
      if (inLocal !== undefined && inForeign !== undefined) {
        local += inLocal;
        foreign += inForeign;
        marketsWithBoth += 1;
      } else if (inLocal !== undefined || inForeign !== undefined) {
        const currency = inLocal === undefined ? amounts.keys.decode(localKey).fx : fx;
        const where = { dataset, country, year, currency, level: MARKET_LEVEL, place: market } as const;
        found.push({ relation: 'currency-lacking', ...where, before: 0, after });
      }
    }
    const distance = nearerDistance(distancesFromRates([rate], new Map([[localKey, local]]), foreign, 0));
    const doOthersAgree = marketsWithBoth === 0 || distance <= AGREEING_DISTANCE;
    if (found.length > 0 && doOthersAgree) return found;
  }
  return [];
}
