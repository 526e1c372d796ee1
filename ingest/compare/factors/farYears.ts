// Scopes in which a single year moved far, even if no reported year follows it.

import { groupBy } from '../../../src/groupBy.ts';
import { MARKET } from '../rows/countryParts.ts';
import { moveOf } from './commonFactor.ts';
import type { Found } from './found.ts';
import { type Beside, nationStayed } from './stayed.ts';

/** Sources revise a market's last year, and a state's market, by up to a tenth, seldom by a third. */
const FAR = 1 / 3;

/** The year before or after stayed if each of its figures moved by at most this share of the finding's move. */
const STAYED_BESIDE = 0.2;

/** Whether each year has a year before or after it with figures of the same part, and all these figures stayed. */
function knownYearsBesideStayed(
  { country, figures: [{ row: first }], years, factor }: Found,
  beside: Beside,
): boolean {
  const { codes, before } = beside.figures.matched;
  const byYear = groupBy(beside.part(country, first), ({ row }) => codes.yearOf(before, row));
  return years.every((year) => {
    const near = [year - 1, year + 1].flatMap((next) => byYear.get(next) ?? []);
    return near.length > 0 && near.every(({ ratio }) => moveOf(ratio) <= STAYED_BESIDE * moveOf(factor));
  });
}

const ONE_YEAR = {
  years: 'alone',
  least: FAR,
  most: Number.POSITIVE_INFINITY,
  // The factors of a year differ between currencies, because exchange rates move as well.
  spread: 0.01,
  digits: 10_000_000,
  share: 1,
  fewest: 1,
} as const;

/** A market in its last reported year, which has no year after it. */
export const LAST_YEAR_OF_MARKET = {
  ...ONE_YEAR,
  by: MARKET,
  reasons: [{ relation: 'year-moved', holds: knownYearsBesideStayed }],
} as const;

/** A market of a state in one year. Most states have one currency, so one figure is the whole year. */
export const YEAR_OF_STATE_MARKET = {
  ...ONE_YEAR,
  by: ['state', ...MARKET],
  reasons: [
    {
      relation: 'year-moved',
      holds: (found: Found, beside: Beside) =>
        nationStayed(found, beside) && knownYearsBesideStayed(found, beside),
    },
  ],
} as const;
