// A small market, and the contract's tables to judge answers by. They are taken from the contract, not from the code.

import { expect } from '@jest/globals';
import { aRow, type Row, type Rows } from '../support/snapshot.ts';
import { type Answer, ask } from './wire.ts';

export type Financial = 'ggr' | 'turnover' | 'fx' | 'country';

const MARKET = 'year region country state category product channel sub_channel fx temporal'.split(' ');

/** The datasets of contract §2.3, word for word. */
export const DATASETS: Readonly<
  Record<Financial, { readonly values: readonly string[]; readonly dimensions: readonly string[] }>
> = {
  ggr: { values: ['ggr'], dimensions: MARKET },
  turnover: { values: ['turnover'], dimensions: MARKET },
  fx: {
    values: ['fx_constant_usd', 'fx_current_eur', 'fx_constant_eur', 'fx_current_usd'],
    dimensions: ['year', 'region', 'country', 'state', 'fx_local_currency', 'temporal', 'calculation'],
  },
  country: {
    values: ['gdp_local_currency', 'gdp_usd', 'adult_population', 'inflation'],
    dimensions: ['year', 'region', 'country', 'state', 'temporal', 'calculation'],
  },
};

export const FINANCIAL = Object.keys(DATASETS) as readonly Financial[];

/** The order of rows in ruling 13, word for word. */
const ROW_ORDER =
  'country state category product channel sub_channel fx fx_local_currency temporal calculation year region'.split(
    ' ',
  );

const PLACES: readonly Row[] = [
  { country: 'Malta', region: 'Europe', fx: 'EUR', fx_local_currency: 'EUR' },
  { country: 'Spain', region: 'Europe', fx: 'EUR', fx_local_currency: 'EUR' },
  { country: 'Zambia', region: 'Africa', fx: 'ZMW', fx_local_currency: 'ZMW' },
  { country: 'Åland', region: 'Europe', fx: 'EUR', fx_local_currency: 'EUR' },
  { country: 'Türkiye', region: 'Europe', fx: 'TRY', fx_local_currency: 'TRY' },
  { country: "Côte d'Ivoire", region: 'Africa', fx: 'XOF', fx_local_currency: 'XOF' },
  { country: 'Congo, Democratic Republic of', region: 'Africa', fx: 'CDF', fx_local_currency: 'CDF' },
  { country: 'United States', region: 'North America', fx: 'USD', fx_local_currency: 'USD' },
  { country: 'United States', region: 'North America', state: 'Nevada', fx: 'USD', fx_local_currency: 'USD' },
  {
    country: 'United States',
    region: 'North America',
    state: 'Washington, D.C.',
    fx: 'USD',
    fx_local_currency: 'USD',
  },
];

const GAMES: readonly Row[] = [
  { category: 'Betting', product: 'Sport Betting', channel: 'Online', sub_channel: 'Onshore' },
  { category: 'Betting', product: 'Sport Betting', channel: 'Online', sub_channel: 'Offshore' },
  { category: 'Gaming', product: 'Casino Slots', channel: 'Land', sub_channel: 'Venue' },
  { category: 'Lottery', product: 'Draw Games', channel: 'Land', sub_channel: 'Retail' },
];

const YEARS: readonly Row[] = [
  { year: 2019, temporal: 'Current', calculation: 'Reported' },
  { year: 2020, temporal: 'Current', calculation: 'Calculated' },
  { year: 2021, temporal: 'Current', calculation: 'Reported' },
  { year: 2026, temporal: 'Forecast', calculation: 'Estimated' },
];

const everyOne = (...lists: readonly (readonly Row[])[]): readonly Row[] =>
  lists.reduce((made, list) => made.flatMap((row) => list.map((more) => ({ ...row, ...more }))), [{}]);

/** Gives every row numbers of its own, so that no row can be mistaken for another. */
const numbered = (dataset: Financial, rows: readonly Row[]): readonly Row[] =>
  rows.map((row, i) => {
    const values = DATASETS[dataset].values.map((name, j) => [name, (i + 1) * 10 + j + 0.25] as const);
    const known = DATASETS[dataset].dimensions.map((name) => [name, row[name] ?? ''] as const);
    return aRow(dataset, { ...Object.fromEntries(known), ...Object.fromEntries(values) });
  });

/** 160 rows of ggr, 120 of turnover, 40 of fx and of country, 8 countries. */
export const WORLD = {
  ggr: numbered('ggr', everyOne(PLACES, GAMES, YEARS)),
  turnover: numbered('turnover', everyOne(PLACES, GAMES.slice(0, 3), YEARS)),
  fx: numbered('fx', everyOne(PLACES, YEARS)),
  country: numbered('country', everyOne(PLACES, YEARS)),
  country_reference: PLACES.filter(({ state }) => state === undefined).map(({ country, region }, i) => ({
    region: region ?? '',
    country: country ?? '',
    country_type: i === 2 ? 'Amalgamated' : 'Tracked',
  })),
} satisfies Rows;

export interface Page<R = FinancialRow> {
  readonly meta: {
    readonly dataset: string;
    readonly metric?: string;
    readonly filters_applied: Readonly<Record<string, readonly string[]>>;
    readonly row_count: number;
  };
  readonly data: readonly R[];
  readonly pagination: { readonly cursor: string | null; readonly has_more: boolean };
}

export interface FinancialRow {
  readonly dimensions: Readonly<Record<string, string | number>>;
  readonly values: Readonly<Record<string, number | null>>;
}

/** The rows as contract §2.2 shapes them, in the order of ruling 13. */
export function answered(dataset: Financial, rows: readonly Row[]): readonly FinancialRow[] {
  const pick = (row: Row, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, row[name] ?? null]));
  return inOrder(rows).map((row) => ({
    dimensions: pick(row, DATASETS[dataset].dimensions) as FinancialRow['dimensions'],
    values: pick(row, DATASETS[dataset].values) as FinancialRow['values'],
  }));
}

export const inOrder = <R extends Row>(rows: readonly R[]): readonly R[] =>
  [...rows].sort(
    (a, b) => ROW_ORDER.map((name) => compare(a[name], b[name])).find((sign) => sign !== 0) ?? 0,
  );

function compare(a: string | number | null = null, b: string | number | null = null): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [a, b].map((text) =>
    Array.from(String(text), (character) => character.codePointAt(0) ?? 0),
  );
  for (const [i, point] of (left ?? []).entries()) {
    const other = right?.[i];
    if (other === undefined || point !== other) return point - (other ?? -1);
  }
  return (left?.length ?? 0) - (right?.length ?? 0);
}

/** The page of a 200. Any other answer fails the test and is shown. */
export function pageOf<R = FinancialRow>(answer: Answer): Page<R> {
  expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: expect.any(String) });
  return answer.json as Page<R>;
}

/** Every row, page by page, as contract §4.1 rule 3 says. */
export async function walk<R = FinancialRow>(url: string, path: string): Promise<R[]> {
  const rows: R[] = [];
  for (let cursor: string | null = '', pages = 0; cursor !== null; pages++) {
    expect(pages).toBeLessThan(1000);
    const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { data, pagination } = pageOf<R>(await ask(url, `${path}${more}`));
    rows.push(...data);
    expect(pagination.has_more).toBe(pagination.cursor !== null);
    cursor = pagination.cursor;
  }
  return rows;
}

/** A query string of these parameters; an array repeats its name. */
export const query = (parameters: Readonly<Record<string, string | number | readonly string[]>>): string =>
  Object.entries(parameters)
    .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((one) => [name, one] as const))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
