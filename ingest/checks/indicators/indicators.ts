// Warns of impossible indicators of countries: in thousands or millions, fractions instead of percent, exchanged columns.

import { lowerMedian } from '../../../src/basics/medians.ts';
import { amountText, multiple } from '../../messages/numbers.ts';
import type { CheckInput } from '../checkInput.ts';
import { placeOfCellAt } from '../stagedPlaces.ts';
import { nameOfPlace, yearsText } from '../yearFaults.ts';
import { adultsAreAllPeople, oddSizes } from './economySize.ts';
import { shiftedGdp } from './gdpShifted.ts';
import {
  faultOf,
  gdpDistance,
  type IndicatorFault,
  type IndicatorRule,
  indicatorsOf,
  type YearOfIndicators,
} from './indicatorSeries.ts';
import {
  computedInflation,
  fractionsInARow,
  fractionYears,
  inflationSpike,
  inflationUnits,
  negativeInflation,
} from './inflation.ts';
import { gdpApart, populationSpike } from './oddYears.ts';
import { repeatedYears } from './repeatedYears.ts';
import { shiftedInflation } from './shiftedInflation.ts';

/**
 * Checks the indicators. It runs in every month, because guards compare the indicators of a new year only with one earlier
 * year, and inflation only for repeated figures. `since` returns, for a country, the first year whose faults are reported.
 * It is 0 for a country that was not published before.
 */
export async function checkIndicators(
  { staging, problems }: CheckInput,
  since: (country: string) => number,
): Promise<void> {
  const all = await indicatorsOf(staging);
  const isNew = (country: string) => since(country) === 0;
  const isReported = ({ country, lastYear, isOfLaterMonths }: IndicatorFault) =>
    lastYear >= since(country) && !(isNew(country) && isOfLaterMonths === true);
  const fractions = fractionYears(all).filter(isReported);
  const faults = [
    ...inflationUnits(all).filter(isReported),
    ...fractions,
    ...computedInflation(all).filter(isReported),
    // In later months guards compare these figures.
    ...adultsAreAllPeople(all).filter(({ country }) => isNew(country)),
    // If the inflation of some years is a fraction everywhere, these rules would report the same mistake in each country.
    ...(fractions.length > 0
      ? []
      : [
          ...shiftedInflation(all).filter(({ country }) => isNew(country)),
          ...all.flatMap(fractionsInARow).filter(isReported),
        ]),
    // Of each rule, only the first fault of a country is reported.
    ...all.flatMap((series) =>
      (isNew(series.country) ? FIRST_RULES : RULES).flatMap((rule) => rule(series).find(isReported) ?? []),
    ),
  ];
  for (const { at, country, lastYear, column, isOfLaterMonths, ...diagnostic } of faults)
    problems.add('warning', placeOfCellAt(staging, at.place, column), diagnostic);
}

/**
 * Reports figures that cannot be those of the country. The two checks form one rule, so only the first fault of a
 * country is reported. A wrong gross domestic product is also wrong per adult.
 */
const sizeOrPerAdult: IndicatorRule = (series) => [...oddSizes(series), ...perAdult(series)];

/** Reports a gross domestic product per adult that no country has. */
const perAdult: IndicatorRule = (series) => {
  const known = series.years.filter(({ gdpUsd, adults }) => gdpUsd !== null && adults !== null && adults > 0);
  const typical = lowerMedian(known.map(({ gdpUsd, adults }) => (gdpUsd ?? 0) / (adults ?? 1)));
  const room = known.length < FEWEST_YEARS ? ROOM_OF_FEW_YEARS : 1;
  if (series.state !== '' || typical === 0 || Number.isNaN(typical)) return [];
  if (typical >= LEAST_PER_ADULT / room && typical <= MOST_PER_ADULT * room) return [];
  return faultOf(series, typical > MOST_PER_ADULT ? 'adult_population' : 'gdp_usd', known, () => ({
    problem: `gdp_usd of ${nameOfPlace(series)} is ${amountText(typical)} USD per adult`,
    remedy: 'check the units of both: USD, and persons; check whether columns were exchanged',
    kind: 'a gross domestic product per adult that no country has',
  }));
};

/** The fewest years of a country whose median shows what is usual in that country. */
const FEWEST_YEARS = 4;

/** The plausible range of the gross domestic product in USD per adult and year. Burundi and Monaco lie well inside it. */
const LEAST_PER_ADULT = 150;
const MOST_PER_ADULT = 500_000;
/** The factor by which these limits are wider for fewer than `FEWEST_YEARS` years. */
const ROOM_OF_FEW_YEARS = 10;

/** Reports GDP in USD that is far from GDP in local currency multiplied by the rate of fx. */
const gdpAgainstRate: IndicatorRule = (series) => {
  if (series.state !== '') return [];
  const known = series.years.filter(
    ({ gdpUsd, gdpLocal, rate }) => (gdpUsd ?? 0) > 0 && (gdpLocal ?? 0) > 0 && rate !== null,
  );
  const distances = known.map((year) => Math.abs(gdpDistance(year)));
  const isMostlyOff = known.length >= FEWEST_YEARS && lowerMedian(distances) > MOST_DISTANCE;
  const most = isMostlyOff ? MOST_DISTANCE : MOST_DISTANCE_ONCE;
  const distanceIfExchanged = (year: YearOfIndicators) =>
    Math.abs(gdpDistance(year) + 2 * Math.log(year.rate ?? 1));
  const exchanged = known.filter(
    (year, i) => distanceIfExchanged(year) < EXACT_DISTANCE && (distances[i] ?? 0) > 2 * EXACT_DISTANCE,
  );
  const areExchanged = exchanged.length >= Math.max(FEWEST_YEARS, MAJORITY_SHARE * known.length);
  const wrong = areExchanged ? exchanged : known.filter((_, i) => (distances[i] ?? 0) > most);
  const isExchanged = wrong.every((year) => distanceIfExchanged(year) < MOST_DISTANCE);
  return faultOf(series, 'gdp_usd', wrong, (first) => ({
    problem: `gdp_usd of ${nameOfPlace(series)} in ${yearsText(wrong)} is ${multiple(Math.exp(Math.abs(gdpDistance(first))))} times ${gdpDistance(first) > 0 ? 'more' : 'less'} than gdp_local_currency at the rate of fx`,
    remedy: isExchanged
      ? 'check whether gdp_usd and gdp_local_currency were exchanged, or the rate is inverted'
      : 'check the units of both, and the rate',
    kind: 'gdp_usd disagrees with gdp_local_currency and fx',
  }));
};

/**
 * The largest difference of logarithms between GDP in USD and GDP in local currency at the rate of fx, as the median of a
 * country's years. In countries with several exchange rates, they differ by up to three times in most years, and by more in
 * some.
 */
const MOST_DISTANCE = Math.log(3);
/** The largest difference in a single year, if the median is at most `MOST_DISTANCE`. */
const MOST_DISTANCE_ONCE = Math.log(30);

/**
 * The largest difference of the logarithms of `gdp_usd` times the rate and of `gdp_local_currency`, in a year in which the
 * two columns are exchanged.
 */
const EXACT_DISTANCE = 0.005;
/** The columns count as exchanged only if the difference is below `EXACT_DISTANCE` in at least this share of the years. */
const MAJORITY_SHARE = 0.8;

/** The largest factors, up and down, between a figure and that of the year before. */
interface MostSteps {
  readonly column: string;
  readonly name: 'adults' | 'gdpUsd' | 'gdpLocal';
  readonly up: number;
  readonly down: number;
}

const MOST_STEPS: readonly MostSteps[] = [
  { column: 'adult_population', name: 'adults', up: 2, down: 2 },
  { column: 'gdp_usd', name: 'gdpUsd', up: 5, down: 5 },
  // Prices rise a hundredfold in a year of hyperinflation.
  { column: 'gdp_local_currency', name: 'gdpLocal', up: 500, down: 5 },
];

/** A rule that reports figures that are far from the year before. The year is wrong, or the unit changed. */
const farFromYearBefore =
  ({ column, name, up, down }: MostSteps): IndicatorRule =>
  (series) => {
    const known = series.years.filter((year) => (year[name] ?? 0) > 0);
    const isStep = (value: number, earlier: number) => value > earlier * up || value < earlier / down;
    return known.flatMap((at, i) => {
      const before = known[i - 1];
      if (before === undefined || at.year - before.year > 1) return [];
      const [value, earlier] = [at[name] ?? 0, before[name] ?? 0];
      if (!isStep(value, earlier) || (name === 'gdpLocal' && isNewCurrency(before, at))) return [];
      // The year before was wrong, and was reported. This year is right again.
      const twoBefore = known[i - 2]?.[name] ?? null;
      if (twoBefore !== null && isStep(earlier, twoBefore) && !isStep(value, twoBefore)) return [];
      const size = Math.abs(Math.log10(value / earlier));
      const isThousandfold = Math.min(Math.abs(size - 3), Math.abs(size - 6)) < 0.3;
      return faultOf(series, column, [at], () => ({
        isOfLaterMonths: isThousandfold && known.length >= FEWEST_YEARS && name !== 'gdpLocal',
        problem: `${column} of ${nameOfPlace(series)} is ${amountText(value)} in ${at.year}, and ${amountText(earlier)} in ${before.year}`,
        remedy: 'check the unit of the figure',
        kind: `${column} moves from one year to the next as no country's does`,
      }));
    });
  };

/**
 * GDP in local currency, converted at the rate of fx, agrees with GDP in USD if their logarithms differ by less than this.
 */
const CONVERTED_DISTANCE = Math.log(1.1);
/** GDP in USD hardly moved if its logarithm changed by less than this from one year to the next. */
const MOST_STEADY_MOVE = Math.log(2);

/**
 * Whether the country has a new currency, such as Croatia since 2023, or dropped zeros from its old one. Then GDP in local
 * currency agrees with GDP in USD in both years, and GDP in USD hardly moved. If a unit is wrong, they agree in one year at
 * most.
 */
function isNewCurrency(before: YearOfIndicators, at: YearOfIndicators): boolean {
  const agrees = ({ gdpUsd, gdpLocal, rate }: YearOfIndicators) =>
    Math.abs(Math.log((gdpLocal ?? 0) * (rate ?? 0)) - Math.log(gdpUsd ?? 0)) < CONVERTED_DISTANCE;
  return (
    agrees(before) &&
    agrees(at) &&
    Math.abs(Math.log(at.gdpUsd ?? 0) - Math.log(before.gdpUsd ?? 0)) < MOST_STEADY_MOVE
  );
}

const STEP_RULES = MOST_STEPS.map(farFromYearBefore);

/** The rules of countries that were published before. Guards compare their other figures. */
const RULES: readonly IndicatorRule[] = [
  perAdult,
  gdpAgainstRate,
  negativeInflation,
  inflationSpike,
  ...STEP_RULES,
];

/** The rules of countries that were not published before. */
const FIRST_RULES: readonly IndicatorRule[] = [
  sizeOrPerAdult,
  gdpAgainstRate,
  shiftedGdp,
  negativeInflation,
  inflationSpike,
  ...STEP_RULES,
  repeatedYears,
  gdpApart,
  populationSpike,
];
