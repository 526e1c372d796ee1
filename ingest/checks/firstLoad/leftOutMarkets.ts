// Warns of markets that sums leave out, because they lack a currency of the country's other markets or are of states alone.

import { getOrInsert } from '../../../src/basics/maps.ts';
import type { DatasetName, DimensionName } from '../../../src/catalog/datasets.ts';
import { partOf, yearSpans } from '../../messages/numbers.ts';
import type { StagingView } from '../../staging/database/staging.ts';
import type { SqlCheckInput } from '../checkInput.ts';
import { placeOfCellAt } from '../stagedPlaces.ts';
import { type StagedRows, sizesOf } from '../stagedRows.ts';
import {
  type LackingCurrency,
  type LackingMarkets,
  lackingCurrencies,
  lackingNations,
} from './lackingMarkets.ts';

/** Reports markets that sums in one currency, or sums of whole countries, leave out. */
export async function checkLeftOutMarkets(
  {
    staging,
    problems,
    rowsInMemory,
    usedValues,
  }: Pick<SqlCheckInput, 'staging' | 'problems' | 'rowsInMemory' | 'usedValues'>,
  dataset: DatasetName,
): Promise<void> {
  const rows = rowsInMemory.get(dataset);
  const ofCurrencies = rows ? currenciesAmong(rows, staging) : await lackingCurrencies(staging, dataset);
  for (const { currency, ...lacking } of ofCurrencies)
    problems.add('warning', placeOfCellAt(staging, lacking.place, 'fx'), {
      problem: `${dataset} of ${lacking.country} has no rows in ${currency} for ${exampleOf(lacking)}`,
      remedy: `add them, because sums in ${currency} leave them out`,
      kind: `${dataset} of a market without a currency of the others`,
      country: lacking.country,
    });
  if (usedValues.in(dataset, 'state').length < 2) return;
  const ofNations = rows ? nationsAmong(rows, staging) : await lackingNations(staging, dataset);
  for (const lacking of ofNations)
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

/** Markets in a year, by the number of their group of rows. */
type MarketYears = Set<number>;

/**
 * The markets without figures in a currency in years in which more than half of the country's markets have some. Whole
 * countries and their states are compared apart, because states are often in one currency alone.
 */
function currenciesAmong(rows: StagedRows, staging: StagingView): readonly LackingCurrency[] {
  const markets = marketYears(rows, ['region', 'temporal', 'fx']);
  const [countries, states] = [rows.dimension('country'), rows.dimension('state')];
  const currencies = rows.dimension('fx');
  const noState = staging.code('');
  const levels = new Map<number, { all: MarketYears; having: Map<number, MarketYears> }>();
  for (let row = 0; row < rows.count; row += 1) {
    const level = 2 * (countries[row] as number) + (states[row] === noState ? 1 : 0);
    const { all, having } = getOrInsert(levels, level, () => ({ all: new Set(), having: new Map() }));
    const market = markets.numbers[row] as number;
    all.add(market);
    getOrInsert(having, currencies[row] as number, () => new Set()).add(market);
  }
  return [...levels.values()].flatMap(({ all, having }) =>
    [...having].flatMap(([code, found]) => {
      const lacking = lackingAmong(markets, { all, having: found }, staging);
      return lacking === null ? [] : [{ ...lacking, currency: staging.text(code) }];
    }),
  );
}

/**
 * The markets of states without rows of the whole country, in years in which the whole country has rows of more than half
 * of the markets of its states.
 */
function nationsAmong(rows: StagedRows, staging: StagingView): readonly LackingMarkets[] {
  const markets = marketYears(rows, ['region', 'temporal', 'fx', 'state']);
  const [countries, states] = [rows.dimension('country'), rows.dimension('state')];
  const noState = staging.code('');
  const byCountry = new Map<number, { ofStates: MarketYears; ofNation: MarketYears }>();
  for (let row = 0; row < rows.count; row += 1) {
    const country = countries[row] as number;
    const found = getOrInsert(byCountry, country, () => ({ ofStates: new Set(), ofNation: new Set() }));
    found[states[row] === noState ? 'ofNation' : 'ofStates'].add(markets.numbers[row] as number);
  }
  return [...byCountry.values()].flatMap(
    ({ ofStates, ofNation }) => lackingAmong(markets, { all: ofStates, having: ofNation }, staging) ?? [],
  );
}

interface Markets {
  readonly rows: StagedRows;
  /** The group of each row. */
  readonly numbers: Int32Array;
  /** The first row of each group. */
  readonly first: Int32Array;
}

function marketYears(rows: StagedRows, dropped: readonly DimensionName[]): Markets {
  const groups = rows.groupsWithout(dropped);
  return { rows, numbers: groups.numbers, first: sizesOf(groups).first };
}

/**
 * The markets of `all` that are not in `having`, in the years that `having` has. Null if none is missing, or half of them
 * or more: then it is usual.
 */
function lackingAmong(
  { rows, first }: Markets,
  { all, having }: { readonly all: MarketYears; readonly having: MarketYears },
  staging: StagingView,
): LackingMarkets | null {
  const years = rows.dimension('year');
  const yearOf = (market: number) => years[first[market] as number] as number;
  const known = new Set([...having].map(yearOf));
  const compared = [...all].filter((market) => known.has(yearOf(market)));
  const lacking = compared.filter((market) => !having.has(market));
  const [one] = lacking;
  if (one === undefined || 2 * lacking.length >= compared.length) return null;
  const row = first[one] as number;
  return {
    country: staging.text(rows.dimension('country')[row]),
    product: rows.has('product') ? staging.text(rows.dimension('product')[row]) : null,
    place: rows.placeOf(row),
    lacking: lacking.length,
    all: compared.length,
    years: lacking.map(yearOf),
  };
}
