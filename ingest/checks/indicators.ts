// Warns of country indicators that cannot be: in thousands or millions, fractions instead of percent, exchanged columns.

import type { Said } from '../messages/fault.ts';
import { amount, count, exact, spans } from '../messages/numbers.ts';
import { type Staging, stagingTable } from '../staging/staging.ts';
import type { CheckedRows } from './checkedRows.ts';
import { PLACE, placeOfNumber, rowsOf } from './places.ts';
import { median, RATES_SINCE } from './rateSeries.ts';

/**
 * Checks the indicators, in any month: those of a new year have no earlier figure that a guard could compare them with.
 *
 * @param since The first year of a country that is reported.
 */
export async function checkIndicators(
  { staging, datasets, problems }: CheckedRows,
  since: (country: string) => number,
): Promise<void> {
  const all = await indicatorsOf(staging, datasets.includes('fx'));
  const faults = [
    ...inflationUnits(all),
    ...fractionYears(all),
    ...all.flatMap((country) => RULES.flatMap((rule) => rule(country) ?? [])),
  ];
  for (const { at, country, lastYear, column, toldOfSeries, ...said } of faults) {
    const isTold = toldOfSeries === true && since(country) === 0;
    if (lastYear >= since(country) && !isTold)
      problems.add('warning', placeOfNumber(staging, at.place, column), said);
  }
}

/** The indicators of one year; null where the source is empty. */
interface YearOfIndicators {
  readonly year: number;
  /** Of the row, as `PLACE` gives it. */
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

interface IndicatorFault extends Said {
  /** The first year that is wrong. */
  readonly at: YearOfIndicators;
  /** The last one. */
  readonly lastYear: number;
  /** '' when it is about all of them. */
  readonly country: string;
  readonly column: string;
  /** Whether the checks of series report it when the dataset is loaded for the first time. */
  readonly toldOfSeries?: boolean;
}

type Rule = (of: Indicators) => IndicatorFault | null;

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
  const all: { country: string; state: string; years: YearOfIndicators[] }[] = [];
  let before: readonly unknown[] = [];
  for (const row of found) {
    const isSame = row[0] === before[0] && row[1] === before[1];
    if (!isSame) all.push({ country: staging.text(row[0]), state: staging.text(row[1]), years: [] });
    const [, , year, place, usd, local, adults, inflation, rate] = row;
    // A year that is both Current and Forecast counts as what its first row is.
    if (!isSame || year !== before[2])
      all.at(-1)?.years.push({
        year: Number(year),
        place: BigInt(String(place)),
        gdpUsd: figure(usd),
        gdpLocal: figure(local),
        adults: figure(adults),
        inflation: figure(inflation),
        rate: figure(rate),
      });
    before = row;
  }
  return all;
}

const figure = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** GDP of an adult in USD: from that of Burundi to that of Monaco, with room on both sides. */
const perAdult: Rule = (of) => {
  const known = of.years.filter(({ gdpUsd, adults }) => gdpUsd !== null && adults !== null && adults > 0);
  const each = ({ gdpUsd, adults }: YearOfIndicators) => (gdpUsd ?? 0) / (adults ?? 1);
  const [first] = known;
  const typical = median(known.map(each));
  if (of.state !== '' || first === undefined || known.length < FEWEST || typical === 0) return null;
  if (typical >= LEAST_EACH && typical <= MOST_EACH) return null;
  return {
    at: first,
    lastYear: known.at(-1)?.year ?? first.year,
    country: of.country,
    column: typical > MOST_EACH ? 'adult_population' : 'gdp_usd',
    problem: `gdp_usd of ${who(of)} is ${amount(typical)} USD per adult`,
    remedy: 'check the units of both: USD, and persons; check whether columns were exchanged',
    kind: 'a gross domestic product per adult that no country has',
  };
};

/** GDP in USD is GDP in local currency times the rate of fx, except where a country has several rates. */
const converted: Rule = (of) => {
  const known = of.years.filter(
    ({ gdpUsd, gdpLocal, rate }) =>
      gdpUsd !== null && gdpUsd > 0 && gdpLocal !== null && gdpLocal > 0 && rate !== null,
  );
  const off = ({ gdpUsd, gdpLocal, rate }: YearOfIndicators) =>
    Math.log(gdpUsd ?? 1) - Math.log(gdpLocal ?? 1) - Math.log(rate ?? 1);
  const typical = median(known.map((year) => Math.abs(off(year))));
  const allowed = typical > MOST_OFF ? MOST_OFF : MOST_OFF_ONCE;
  const wrong = known.filter((year) => Math.abs(off(year)) > allowed);
  const [first] = wrong;
  if (of.state !== '' || first === undefined || (typical > MOST_OFF && known.length < FEWEST)) return null;
  const isExchanged = wrong.every(
    (year) => Math.abs(off(year) + 2 * Math.log(year.rate ?? 1)) < MOST_OFF && Math.abs(off(year)) > MOST_OFF,
  );
  return {
    at: first,
    lastYear: wrong.at(-1)?.year ?? first.year,
    country: of.country,
    column: 'gdp_usd',
    problem: `gdp_usd of ${who(of)} in ${when(wrong)} is ${amount(Math.exp(Math.abs(off(first))))} times ${off(first) > 0 ? 'more' : 'less'} than gdp_local_currency at the rate of fx`,
    remedy: isExchanged
      ? 'check whether gdp_usd and gdp_local_currency were exchanged, or the rate turned round'
      : 'check the units of both, and the rate',
    kind: 'gdp_usd disagrees with gdp_local_currency and fx',
  };
};

/** Countries whose inflation is in another unit. Fractions in all countries are reported once, when they are first loaded. */
function inflationUnits(all: readonly Indicators[]): readonly IndicatorFault[] {
  const values = all.flatMap(({ years }) => years.map(({ inflation }) => Math.abs(inflation ?? 0)));
  const areAllFractions = values.every((value) => value < 0.5);
  return areAllFractions ? [] : all.flatMap((country) => inflationUnit(country) ?? []);
}

/** Inflation that is a fraction, an index or in basis points, in all years of a country. */
const inflationUnit: Rule = (of) => {
  const known = of.years.filter(({ inflation }) => inflation !== null && inflation !== 0);
  const sizes = known.map(({ inflation }) => Math.abs(inflation ?? 0));
  const [first] = known;
  if (first === undefined || known.length < SEVERAL) return null;
  const [typical, least] = [median(sizes), Math.min(...sizes)];
  if (typical >= FRACTION && least <= INDEX) return null;
  const isLow = typical < FRACTION;
  return {
    at: first,
    lastYear: known.at(-1)?.year ?? first.year,
    country: of.country,
    column: 'inflation',
    problem: isLow
      ? `inflation of ${who(of)} is ${exact(typical)} in the median of ${count(known.length)} years, and its unit is percent: it looks like a fraction`
      : `inflation of ${who(of)} is ${exact(least)} or more in all ${count(known.length)} years, and its unit is percent: it looks like an index or like basis points`,
    remedy: 'write 3.5 for 3.5 %',
    kind: isLow ? 'inflation that looks like fractions' : 'inflation that looks like an index',
  };
};

/** Years in which the inflation of most countries is a fraction, beside years in percent. */
function fractionYears(all: readonly Indicators[]): readonly IndicatorFault[] {
  const byYear = new Map<number, { size: number; at: YearOfIndicators }[]>();
  for (const at of all.flatMap(({ years }) => years)) {
    if (at.inflation === null) continue;
    const each = byYear.get(at.year) ?? [];
    byYear.set(at.year, each);
    each.push({ size: Math.abs(at.inflation), at });
  }
  const typical = [...byYear]
    .filter(([, each]) => each.length >= SEVERAL)
    .map(([year, each]) => ({ year, at: each[0]?.at, size: median(each.map(({ size }) => size)) }));
  const most = Math.max(...typical.map(({ size }) => size));
  return typical.flatMap(({ year, at, size }) => {
    if (at === undefined || size === 0 || size >= FRACTION || most < size * FRACTIONS_APART) return [];
    const problem = `inflation is ${exact(size)} in ${year} in the median country, and up to ${exact(most)} in other years: it looks like a fraction`;
    const kind = 'inflation of a year that looks like fractions';
    return [
      { at, lastYear: year, country: '', column: 'inflation', problem, remedy: 'write 3.5 for 3.5 %', kind },
    ];
  });
}

/** One year far from those beside it, or a unit that changes. */
const steps: readonly Rule[] = (
  [
    ['adult_population', 'adults', 2, 2],
    ['gdp_usd', 'gdpUsd', 5, 5],
    // Prices rise a hundredfold in a year of hyperinflation.
    ['gdp_local_currency', 'gdpLocal', 500, 5],
  ] as const
).map(
  ([column, name, mostUp, mostDown]): Rule =>
    (of) => {
      const known = of.years.filter((year) => (year[name] ?? 0) > 0);
      for (const [i, at] of known.entries()) {
        const before = known[i - 1];
        if (before === undefined || at.year - before.year > 1) continue;
        const [value, earlier] = [at[name] ?? 0, before[name] ?? 0];
        if (value <= earlier * mostUp && value >= earlier / mostDown) continue;
        const size = Math.abs(Math.log10(value / earlier));
        const isThousandfold = Math.min(Math.abs(size - 3), Math.abs(size - 6)) < 0.3;
        return {
          at,
          lastYear: at.year,
          country: of.country,
          column,
          toldOfSeries: isThousandfold && known.length >= FEWEST && column !== 'gdp_local_currency',
          problem: `${column} of ${who(of)} is ${amount(value)} in ${at.year}, and ${amount(earlier)} in ${before.year}`,
          remedy: 'check the unit of the figure',
          kind: `${column} moves from one year to the next as no country's does`,
        };
      }
      return null;
    },
);

/** A single year of inflation far above those beside it: a decimal point is missing. */
const inflationSpike: Rule = (of) => {
  const known = of.years.filter(({ inflation }) => inflation !== null);
  for (const [i, at] of known.entries()) {
    const beside = [known[i - 1], known[i + 1]].flatMap((year) => year?.inflation ?? []);
    const usual = Math.max(1, ...beside.map(Math.abs));
    if (beside.length === 0 || Math.abs(at.inflation ?? 0) < Math.max(usual * SPIKE, INDEX)) continue;
    return {
      at,
      lastYear: at.year,
      country: of.country,
      column: 'inflation',
      problem: `inflation of ${who(of)} is ${exact(at.inflation)} in ${at.year}, and at most ${exact(usual)} in the years beside it`,
      remedy: 'check the decimal point: 3.5 is 3.5 %',
      kind: 'inflation of one year is far from those beside it',
    };
  }
  return null;
};

const RULES: readonly Rule[] = [perAdult, converted, inflationSpike, ...steps];

/** Fewer years do not tell what is usual. */
const FEWEST = 4;
const SEVERAL = 5;

const LEAST_EACH = 150;
const MOST_EACH = 500_000;

/** Differences of logarithms. Countries with several rates differ by up to three times in most years, and by more in some. */
const MOST_OFF = Math.log(3);
const MOST_OFF_ONCE = Math.log(30);

/** The median of a country's inflation is above 0.12 % over five years, and that of countries in any year; as fractions it is below 12 %. */
const FRACTION = 0.12;
const FRACTIONS_APART = 20;
/** No country had more in each of five years since 2000, except in hyperinflation. */
const INDEX = 50;
const SPIKE = 30;

const who = ({ country, state }: Indicators): string => (state === '' ? country : `${state}, ${country},`);

const when = (years: readonly YearOfIndicators[]): string => spans(years.map(({ year }) => year));
