// Warns of country indicators that cannot be: in thousands or millions, fractions instead of percent, exchanged columns.

import { groupBy } from '../../src/groupBy.ts';
import type { Diagnostic } from '../messages/fault.ts';
import { amount, count, exact, spans } from '../messages/numbers.ts';
import { type Staging, stagingTable } from '../staging/database/staging.ts';
import type { CheckedRows } from './checkedRows.ts';
import { PLACE, placeOfNumber, rowsOf } from './places.ts';
import { figure, lowerMedian, RATES_SINCE } from './rateSeries.ts';
import { faultIn, seriesIn, type YearsFault } from './yearRows.ts';

/**
 * Checks the indicators in every month: those of a new year have no earlier figure that a guard could compare them
 * with.
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
    // Reports the first fault of each kind for a country.
    ...all.flatMap((country) => RULES.flatMap((rule) => rule(country).find(isReported) ?? [])),
  ];
  for (const { at, country, lastYear, column, isToldOfSeries, ...diagnostic } of faults)
    problems.add('warning', placeOfNumber(staging, at.place, column), diagnostic);
}

/** The indicators of one year; null where the source is empty. */
interface YearOfIndicators {
  readonly year: number;
  /** The place of the row, in the form of `PLACE`. */
  readonly place: bigint;
  readonly gdpUsd: number | null;
  readonly gdpLocal: number | null;
  readonly adults: number | null;
  readonly inflation: number | null;
  /** USD for one unit of the local currency; null when fx has none, or rates of several currencies. */
  readonly rate: number | null;
}

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
  /** Whether `series.ts` reports it when the dataset is loaded for the first time. */
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
    // Rows of a wide sheet hold one metric each.
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

/** GDP of an adult in USD lies between that of Burundi and that of Monaco, with room on both sides. */
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

/** Fewer years do not show what is usual. */
const FEWEST_YEARS = 4;

/** USD per adult and year. */
const LEAST_PER_ADULT = 150;
const MOST_PER_ADULT = 500_000;
/** Beyond the limits by this factor, a single year is in another unit. */
const ROOM_OF_FEW_YEARS = 10;

/** GDP in USD is GDP in local currency times the rate of fx, except where a country has several rates. */
const converted: Rule = (of) => {
  const known = of.years.filter(
    ({ gdpUsd, gdpLocal, rate }) => (gdpUsd ?? 0) > 0 && (gdpLocal ?? 0) > 0 && rate !== null,
  );
  const off = ({ gdpUsd, gdpLocal, rate }: YearOfIndicators) =>
    Math.log(gdpUsd ?? 1) - Math.log(gdpLocal ?? 1) - Math.log(rate ?? 1);
  const isMostlyOff =
    known.length >= FEWEST_YEARS && lowerMedian(known.map((year) => Math.abs(off(year)))) > MOST_OFF;
  if (of.state !== '') return [];
  const wrong = known.filter((year) => Math.abs(off(year)) > (isMostlyOff ? MOST_OFF : MOST_OFF_ONCE));
  const isExchanged = wrong.every((year) => Math.abs(off(year) + 2 * Math.log(year.rate ?? 1)) < MOST_OFF);
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

/** Differences of logarithms. Countries with several rates differ by up to three times in most years, and by more in some. */
const MOST_OFF = Math.log(3);
const MOST_OFF_ONCE = Math.log(30);

/** Inflation in another unit than percent. `firstLoad.ts` reports fractions in all countries, once. */
function inflationUnits(all: readonly Indicators[]): readonly IndicatorFault[] {
  const values = all.flatMap(({ years }) => years.map(({ inflation }) => Math.abs(inflation ?? 0)));
  return values.every((value) => value < 0.5) ? [] : all.flatMap(inflationUnit);
}

/** Inflation that is a fraction, an index or in basis points, in all years of a country. */
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

/** With fewer years of inflation, all of them may be unusual. */
const FEWEST_INFLATIONS = 5;

/**
 * The median inflation of a country over five years is above 0.12 %, and so is the median of many countries in any year. As
 * fractions, both are below it.
 */
const FRACTION = 0.12;

/** Since 2000, no country without hyperinflation had more in each of five years. */
const INDEX = 50;

/** Years in which the inflation of most countries is a fraction, beside years in percent. */
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

/** In 2015 inflation was zero in several countries of the euro at once, but in fewer than this. */
const MANY_COUNTRIES = 10;
/** A year's inflation is taken for a fraction where that of other years is at least this many times larger. */
const FRACTIONS_APART = 20;

/** A single year of inflation far above those beside it: a decimal point is missing. */
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

/** A year's decimal point is taken for missing where its inflation is at least this many times that of the years beside it. */
const SPIKE = 30;

/** How many times more or less a figure may be than in the year before. */
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

/** Reports one year far from the years beside it, or a change of unit. */
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
      // The year before was the wrong one, and has been reported.
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
