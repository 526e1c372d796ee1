// Warns of figures in two currencies whose ratio disagrees with fx: wrong units, exchanged labels, shifted years.
//
// `marketRates.ts` compares the ratios of the markets of a country with each other.

import { getOrInsert } from '../../../src/basics/maps.ts';
import { lowerMedian } from '../../../src/basics/medians.ts';
import { type DatasetName, datasetOf, metricNames } from '../../../src/catalog/datasets.ts';
import type { Diagnostic } from '../../messages/fault.ts';
import { amountText } from '../../messages/numbers.ts';
import type { StagingView } from '../../staging/database/staging.ts';
import { stagingTable } from '../../staging/database/stagingTables.ts';
import type { SqlCheckInput } from '../checkInput.ts';
import { columnsWithout, figureOrNull, PLACE_SQL, placeOfCellAt, queryStaging } from '../stagedPlaces.ts';
import { yearsText } from '../yearFaults.ts';

/** Warns of figures that also exist in USD and disagree with the rates of fx, once for each country and kind of fault. */
export async function checkImpliedRates(
  { staging, problems }: SqlCheckInput,
  dataset: DatasetName,
): Promise<void> {
  const [metric = ''] = metricNames(dataset);
  const rates = await ratesOf(staging);
  const all = await ratiosOf(staging, dataset, metric);
  const compared = all.flatMap((series) => comparedWith(series, metric, rates) ?? []);
  const least = mostAgree(compared) ? DISTANCE_FROM_MOST : FAR_DISTANCE;
  const reported = new Set<string>();
  for (const series of compared) {
    const fault = faultOf(series, all, least);
    if (fault === null) continue;
    const { at, ...diagnostic } = fault;
    const { country } = series;
    // Shifted years affect every currency of a country, so a kind of fault is reported once for each country.
    const name = JSON.stringify([country, fault.kind]);
    if (reported.has(name)) continue;
    reported.add(name);
    problems.add('warning', placeOfCellAt(staging, at.place, metric), { ...diagnostic, country });
  }
}

/** The value of one unit of a currency in USD in a year, in current and in constant terms. */
interface Rate {
  readonly current: number | null;
  readonly constant: number | null;
}

type Rates = ReadonlyMap<string, ReadonlyMap<number, Rate>>;

/** The ratios of a country's figures in USD to the same figures in another currency. */
interface Series {
  readonly country: string;
  readonly fx: string;
  readonly ratios: readonly Ratio[];
}

interface Ratio {
  readonly year: number;
  /** The USD for one unit of the currency: the median over the facts of the year. */
  readonly usd: number;
  readonly facts: number;
  readonly place: bigint;
}

interface RatioFault extends Diagnostic {
  readonly kind: string;
  /** The first wrong ratio. */
  readonly at: Ratio;
}

async function ratesOf(staging: StagingView): Promise<Rates> {
  const rates = new Map<string, Map<number, Rate>>();
  const found = await queryStaging(
    staging,
    `WITH known AS (SELECT fx_local_currency_code AS currency_code, year, median(fx_current_usd) AS current_usd,
        median(fx_constant_usd) AS constant_usd FROM ${stagingTable('fx')} GROUP BY ALL)
    SELECT currency_code, year, current_usd, constant_usd FROM known`,
  );
  for (const [code, year, current, constant] of found) {
    const fx = staging.text(code);
    const years = getOrInsert(rates, fx, () => new Map<number, Rate>());
    years.set(Number(year), {
      current: figureOrNull(current),
      constant: figureOrNull(constant),
    });
  }
  return rates;
}

async function ratiosOf(
  staging: StagingView,
  dataset: DatasetName,
  metric: string,
): Promise<readonly Series[]> {
  const key = columnsWithout(datasetOf(dataset).dimensions, 'fx').join(', ');
  const found = await queryStaging(
    staging,
    `WITH in_usd AS (SELECT ${key}, ${metric} AS usd FROM ${stagingTable(dataset)}
        WHERE fx_code = ${staging.code('USD')} AND ${metric} <> 0),
      yearly AS (SELECT country_code, fx_code, year, median(usd / ${metric}) AS ratio, count(*)::INTEGER AS n, min(${PLACE_SQL}) AS place
        FROM ${stagingTable(dataset)} JOIN in_usd USING (${key})
        WHERE fx_code <> ${staging.code('USD')} AND ${metric} <> 0 GROUP BY country_code, fx_code, year)
    SELECT country_code, fx_code, year, ratio, n, place
    FROM yearly ORDER BY min(place) OVER (PARTITION BY country_code, fx_code), country_code, fx_code, year`,
  );
  const all = new Map<string, { country: string; fx: string; ratios: Ratio[] }>();
  for (const [countryCode, code, year, usd, facts, place] of found) {
    const [country, fx] = [staging.text(countryCode), staging.text(code)];
    const name = JSON.stringify([country, fx]);
    const series = getOrInsert(all, name, () => ({ country, fx, ratios: [] }));
    const ratio = { year: Number(year), usd: Number(usd), facts: Number(facts), place: place as bigint };
    series.ratios.push(ratio);
  }
  return [...all.values()];
}

interface SeriesWithRates extends Series {
  readonly metric: string;
  readonly rates: ReadonlyMap<number, Rate>;
  /**
   * The rate of any currency in a year, null where fx has none. It is the current or the constant rate: the terms in which
   * this series was converted.
   */
  readonly rateOf: (currency: string, year: number) => number | null;
  readonly withRate: readonly Ratio[];
  /** The ratios of `withRate` that differ noticeably from the rate. */
  readonly off: readonly Ratio[];
}

/** A series, and the rates that it is compared with; null where fx has no rates of its currency. */
function comparedWith(series: Series, metric: string, rates: Rates): SeriesWithRates | null {
  const { fx, ratios } = series;
  const ratesOfCurrency = rates.get(fx);
  if (ratesOfCurrency === undefined) return null;
  const terms = termsOf(ratios, ratesOfCurrency);
  const rateOf = (currency: string, year: number) => rates.get(currency)?.get(year)?.[terms] ?? null;
  const withRate = ratios.filter(({ year }) => rateOf(fx, year) !== null);
  const off = withRate.filter(({ year, usd }) => distance(usd, rateOf(fx, year)) > NOTICEABLE_DISTANCE);
  return { ...series, metric, rates: ratesOfCurrency, rateOf, withRate, off };
}

/** Whether most series agree with the rates of fx. Then a series that differs from them is wrong. */
function mostAgree(all: readonly SeriesWithRates[]): boolean {
  const withRates = all.filter(({ withRate }) => withRate.length > 0);
  const agreeing = withRates.filter(({ off }) => off.length === 0);
  return withRates.length >= FEWEST_SERIES && agreeing.length >= MAJORITY_SHARE * withRates.length;
}

/** With fewer series, it is unknown whether most agree with the rates of fx. */
const FEWEST_SERIES = 10;
const MAJORITY_SHARE = 0.8;

/**
 * The first explanation that fits a series whose ratios differ from the rates; null when there is nothing to report. Ratios
 * without an explanation are reported from the distance `least` on.
 */
function faultOf(compared: SeriesWithRates, all: readonly Series[], least: number): RatioFault | null {
  const { off, withRate } = compared;
  const facts = off.reduce((sum, ratio) => sum + ratio.facts, 0);
  const isMost = off.length * 2 >= withRate.length && off.length > 0 && facts > 2;
  const explained = isMost
    ? (exchangedWithUsd(compared) ?? otherCurrency(compared, all) ?? otherYears(compared))
    : null;
  return explained ?? farFromRates(compared, least);
}

const fits = ({ off }: SeriesWithRates, test: (ratio: Ratio) => boolean): boolean =>
  off.filter(test).length >= 0.8 * off.length;

function exchangedWithUsd(compared: SeriesWithRates): RatioFault | null {
  const { country, fx, metric, rateOf, off } = compared;
  const [at] = off;
  const isInverse = ({ year, usd }: Ratio) => distance(1 / usd, rateOf(fx, year)) < FITTING_DISTANCE;
  if (at === undefined || !fits(compared, isInverse)) return null;
  return {
    at,
    problem: `${metric} of ${country} in ${fx} and in USD have the inverse of the rate of fx, in ${yearsText(off)}`,
    remedy: `exchange the labels ${fx} and USD`,
    kind: `${metric} with exchanged currencies`,
  };
}

function otherCurrency(compared: SeriesWithRates, all: readonly Series[]): RatioFault | null {
  const { country, fx, metric, rateOf, off } = compared;
  const label = all
    .filter((other) => other.country === country && other.fx !== fx)
    .map((other) => other.fx)
    .find((other) =>
      fits(compared, ({ year, usd }) => distance(usd, rateOf(other, year)) < FITTING_DISTANCE),
    );
  const [at] = off;
  if (at === undefined || off.length < 2 || label === undefined) return null;
  return {
    at,
    problem: `${metric} of ${country} in ${fx} has the rate that fx gives for ${label}, in ${yearsText(off)}`,
    remedy: 'check the currencies of the rows',
    kind: `${metric} with exchanged currencies`,
  };
}

function otherYears({ country, fx, metric, rates, off }: SeriesWithRates): RatioFault | null {
  const yearWithRate = (usd: number) =>
    [...rates].find(([, { current }]) => distance(usd, current) < EXACT_DISTANCE)?.[0];
  const inOtherYears = off.filter(({ usd }) => yearWithRate(usd) !== undefined);
  const [at] = inOtherYears;
  // Not all ratios need to match, because the rates of years before the first year of fx are unknown.
  if (at === undefined || inOtherYears.length < Math.max(2, 0.7 * off.length)) return null;
  return {
    at,
    problem: `${metric} of ${country} in ${fx} and in USD have the rates of other years: ${at.year} has that of ${yearWithRate(at.usd)}`,
    remedy: 'check the labels of the years, here and in fx',
    kind: `${metric} with the rates of other years`,
  };
}

function farFromRates(
  { country, fx, metric, rateOf, withRate }: SeriesWithRates,
  least: number,
): RatioFault | null {
  // One small figure may be far from the rate because it is rounded.
  const farYears = withRate.filter(({ year, usd, facts }) => {
    const far = distance(usd, rateOf(fx, year));
    return far > FAR_DISTANCE || (far > least && facts > 1);
  });
  const [at] = farYears;
  if (at === undefined) return null;
  const factor = lowerMedian(farYears.map(({ year, usd }) => usd / (rateOf(fx, year) ?? usd)));
  const inYears = farYears.length === withRate.length ? '' : ` in ${yearsText(farYears)}`;
  return {
    at,
    problem: `${metric} of ${country} in ${fx} and in USD differ from the rates of fx by a factor of ${amountText(Math.max(factor, 1 / factor))}${inYears}`,
    remedy: 'check the currency of the rows, their unit and the rate',
    kind: `${metric} disagrees with the rates of fx`,
  };
}

/**
 * A ratio at a larger distance differs noticeably from its rate, because rounding causes a smaller distance. All distances
 * are differences of logarithms.
 */
const NOTICEABLE_DISTANCE = 0.004;

/** The largest distance at which a ratio fits a rate that is written with two decimals. */
const FITTING_DISTANCE = 0.003;

/** A ratio that is closer than this to the rate of a year was certainly computed with that rate. */
const EXACT_DISTANCE = 0.0005;

/** The distance from which on ratios are reported even without an explanation. */
const FAR_DISTANCE = Math.log(3);

/** The distance from which on ratios are reported if most series agree with the rates. */
const DISTANCE_FROM_MOST = Math.log(1.02);

/** The terms of the rates with which figures were converted: those that agree with more years. */
function termsOf(ratios: readonly Ratio[], rates: ReadonlyMap<number, Rate>): keyof Rate {
  const agreeing = (terms: keyof Rate) =>
    ratios.filter(({ year, usd }) => distance(usd, rates.get(year)?.[terms] ?? null) <= NOTICEABLE_DISTANCE)
      .length;
  return agreeing('constant') > agreeing('current') ? 'constant' : 'current';
}

/** The distance of a ratio from a rate, as a difference of logarithms; infinite without a rate. */
const distance = (usd: number, rate: number | null): number =>
  rate === null || rate <= 0 || usd <= 0 ? Number.POSITIVE_INFINITY : Math.abs(Math.log(usd / rate));
