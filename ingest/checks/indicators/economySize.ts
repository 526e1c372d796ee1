// Warns of a country with the adults or the GDP of another one, and of adult_population that counts all people.

import { lowerMedian } from '../../../src/basics/medians.ts';
import { amountText, roundedPercent } from '../../messages/numbers.ts';
import { type Economy, economyOf } from './economies.ts';
import {
  ALL_COUNTRIES,
  faultOf,
  type IndicatorFault,
  type IndicatorRule,
  type IndicatorSeries,
  type YearOfIndicators,
} from './indicatorSeries.ts';

/** An indicator, and how far it may be from the known size of the country. */
interface IndicatorWithKnownSize {
  readonly column: string;
  readonly name: 'adults' | 'gdpUsd';
  readonly known: (economy: Economy) => number | null;
  readonly unit: string;
  /** The smallest and the largest plausible median, as multiples of the known size. */
  readonly least: number;
  readonly most: number;
}

/**
 * How far a right figure may be from the known size. Adults are 45 to 87 % of all people. From 2010 to 2023, the population
 * of a country changed by a factor of 0.75 to 1.8. Its gross domestic product changed by a factor of 0.6 to 5. The known
 * sizes are rounded by up to a quarter.
 */
const ADULTS: IndicatorWithKnownSize = {
  column: 'adult_population',
  name: 'adults',
  known: ({ millions }) => millions * 1e6,
  unit: 'people',
  least: 0.2,
  most: 1.5,
};
const GDP_USD: IndicatorWithKnownSize = {
  column: 'gdp_usd',
  name: 'gdpUsd',
  known: ({ billions }) => billions && billions * 1e9,
  unit: 'USD of gross domestic product',
  least: 1 / 7,
  most: 4.5,
};

/** The first and the last year that is compared with the known sizes of about 2023. */
const FIRST_YEAR = 2010;
const LAST_YEAR = 2035;

/** The fewest years of a country whose median figure is compared with the known size. */
const FEWEST_YEARS = 4;

/** Reports indicators that are far from the known size of the country. */
export const oddSizes: IndicatorRule = (series) => [ADULTS, GDP_USD].flatMap((size) => oddSize(series, size));

function oddSize(series: IndicatorSeries, size: IndicatorWithKnownSize): readonly IndicatorFault[] {
  const sizes = sizesOf(series, size);
  if (sizes === null) return [];
  const { years, typical, known } = sizes;
  if (typical >= size.least * known && typical <= size.most * known) return [];
  return faultOf(series, size.column, years, () => ({
    problem: `${size.column} of ${series.country} is ${amountText(typical)}, and it has about ${amountText(known)} ${size.unit}`,
    remedy: 'check the unit of the figures, and that they are those of this country',
    kind: `${size.column} is not that of the country`,
  }));
}

/** The median figure of a country in the years about 2023, and its known size; null where one of them is unknown. */
function sizesOf(series: IndicatorSeries, size: IndicatorWithKnownSize): Sizes | null {
  const figure = (year: YearOfIndicators) => year[size.name] ?? 0;
  const years = series.years.filter(
    (year) => year.year >= FIRST_YEAR && year.year <= LAST_YEAR && figure(year) > 0,
  );
  if (series.state !== '' || years.length < FEWEST_YEARS) return null;
  const economy = economyOf(series.country);
  const known = economy === undefined ? null : size.known(economy);
  return known === null ? null : { years, typical: lowerMedian(years.map(figure)), known };
}

interface Sizes {
  readonly years: readonly YearOfIndicators[];
  readonly typical: number;
  readonly known: number;
}

/**
 * If adult_population of the median country is at least this share of its known people, it counts all people. Adults are at
 * most 85 % of the known people. All people are at least 92 % of them, and not 100 %, because most years are before 2023.
 */
const ALL_PEOPLE_SHARE = 0.9;

/**
 * From this number of countries on, their median tells adults from all people. The known sizes are rounded, so fewer
 * countries are not enough.
 */
const FEWEST_COUNTRIES = 20;

/** Reports adult_population, at its first figure, if it counts all people in the median country. */
export function adultsAreAllPeople(all: readonly IndicatorSeries[]): readonly IndicatorFault[] {
  const sizes = all.flatMap((series) => sizesOf(series, ADULTS) ?? []);
  const share = lowerMedian(sizes.map(({ typical, known }) => typical / known));
  const [first] = sizes;
  if (
    first === undefined ||
    sizes.length < FEWEST_COUNTRIES ||
    share < ALL_PEOPLE_SHARE ||
    share > 1 / ALL_PEOPLE_SHARE
  )
    return [];
  return faultOf(ALL_COUNTRIES, 'adult_population', first.years, () => ({
    problem: `adult_population is ${roundedPercent(share, 2)} of all people in the median country, and adults are 45 to 87 %`,
    remedy: 'check that the figures are those of adults, and not of all people',
    kind: 'adult_population of all people',
  }));
}
