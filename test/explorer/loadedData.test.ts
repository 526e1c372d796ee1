// The explorer asks the API of a real server, and makes charts, pages and comparisons of the answers, without a browser.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient, type RequestContext } from '../../src/explorer/api/client.ts';
import { compareSnapshots } from '../../src/explorer/api/compareSnapshots.ts';
import { type Failure, isFailure } from '../../src/explorer/api/failure.ts';
import { loadChart } from '../../src/explorer/api/loadChart.ts';
import { loadCountedSelection } from '../../src/explorer/api/loadCountedSelection.ts';
import { loadEntity } from '../../src/explorer/api/loadEntity.ts';
import { loadFacts } from '../../src/explorer/api/loadFacts.ts';
import { type ChartData, shareOfCountry } from '../../src/explorer/model/chartData.ts';
import { datasetNamed, type Facts } from '../../src/explorer/model/facts.ts';
import { DEFAULT_QUESTION, type Question } from '../../src/explorer/model/question.ts';
import { type Selection, selectionFor, withoutDefault } from '../../src/explorer/model/selection.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { aDataDir, aRow, countryReference, publishRows, type Row } from '../support/snapshot.ts';

const COUNTRIES = Array.from({ length: 11 }, (_, i) => `Country ${String.fromCharCode(65 + i)}`);

const ofGgr = (row: Row) => aRow('ggr', { fx: 'USD', state: '', temporal: 'Current', ...row });

/** In 2024, Country A has the largest figure and Country K the smallest. */
const IN_2024 = COUNTRIES.map((country, i) => ofGgr({ country, year: 2024, ggr: 1100 - 100 * i }));

/** From 2010 to 2017, one country and two countries have rows in turn, so the coverage changes in each of seven years. */
const CHANGING = Array.from({ length: 8 }, (_, i) =>
  COUNTRIES.slice(0, 1 + (i % 2)).map((country) =>
    ofGgr({ country, year: 2010 + i, ggr: 1000, product: 'Keno' }),
  ),
).flat();

/** A state of a country whose own figure is a loss. */
const LOSS = ['', 'North'].map((state) =>
  ofGgr({ country: 'Country A', state, year: 2023, product: 'Bingo', ggr: state === '' ? -50 : 100 }),
);

/** More products than a chart draws. The largest is called `Other`, as the sum of those that are not drawn is. */
const PRODUCTS = ['Other', 'Keno', ...COUNTRIES].map((product, i) =>
  ofGgr({ country: 'Country L', fx: 'EUR', year: 2024, product, ggr: 50 - i }),
);

const INDICATORS = [2023, 2024].map((year) =>
  aRow('country', { country: 'Country A', year, gdp_usd: 5, adult_population: 7, inflation: 2 }),
);

let server: TestServer;
let remove: () => Promise<void>;
let facts: Facts;
let context: RequestContext;
beforeAll(async () => {
  const made = await aDataDir();
  ({ remove } = made);
  const rows = {
    country_reference: countryReference([...COUNTRIES, 'Country L']),
    ggr: [...IN_2024, ...CHANGING, ...LOSS, ...PRODUCTS],
  };
  await publishRows(made.dataDir, '2026-10.1', { ...rows, country: INDICATORS });
  const revised = INDICATORS.map((row) => ({ ...row, [row.year === 2024 ? 'gdp_usd' : 'inflation']: 9 }));
  await publishRows(made.dataDir, '2026-11.1', { ...rows, country: revised });
  server = await startServer({ dataDir: made.dataDir });
  const client = createClient({ root: `${server.url}/`, key: '', onRequestsLeft() {}, onKeyRefused() {} });
  const { signal } = new AbortController();
  facts = expectOk(await loadFacts(client, signal));
  context = { ask: client.ask, snapshot: '2026-11.1', signal };
});
afterAll(async () => {
  await server.close();
  await remove();
});

/** The answer itself. Throws a failure. */
function expectOk<Value extends object>(value: Value): Exclude<Value, Failure> {
  if (isFailure(value)) throw new Error(JSON.stringify(value));
  return value as Exclude<Value, Failure>;
}

async function counted(changes: Partial<Question>) {
  const question = { ...DEFAULT_QUESTION, ...changes };
  const dataset = datasetNamed(facts, question.dataset);
  if (dataset === undefined) throw new Error(`no dataset ${question.dataset}`);
  return expectOk(await loadCountedSelection(question, dataset, context));
}

async function chartOf(changes: Partial<Question>): Promise<ChartData> {
  const answer = expectOk(await loadChart(await counted(changes), context));
  if (!('data' in answer)) throw new Error(`no chart: ${answer.kind}`);
  return answer.data;
}

describe('a question', () => {
  const selected = async (changes: Partial<Question>): Promise<Selection> =>
    (await counted(changes)).selection;

  it('is divided by states where several are chosen', async () => {
    const states = { country: ['Country A'], state: ['', 'North'] };
    expect((await selected({ filters: states })).by).toBe('state');
    expect((await selected({ filters: { ...states, state: ['North'] } })).by).toBe('product');
  });

  it('that begins after the last year of the data has no period turned round', async () => {
    expect((await selected({ firstYear: 2025 })).period).toEqual({ first: 2025, last: 2025 });
    expect((await selected({ firstYear: 2012 })).period).toEqual({ first: 2012, last: 2024 });
  });

  it('about rates in a region is not answered with the one well-known country there', () => {
    const dataset = datasetNamed(facts, 'country');
    if (dataset === undefined) throw new Error('no dataset country');
    const question = { ...DEFAULT_QUESTION, dataset: 'country', metric: 'inflation' };
    const countriesOf = (...names: string[]) => {
      const country = names.map((value) => ({ value, row_count: 1 }));
      return selectionFor(question, dataset, { meta: { row_count: 1 }, values: { country } }).filters.country;
    };
    expect(countriesOf('Argentina', 'Brazil', 'Chile', 'Cuba', 'Peru')).toEqual([
      'Brazil',
      'Argentina',
      'Chile',
      'Cuba',
    ]);
    expect(countriesOf('Malta')).toEqual(['Malta']);
  });

  it('without a default has all values instead, or all years', async () => {
    const selection = await selected({});
    expect(selection.period).toEqual({ first: 2024, last: 2024 });
    expect(selection.defaultFilters.map(({ dimension }) => dimension)).toEqual(['fx', 'state', 'year']);
    expect(withoutDefault(DEFAULT_QUESTION, selection, 'year')).toEqual({
      ...DEFAULT_QUESTION,
      firstYear: 2010,
    });
    expect(withoutDefault(DEFAULT_QUESTION, selection, 'fx')).toEqual({
      ...DEFAULT_QUESTION,
      unfilteredDimensions: ['fx'],
    });
  });
});

describe('a chart', () => {
  it('has a name for each series, also where a product is called like the sum of all others', async () => {
    const { series } = await chartOf({ filters: { country: ['Country L'], fx: ['EUR'] } });
    expect(series.map(({ kind }) => kind)).toEqual([...Array(8).fill('value'), 'other']);
    expect(series[0]?.name).toBe('Other');
    expect(new Set(series.map(({ name }) => name)).size).toBe(9);
  });

  it('of many changes in coverage names the last five', async () => {
    const { breaks } = await chartOf({ firstYear: 2010, filters: { product: ['Keno'] } });
    expect(breaks.map(({ year }) => year)).toEqual([2013, 2014, 2015, 2016, 2017]);
    const [begins, ends] = [
      [['Country B'], []],
      [[], ['Country B']],
    ];
    expect(breaks.map(({ beginning, ending }) => [beginning, ending])).toEqual([
      begins,
      ends,
      begins,
      ends,
      begins,
    ]);
  });

  it('of states has no shares of a country whose own figure is a loss', async () => {
    const data = await chartOf({ by: 'state', filters: { country: ['Country A'], product: ['Bingo'] } });
    const [north] = data.series;
    expect(north?.name).toBe('North');
    expect(data.country?.points.map(({ value }) => value)).toEqual([-50]);
    expect(north && shareOfCountry(data, north, 2023)).toBeNull();
  });
});

it.each([
  ['Country A', ['A', 'B', 'C', 'D', 'E', 'F', 'G']],
  ['Country F', ['C', 'D', 'E', 'F', 'G', 'H', 'I']],
  ['Country K', ['E', 'F', 'G', 'H', 'I', 'J', 'K']],
])('the page of %s ranks it among its nearest neighbours', async (name, letters) => {
  const entity = expectOk(await loadEntity({ kind: 'country', name, asOf: '' }, facts, context));
  const ranking = 'ranking' in entity ? entity.ranking : null;
  expect(ranking?.neighbours.map((one) => one.name)).toEqual(letters.map((letter) => `Country ${letter}`));
  expect(ranking?.neighbours.find((one) => one.name === name)?.rank).toBe(COUNTRIES.indexOf(name) + 1);
});

it('a comparison lists and counts only rows in which the chosen metric was revised', async () => {
  const { selection } = await counted({ dataset: 'country', metric: 'gdp_usd' });
  const { counts, loadedCount, revisions } = expectOk(
    await compareSnapshots(selection, null, '2026-10.1', context),
  );
  expect([counts.revised, loadedCount]).toEqual([1, 2]);
  expect(revisions.map(({ dimensions, before, after }) => [dimensions.year, before, after])).toEqual([
    [2024, 5, 9],
  ]);
  const { selection: adults } = await counted({ dataset: 'country', metric: 'adult_population' });
  const unchanged = expectOk(await compareSnapshots(adults, null, '2026-10.1', context));
  expect(unchanged.counts).toEqual({ added: 0, removed: 0, revised: 0 });
});
