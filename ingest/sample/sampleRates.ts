// Computes the exchange rates of a month: US dollars and euros for one unit of each currency, as published.

import { swing } from './keyedRandom.ts';
import type { Month } from './tables/calendar.ts';
import { BASE_YEAR, eurInUsd, LAST_CLOSED_YEAR } from './tables/calendar.ts';
import { COUNTRIES, type Country, type Peg } from './tables/countries.ts';

/** The share of the euro's movement against the dollar that a currency follows, by its peg. */
const EURO_PART: Readonly<Record<Peg, number>> = { U: 0, E: 1, F: 0.6, C: 0.3 };

/** US dollars for one unit of a country's currency in the base year, in which the tables state their dollars. */
export const baseUsd = (country: Country): number => 1 / country.unitsPerUsd;

/** The published rate of a currency in current terms, to 6 significant digits. */
export function currentRate(month: Month, currency: string, terms: 'USD' | 'EUR', year: number): number {
  if (currency === terms) return 1;
  const usd = usdPerUnit(month, currency, year);
  return sixDigits(terms === 'USD' ? usd : usd / usdPerUnit(month, 'EUR', year));
}

/** The published rate in constant terms, which is the rate of the last closed year for every year. */
export const constantRate = (month: Month, currency: string, terms: 'USD' | 'EUR'): number =>
  currentRate(month, currency, terms, LAST_CLOSED_YEAR);

function usdPerUnit(month: Month, currency: string, year: number): number {
  const money = COUNTRY_BY_CURRENCY.get(currency);
  if (money === undefined) throw new RangeError(`no country of the sample pays in ${currency}`);
  const { peg, yearlyLoss } = money;
  const closed = Math.min(year, LAST_CLOSED_YEAR);
  const floats = peg === 'F' || peg === 'C';
  const average =
    baseUsd(money) *
    (1 + yearlyLoss) ** (BASE_YEAR - closed) *
    (eurInUsd(closed) / eurInUsd(BASE_YEAR)) ** EURO_PART[peg] *
    (floats && closed !== BASE_YEAR ? 1 + 0.02 * swing('fx', currency, closed) : 1);
  return year <= LAST_CLOSED_YEAR || peg === 'U'
    ? average
    : average * publishingDayFactor(month, currency, peg);
}

/** The rate on the day of publishing divided by the last yearly average. All forecasts use the rate of that day. */
function publishingDayFactor(month: Month, currency: string, peg: Peg): number {
  const first = 1 + 0.012 * swing('ytd', peg === 'E' ? 'EUR' : currency);
  return month === '2026-10' ? first : first * (1 + 0.0045 * swing('ytd2', currency));
}

/** One country of each currency. Its rate is that of all countries with this currency. */
const COUNTRY_BY_CURRENCY: ReadonlyMap<string, Country> = new Map(
  COUNTRIES.map((country) => [country.currency, country]),
);

const sixDigits = (rate: number) => Number(rate.toPrecision(6));
