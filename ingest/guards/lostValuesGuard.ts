// Guard `vanished`, for single countries: a country lost all figures of a year or currency.

import { groupBy, onlyOf } from '../../src/basics/lists.ts';
import type { LostValue } from '../compare/comparisonTypes.ts';
import { counted, listed, listedLines, yearSpans } from '../messages/numbers.ts';
import type { Guard, PatternVerdict } from './guard.ts';

const MOST_COUNTRIES_NAMED = 5;

/** Warns of countries that lost a year or currency, in one suspicion. */
export const lostValuesGuard: Guard<LostValue, readonly LostValue[]> = {
  find: ({ lost: all }) => all,
  gather: (found) => [
    {
      rule: 'vanished',
      severity: 'warn',
      country: onlyOf(found.map(({ country }) => country)),
      about: found,
    },
  ],
  words: (all) => {
    const byCountry = groupBy(all, ({ country }) => country);
    const countries = [...byCountry].map(([country, values]) => `${country} (${valueNames(values)})`);
    const summary = `${counted(byCountry.size, 'country', 'countries')} lost all figures of a year or currency`;
    return {
      message: `${summary}: ${listed(countries, MOST_COUNTRIES_NAMED)}`,
      lines: [summary, ...listedLines(countries, MOST_COUNTRIES_NAMED)],
    };
  },
};

/** Whether a verdict is about the rows of a lost value, or about all rows that the country lost. */
export const isAboutLostValue = (
  { pattern: { family, place } }: PatternVerdict,
  { dimension, value }: LostValue,
): boolean =>
  family === 'gone' &&
  Object.entries(place).every(([name, of]) => name === 'country' || (name === dimension && of === value));

/** The lost values of a country: years such as `1960–1982`, then the codes of currencies. */
function valueNames(values: readonly LostValue[]): string {
  const years = values.filter(({ dimension }) => dimension === 'year').map(({ value }) => Number(value));
  const others = values.filter(({ dimension }) => dimension !== 'year').map(({ value }) => String(value));
  return [...(years.length === 0 ? [] : [yearSpans(years)]), ...others].join(', ');
}
