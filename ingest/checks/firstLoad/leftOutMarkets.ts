// Warns of markets that sums leave out, because they lack a currency of the country's other markets or are of states alone.

import { type DatasetName, datasetOf } from '../../../src/catalog/datasets.ts';
import { partOf, yearSpans } from '../../messages/numbers.ts';
import type { StagingView } from '../../staging/database/staging.ts';
import { stagingTable } from '../../staging/database/stagingTables.ts';
import type { SqlCheckInput } from '../checkInput.ts';
import { columnsWithout, PLACE_SQL, placeOfCellAt, queryStaging } from '../stagedPlaces.ts';

/** Reports markets that sums in one currency, or sums of whole countries, leave out. */
export async function checkLeftOutMarkets(
  { staging, problems, usedValues }: Pick<SqlCheckInput, 'staging' | 'problems' | 'usedValues'>,
  dataset: DatasetName,
): Promise<void> {
  for (const { currency, ...lacking } of await lackingCurrencies(staging, dataset))
    problems.add('warning', placeOfCellAt(staging, lacking.place, 'fx'), {
      problem: `${dataset} of ${lacking.country} has no rows in ${currency} for ${exampleOf(lacking)}`,
      remedy: `add them, because sums in ${currency} leave them out`,
      kind: `${dataset} of a market without a currency of the others`,
      country: lacking.country,
    });
  if (usedValues.in(dataset, 'state').length < 2) return;
  for (const lacking of await lackingNations(staging, dataset))
    problems.add('warning', placeOfCellAt(staging, lacking.place, 'state'), {
      problem: `${dataset} of ${lacking.country} has rows of states alone for ${exampleOf(lacking)}`,
      remedy: 'add the rows of the whole country, because sums of whole countries leave them out',
      kind: `${dataset} of a market of states alone`,
      country: lacking.country,
    });
}

/** How many figures are left out: `5 of 40 figures, such as Keno, in 2019–2023`. */
const exampleOf = ({ lacking, all, years, product }: LackingMarkets): string =>
  `${partOf(lacking, all, 'figure')}${product === null ? '' : `, such as ${product}`}, in ${yearSpans(years)}`;

/** Markets of a country that lack something, such as a currency, in some years. A market counts once in each year. */
interface LackingMarkets {
  readonly country: string;
  /** The product of the first market that lacks it; null if the dataset has no products. */
  readonly product: string | null;
  /** The place of the first row of this market. */
  readonly place: bigint;
  readonly lacking: number;
  /** The number of markets in all years in which at least one market has it. */
  readonly all: number;
  readonly years: readonly number[];
}

/** The markets that lack a currency. */
interface LackingCurrency extends LackingMarkets {
  readonly currency: string;
}

/** The countries of which fewer than half of the markets lack a currency, once for each currency. */
async function lackingCurrencies(
  staging: StagingView,
  dataset: DatasetName,
): Promise<readonly LackingCurrency[]> {
  const market = columnsWithout(datasetOf(dataset).dimensions, 'region', 'temporal', 'fx');
  const found = await queryStaging(
    staging,
    `WITH markets AS (
        SELECT ${market.join(', ')}, state_code = ${staging.code('')} AS of_nation,
          list(DISTINCT fx_code) AS currencies, min(${PLACE_SQL}) AS place
        FROM ${stagingTable(dataset)} GROUP BY ALL),
      used AS (
        SELECT country_code, state_code = ${staging.code('')} AS of_nation, year, fx_code AS currency_code, min(${PLACE_SQL}) AS used_at
        FROM ${stagingTable(dataset)} GROUP BY ALL),
      compared AS (
        SELECT *, NOT list_contains(currencies, currency_code) AS lacks
        FROM markets JOIN used USING (country_code, of_nation, year))
    SELECT ${lackingSql(dataset)}, currency_code
    FROM compared GROUP BY country_code, of_nation, currency_code HAVING ${IS_FEWER_SQL}
    ORDER BY min(min(used_at)) OVER (PARTITION BY country_code, of_nation), min(used_at)`,
  );
  return found.map((values) => ({
    ...lackingMarkets(staging, values),
    currency: staging.text(values.at(-1)),
  }));
}

/**
 * The countries of which fewer than half of the markets of their states lack rows of the whole country. Only years in which
 * the whole country has rows count.
 */
async function lackingNations(
  staging: StagingView,
  dataset: DatasetName,
): Promise<readonly LackingMarkets[]> {
  const market = columnsWithout(datasetOf(dataset).dimensions, 'region', 'temporal', 'fx', 'state');
  const found = await queryStaging(
    staging,
    `WITH markets AS (
        SELECT ${market.join(', ')}, bool_or(state_code = ${staging.code('')}) AS has_nation,
          bool_or(state_code <> ${staging.code('')}) AS has_states, min(${PLACE_SQL}) AS place
        FROM ${stagingTable(dataset)} GROUP BY ALL),
      known AS (
        SELECT *, bool_or(has_nation) OVER (PARTITION BY country_code, year) AS is_known, NOT has_nation AS lacks,
          min(place) OVER (PARTITION BY country_code) AS used_at
        FROM markets)
    SELECT ${lackingSql(dataset)} FROM known WHERE is_known AND has_states
    GROUP BY country_code HAVING ${IS_FEWER_SQL} ORDER BY min(used_at)`,
  );
  return found.map((values) => lackingMarkets(staging, values));
}

const lackingSql = (dataset: DatasetName): string => {
  const product = datasetOf(dataset).dimensions.includes('product')
    ? 'arg_min(product_code, place) FILTER (lacks)'
    : 'NULL';
  return `country_code, ${product}, min(place) FILTER (lacks),
      (count(*) FILTER (lacks))::INTEGER, count(*)::INTEGER, list(DISTINCT year) FILTER (lacks)`;
};

/**
 * If half of the markets or more lack a currency, or rows of the whole country, nothing is reported, because that is usual.
 */
const IS_FEWER_SQL = 'count(*) FILTER (lacks) > 0 AND 2 * count(*) FILTER (lacks) < count(*)';

const lackingMarkets = (
  staging: StagingView,
  [country, product, place, lacking, all, years]: readonly unknown[],
): LackingMarkets => ({
  country: staging.text(country),
  product: product === null ? null : staging.text(product),
  place: place as bigint,
  lacking: Number(lacking),
  all: Number(all),
  years: (years as readonly unknown[]).map(Number),
});
