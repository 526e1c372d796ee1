// Warns of markets that sums leave out, because they lack a currency of the country's other markets or are of states alone.

import { getOrInsert } from '../../../src/basics/maps.ts';
import type { DatasetName } from '../../../src/catalog/datasets.ts';
import { partOf, yearSpans } from '../../messages/numbers.ts';
import type { SqlCheckInput } from '../checkInput.ts';
import { placeOfCellAt } from '../stagedPlaces.ts';
import { type StagedRows, sizesOf } from '../stagedRows.ts';
import { type LackingMarkets, lackingCurrencies, lackingNations } from './lackingMarkets.ts';

/** Markets in a year, by the number of their group of rows. */
type MarketYears = Set<number>;

type Checked = Pick<SqlCheckInput, 'staging' | 'problems' | 'rowsInMemory' | 'usedValues'>;

/** Reports markets that sums in one currency, or sums of whole countries, leave out. */
export async function checkLeftOutMarkets(input: Checked, dataset: DatasetName): Promise<void> {
  const rows = input.rowsInMemory.get(dataset);
  if (rows === undefined) return checkLarge(input, dataset);
  checkCurrencies(input, dataset, rows);
  if (rows.numbered('state').count > 1) checkNations(input, dataset, rows);
}

/** The same for a dataset whose rows are not in memory. */
async function checkLarge({ staging, problems, usedValues }: Checked, dataset: DatasetName): Promise<void> {
  for (const { country, currency, product, ...lacking } of await lackingCurrencies(staging, dataset))
    warnOfCurrency({ staging, problems, dataset, country, currency, product, lacking });
  if (usedValues.in(dataset, 'state').length < 2) return;
  for (const { country, product, ...lacking } of await lackingNations(staging, dataset))
    warnOfNation({ staging, problems, dataset, country, product, lacking });
}

/**
 * Reports markets without figures in a currency in years in which more than half of the country's markets have some. Whole
 * countries and their states are compared apart, because states are often in one currency alone.
 */
function checkCurrencies({ staging, problems }: Checked, dataset: DatasetName, rows: StagedRows): void {
  const markets = marketYears(rows, ['region', 'temporal', 'fx']);
  const [countries, states, currencies] = [
    rows.dimension('country'),
    rows.dimension('state'),
    rows.dimension('fx'),
  ];
  const noState = staging.code('');
  const levels = new Map<number, { all: MarketYears; having: Map<number, MarketYears> }>();
  for (let row = 0; row < rows.count; row += 1) {
    const name = 2 * (countries[row] as number) + (states[row] === noState ? 1 : 0);
    const { all, having } = getOrInsert(levels, name, () => ({ all: new Set<number>(), having: new Map() }));
    const market = markets.numbers[row] as number;
    all.add(market);
    getOrInsert(having, currencies[row] as number, () => new Set<number>()).add(market);
  }
  for (const { all, having } of levels.values())
    for (const [code, found] of having) {
      const lacking = lackingOf(rows, markets, all, found);
      if (lacking === null) continue;
      const [country, currency] = [staging.text(countries[lacking.row]), staging.text(code)];
      const product = staging.text(rows.dimension('product')[lacking.row]);
      warnOfCurrency({ staging, problems, dataset, country, currency, product, lacking });
    }
}

interface Warning extends Pick<Checked, 'staging' | 'problems'> {
  readonly dataset: DatasetName;
  readonly country: string;
  readonly product: string;
  readonly lacking: LackingMarkets;
}

function warnOfCurrency(warning: Warning & { readonly currency: string }): void {
  const { staging, problems, dataset, country, currency, product, lacking } = warning;
  problems.add('warning', placeOfCellAt(staging, lacking.place, 'fx'), {
    problem: `${dataset} of ${country} has no rows in ${currency} for ${exampleOf(lacking, product)}`,
    remedy: `add them, because sums in ${currency} leave them out`,
    kind: `${dataset} of a market without a currency of the others`,
    country,
  });
}

/**
 * Reports markets of states without rows of the whole country, in years in which the whole country has rows of more than
 * half of the markets of its states.
 */
function checkNations({ staging, problems }: Checked, dataset: DatasetName, rows: StagedRows): void {
  const markets = marketYears(rows, ['region', 'temporal', 'fx', 'state']);
  const [countries, states] = [rows.dimension('country'), rows.dimension('state')];
  const noState = staging.code('');
  const byCountry = new Map<number, { ofStates: MarketYears; ofNation: MarketYears }>();
  for (let row = 0; row < rows.count; row += 1) {
    const { ofStates, ofNation } = getOrInsert(byCountry, countries[row] as number, () => ({
      ofStates: new Set<number>(),
      ofNation: new Set<number>(),
    }));
    (states[row] === noState ? ofNation : ofStates).add(markets.numbers[row] as number);
  }
  for (const { ofStates, ofNation } of byCountry.values()) {
    const lacking = lackingOf(rows, markets, ofStates, ofNation);
    if (lacking === null) continue;
    const country = staging.text(countries[lacking.row]);
    const product = staging.text(rows.dimension('product')[lacking.row]);
    warnOfNation({ staging, problems, dataset, country, product, lacking });
  }
}

function warnOfNation({ staging, problems, dataset, country, product, lacking }: Warning): void {
  problems.add('warning', placeOfCellAt(staging, lacking.place, 'state'), {
    problem: `${dataset} of ${country} has rows of states alone for ${exampleOf(lacking, product)}`,
    remedy: 'add the rows of the whole country, because sums of whole countries leave them out',
    kind: `${dataset} of a market of states alone`,
    country,
  });
}

interface Markets {
  /** The group of each row. */
  readonly numbers: Int32Array;
  /** The first row of each group. */
  readonly first: Int32Array;
  readonly years: Int32Array;
}

function marketYears(rows: StagedRows, dropped: Parameters<StagedRows['groupsWithout']>[0]): Markets {
  const groups = rows.groupsWithout(dropped);
  return { numbers: groups.numbers, first: sizesOf(groups).first, years: rows.dimension('year') };
}

interface Lacking extends LackingMarkets {
  /** The first row of the first market that lacks something. */
  readonly row: number;
}

/**
 * The markets of `all` that are not in `having`, in the years that `having` has. Null if none is missing, or half of them
 * or more: then it is usual.
 */
function lackingOf(
  rows: StagedRows,
  { first, years }: Markets,
  all: MarketYears,
  having: MarketYears,
): Lacking | null {
  const yearOf = (market: number) => years[first[market] as number] as number;
  const known = new Set([...having].map(yearOf));
  const compared = [...all].filter((market) => known.has(yearOf(market)));
  const lacking = compared.filter((market) => !having.has(market));
  const [one] = lacking;
  if (one === undefined || 2 * lacking.length >= compared.length) return null;
  const row = first[one] as number;
  return {
    row,
    place: rows.placeOf(row),
    lacking: lacking.length,
    all: compared.length,
    years: lacking.map(yearOf),
  };
}

/** How many figures are left out: `5 of 40 figures, such as Keno, in 2019–2023`. */
const exampleOf = ({ lacking, all, years }: LackingMarkets, product: string): string =>
  `${partOf(lacking, all, 'figure')}, such as ${product}, in ${yearSpans(years)}`;
