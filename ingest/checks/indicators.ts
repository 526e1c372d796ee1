// Warns of impossible indicators of countries: in thousands or millions, fractions instead of percent, exchanged columns.

import { groupBy } from '../../src/groupBy.ts';
import type { Diagnostic } from '../messages/fault.ts';
import { amount, count, exact, spans } from '../messages/numbers.ts';
import { type Staging, stagingTable } from '../staging/database/staging.ts';
import type { CheckedRows } from './checkedRows.ts';
import { figure, lowerMedian, RATES_SINCE } from './exchangeRates/rateSeries.ts';
import { PLACE, placeOfNumber, rowsOf } from './places.ts';
import { faultIn, seriesIn, type YearsFault } from './yearRows.ts';

/**
 * Checks the indicators. It runs in every month, because guards cannot compare the indicators of a new year with earlier ones.
 *
 * @param since Returns the first year of a country for which faults are reported.
 */
export async function checkIndicators(
  { staging, datasets, problems }: CheckedRows,
  since: (country: string) => number,
): Promise<void> {
  const all = await indicatorsOf(staging, datasets.includes('fx'));
  const isReported = ({ country, lastYear, isToldOfSeries }: IndicatorFault) =>
    lastYear >= since(country) && !(isToldOfSeries === true && since(country) === 0);
  const faults = [
    ...inflationUnits(all).filter(isReported),
    ...fractionYears(all).filter(isReported),
    // Of each rule, only the first fault of a country is reported.
    ...all.flatMap((country) => RULES.flatMap((rule) => rule(country).find(isReported) ?? [])),
  ];
  for (const { at, country, lastYear, column, isToldOfSeries, ...diagnostic } of faults)
    problems.add('warning', placeOfNumber(staging, at.place, column), diagnostic);
}

/** The indicators of one year; null where the source is empty. */
interface YearOfIndicators {
  readonly year: number;
  /** The place of the row, as `PLACE` gives it. */
  readonly place: bigint;
  readonly gdpUsd: number | null;
  readonly gdpLocal: number | null;
  readonly adults: number | null;
  readonly inflation: number | null;
  /** The USD for one unit of the local currency; null when fx has no rate, or rates of several currencies. */
  readonly rate: number | null;
}

/** The indicators of a country, or of a state of it. */
interface Indicators {
  readonly country: string;
  readonly state: string;
  /** In the order of years. */
  readonly years: readonly YearOfIndicators[];
}

interface IndicatorFault extends Diagnostic, YearsFault<YearOfIndicators> {
  /** The country; '' when the fault concerns all countries. */
  readonly country: string;
  readonly column: string;
  /** Whether the checks of series on a first load report the fault as well, so that it is left to them there. */
  readonly isToldOfSeries?: boolean;
}

/** Finds what is wrong with the indicators of a country or state. */
type Rule = (of: Indicators) => readonly IndicatorFault[];

async function indicatorsOf(staging: Staging, hasFx: boolean): Promise<readonly Indicators[]> {
  const rates = hasFx
    ? `SELECT country_code, year, max(fx_current_usd) AS rate FROM ${stagingTable('fx')} WHERE state_code = ${staging.code('')}
        GROUP BY country_code, year HAVING count(DISTINCT fx_local_currency_code) = 1`
    : 'SELECT NULL::INTEGER AS country_code, NULL::INTEGER AS year, NULL::DOUBLE AS rate WHERE false';
  const found = await rowsOf(
    staging,
    // Rows of wide form hold one metric each, so the rows of a year are merged.
    `WITH rates AS (${rates}),
      whole AS (SELECT country_code, state_code, year, min(${PLACE}) AS place, max(gdp_usd) AS usd, max(gdp_local_currency) AS local_gdp,
        max(adult_population) AS adults, max(inflation) AS inflation
        FROM ${stagingTable('country')} WHERE year >= ${RATES_SINCE} GROUP BY country_code, state_code, year, temporal_code, calculation_code, region_code)
    SELECT country_code, state_code, year, place, usd, local_gdp, adults, inflation, rate FROM whole
    LEFT JOIN rates USING (country_code, year) ORDER BY country_code, state_code, year, place`,
  );
  return seriesIn(found, 2).map((rows) => ({
    country: staging.text(rows[0]?.[0]),
    state: staging.text(rows[0]?.[1]),
    years: rows.map(yearOf),
  }));
}

const yearOf = ([
  ,
  ,
  year,
  place,
  usd,
  local,
  adults,
  inflation,
  rate,
]: readonly unknown[]): YearOfIndicators => ({
  year: Number(year),
  place: BigInt(String(place)),
  gdpUsd: figure(usd),
  gdpLocal: figure(local),
  adults: figure(adults),
  inflation: figure(inflation),
  rate: figure(rate),
});

/** Reports a gross domestic product per adult that no country has. */
const perAdult: Rule = (of) => {
  const known = of.years.filter(({ gdpUsd, adults }) => gdpUsd !== null && adults !== null && adults > 0);
  const typical = lowerMedian(known.map(({ gdpUsd, adults }) => (gdpUsd ?? 0) / (adults ?? 1)));
  const room = known.length < FEWEST_YEARS ? ROOM_OF_FEW_YEARS : 1;
  if (of.state !== '' || typical === 0 || Number.isNaN(typical)) return [];
  if (typical >= LEAST_PER_ADULT / room && typical <= MOST_PER_ADULT * room) return [];
  return faultIn(known, () => ({
    country: of.country,
    column: typical > MOST_PER_ADULT ? 'adult_population' : 'gdp_usd',
    problem: `gdp_usd of ${nameOfPlace(of)} is ${amount(typical)} USD per adult`,
    remedy: 'check the units of both: USD, and persons; check whether columns were exchanged',
    kind: 'a gross domestic product per adult that no country has',
  }));
};

/** The number of years from which on a median shows what is usual. */
const FEWEST_YEARS = 4;

/** The range of the gross domestic product in USD per adult and year. Burundi and Monaco lie well inside it. */
const LEAST_PER_ADULT = 150;
const MOST_PER_ADULT = 500_000;
/** Beyond the limits by this factor, a single year is in another unit. */
const ROOM_OF_FEW_YEARS = 10;

/** Reports GDP in USD that is far from GDP in local currency times the rate of fx. */
const converted: Rule = (of) => {
  if (of.state !== '') return [];
  const known = of.years.filter(
    ({ gdpUsd, gdpLocal, rate }) => (gdpUsd ?? 0) > 0 && (gdpLocal ?? 0) > 0 && rate !== null,
  );
  const off = ({ gdpUsd, gdpLocal, rate }: YearOfIndicators) =>
    Math.log(gdpUsd ?? 1) - Math.log(gdpLocal ?? 1) - Math.log(rate ?? 1);
  const distances = known.map((year) => Math.abs(off(year)));
  const isMostlyOff = known.length >= FEWEST_YEARS && lowerMedian(distances) > MOST_DISTANCE;
  const most = isMostlyOff ? MOST_DISTANCE : MOST_DISTANCE_ONCE;
  const wrong = known.filter((_, i) => (distances[i] ?? 0) > most);
  const offExchanged = (year: YearOfIndicators) => Math.abs(off(year) + 2 * Math.log(year.rate ?? 1));
  const isExchanged = wrong.every((year) => offExchanged(year) < MOST_DISTANCE);
  return faultIn(wrong, (first) => ({
    country: of.country,
    column: 'gdp_usd',
    problem: `gdp_usd of ${nameOfPlace(of)} in ${yearSpans(wrong)} is ${amount(Math.exp(Math.abs(off(first))))} times ${off(first) > 0 ? 'more' : 'less'} than gdp_local_currency at the rate of fx`,
    remedy: isExchanged
      ? 'check whether gdp_usd and gdp_local_currency were exchanged, or the rate is inverted'
      : 'check the units of both, and the rate',
    kind: 'gdp_usd disagrees with gdp_local_currency and fx',
  }));
};

/**
 * How far both may differ, as a difference of logarithms: in most years, and in single years. Countries with several exchange
 * rates differ by up to three times in most years, and by more in some.
 */
const MOST_DISTANCE = Math.log(3);
const MOST_DISTANCE_ONCE = Math.log(30);

/** Reports countries whose inflation is in another unit than percent. Fractions in all countries are left to `firstLoad.ts`. */
function inflationUnits(all: readonly Indicators[]): readonly IndicatorFault[] {
  const values = all.flatMap(({ years }) => years.map(({ inflation }) => Math.abs(inflation ?? 0)));
  return values.every((value) => value < 0.5) ? [] : all.flatMap(inflationUnit);
}

/** Reports inflation that is a fraction, an index or in basis points in all years of a country. */
const inflationUnit: Rule = (of) => {
  const known = of.years.filter(({ inflation }) => inflation !== null && inflation !== 0);
  if (known.length < FEWEST_INFLATIONS) return [];
  const sizes = known.map(({ inflation }) => Math.abs(inflation ?? 0));
  const [typical, least] = [lowerMedian(sizes), Math.min(...sizes)];
  if (typical >= FRACTION && least <= INDEX) return [];
  const isLow = typical < FRACTION;
  const years = `${count(known.length)} years, and its unit is percent`;
  return faultIn(known, () => ({
    country: of.country,
    column: 'inflation',
    problem: isLow
      ? `inflation of ${nameOfPlace(of)} is ${exact(typical)} in the median of ${years}: it looks like a fraction`
      : `inflation of ${nameOfPlace(of)} is ${exact(least)} or more in all ${years}: it looks like an index or like basis points`,
    remedy: 'write 3.5 for 3.5 %',
    kind: isLow ? 'inflation that looks like fractions' : 'inflation that looks like an index',
  }));
};

/** The number of years from which on the inflation of a country shows its unit. Fewer may all be unusual. */
const FEWEST_INFLATIONS = 5;

/**
 * The median inflation below which figures are fractions. In percent, the median of five years of a country is above it, and so is
 * the median of many countries in any year. As fractions, both are below it.
 */
const FRACTION = 0.12;

/** The inflation that a country never had in each of five years since 2000, except in hyperinflation. */
const INDEX = 50;

/** Reports years in which the inflation of most countries is a fraction, while it is in percent in other years. */
function fractionYears(all: readonly Indicators[]): readonly IndicatorFault[] {
  const countries = all.filter(({ state }) => state === '');
  const known = countries.flatMap(({ years }) => years.filter(({ inflation }) => inflation !== null));
  const typical = [...groupBy(known, ({ year }) => year).values()]
    .filter((ofYear) => ofYear.length >= MANY_COUNTRIES)
    .map((ofYear) => ({
      ofYear,
      size: lowerMedian(ofYear.map(({ inflation }) => Math.abs(inflation ?? 0))),
    }));
  const most = Math.max(...typical.map(({ size }) => size));
  return typical
    .filter(({ size }) => size > 0 && size < FRACTION && most >= size * FRACTIONS_APART)
    .flatMap(({ ofYear, size }) =>
      faultIn(ofYear, ({ year }) => ({
        country: '',
        column: 'inflation',
        problem: `inflation is ${exact(size)} in ${year} in the median country, and up to ${exact(most)} in other years: it looks like a fraction`,
        remedy: 'write 3.5 for 3.5 %',
        kind: 'inflation of a year that looks like fractions',
      })),
    );
}

/** The number of countries that a year must have. In 2015, inflation was about zero in several euro countries, but in fewer. */
const MANY_COUNTRIES = 10;

/** How many times larger the median inflation of some other year must be. */
const FRACTIONS_APART = 20;

/** Reports a single year of inflation far above the years beside it, because a decimal point is probably missing. */
const inflationSpike: Rule = (of) => {
  const known = of.years.filter(({ inflation }) => inflation !== null);
  return known.flatMap((at, i) => {
    const beside = [known[i - 1], known[i + 1]].flatMap((year) => year?.inflation ?? []);
    const usual = Math.max(1, ...beside.map(Math.abs));
    const isSpike = beside.length > 0 && Math.abs(at.inflation ?? 0) >= Math.max(usual * SPIKE, INDEX);
    return faultIn(isSpike ? [at] : [], () => ({
      country: of.country,
      column: 'inflation',
      problem: `inflation of ${nameOfPlace(of)} is ${exact(at.inflation)} in ${at.year}, and at most ${exact(usual)} in the years beside it`,
      remedy: 'check the decimal point: 3.5 is 3.5 %',
      kind: 'inflation of one year is far from those beside it',
    }));
  });
};

/** How many times larger than in the years beside it such an inflation must be. */
const SPIKE = 30;

/** How many times larger or smaller than in the year before a figure may be. */
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

/** A rule that reports figures that are far from the year before: a wrong year, or a change of unit. */
const inSteps =
  ({ column, name, up, down }: MostSteps): Rule =>
  (of) => {
    const known = of.years.filter((year) => (year[name] ?? 0) > 0);
    const isStep = (value: number, earlier: number) => value > earlier * up || value < earlier / down;
    return known.flatMap((at, i) => {
      const before = known[i - 1];
      if (before === undefined || at.year - before.year > 1) return [];
      const [value, earlier] = [at[name] ?? 0, before[name] ?? 0];
      if (!isStep(value, earlier)) return [];
      // The year before is the wrong one, and was reported. This year is right again.
      const twoBefore = known[i - 2]?.[name] ?? null;
      if (twoBefore !== null && isStep(earlier, twoBefore) && !isStep(value, twoBefore)) return [];
      const size = Math.abs(Math.log10(value / earlier));
      const isThousandfold = Math.min(Math.abs(size - 3), Math.abs(size - 6)) < 0.3;
      return faultIn([at], () => ({
        country: of.country,
        column,
        isToldOfSeries: isThousandfold && known.length >= FEWEST_YEARS && name !== 'gdpLocal',
        problem: `${column} of ${nameOfPlace(of)} is ${amount(value)} in ${at.year}, and ${amount(earlier)} in ${before.year}`,
        remedy: 'check the unit of the figure',
        kind: `${column} moves from one year to the next as no country's does`,
      }));
    });
  };

const RULES: readonly Rule[] = [perAdult, converted, inflationSpike, ...MOST_STEPS.map(inSteps)];

const nameOfPlace = ({ country, state }: Indicators): string =>
  state === '' ? country : `${state}, ${country},`;

const yearSpans = (years: readonly YearOfIndicators[]): string => spans(years.map(({ year }) => year));
