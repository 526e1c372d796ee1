// Totals of groups are exact, or refused where a sum would be wrong.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type DimensionName, datasetOf } from '../../../src/catalog/datasets.ts';
import { computeTotals } from '../../../src/query/computations/computeTotals.ts';
import { compile } from '../../../src/query/selection/compile.ts';
import { inSlices, turn } from '../../../src/query/slices.ts';
import { runs } from '../../support/depth.ts';
import { aTable, distinctRows } from '../../support/memoryTable.ts';
import { nearestSum } from '../../support/nearestSum.ts';
import { aRow, type Row } from '../../support/snapshot.ts';

type Filters = Readonly<Partial<Record<DimensionName, readonly string[]>>>;

async function totals(
  dataset: 'ggr' | 'country',
  rows: readonly Row[],
  by: readonly DimensionName[],
  filters: Filters = {},
) {
  const table = aTable(dataset, rows);
  const query = {
    filters: new Map(Object.entries(filters)) as ReadonlyMap<DimensionName, readonly string[]>,
    period: null,
  };
  const result = await computeTotals(table, compile(query, table), by, inSlices(1));
  if (result.outcome !== 'summed') return result;
  const { rowOfGroup, rowsSummed, sums, ...rest } = result.totals;
  const textOf = (name: DimensionName, row: number) => {
    const column = table.dimensions.get(name);
    return column?.values[column.codes[row] ?? 0];
  };
  return {
    ...rest,
    missing: Object.fromEntries(rest.missing),
    groups: [...rowOfGroup].map((row, i) => ({
      by: by.map((name) => textOf(name, row)),
      rows: rowsSummed[i],
      ...Object.fromEntries([...sums].map(([name, values]) => [name, values[i]])),
    })),
  };
}

describe('totals', () => {
  it('sum each group, and leave no group without rows', async () => {
    const rows = [
      aRow('ggr', { year: 2023, ggr: 0.1 }),
      aRow('ggr', { year: 2023, product: 'Poker', ggr: 0.2 }),
      aRow('ggr', { year: 2024, country: 'Spain', ggr: 5 }),
    ];
    expect(await totals('ggr', rows, ['year', 'country'])).toMatchObject({
      groups: [
        { by: ['2023', 'Malta'], rows: 2, ggr: 0.30000000000000004 },
        { by: ['2024', 'Spain'], rows: 1, ggr: 5 },
      ],
    });
    expect(await totals('ggr', rows, [])).toMatchObject({ groups: [{ by: [], rows: 3, ggr: 5.3 }] });
    expect(await totals('ggr', rows, [], { country: ['Atlantis'] })).toMatchObject({ groups: [] });
  });

  it('refuse all dimensions that make a sum wrong at once', async () => {
    const rows = [aRow('ggr'), aRow('ggr', { fx: 'USD' }), aRow('ggr', { state: 'Gozo' })];
    expect(await totals('ggr', rows, [])).toEqual({ outcome: 'not additive', dimensions: ['state', 'fx'] });
    expect(await totals('ggr', rows, [], { state: [''] })).toEqual({
      outcome: 'not additive',
      dimensions: ['fx'],
    });
    expect(await totals('ggr', rows, ['fx'], { state: [''] })).toMatchObject({
      groups: [{ by: ['EUR'] }, { by: ['USD'] }],
    });
  });

  it('wait for nothing while the slice lasts', async () => {
    const rows = ['Current', 'Forecast'].flatMap((temporal) =>
      ['Bingo', 'Poker'].map((product) => aRow('ggr', { temporal, product })),
    );
    const table = aTable('ggr', rows);
    const slices = { isOver: () => false, next: () => Promise.reject(new Error('the slice is not over')) };
    expect(await computeTotals(table, 'everything', [], slices)).toEqual({
      outcome: 'not additive',
      dimensions: ['temporal'],
    });
  });

  it('are given to the clients that stay, whoever else leaves', async () => {
    const rows = Array.from({ length: 5000 }, (_, i) =>
      aRow('ggr', { year: 2020 + (i % 2), product: `P${i}`, temporal: i % 2 ? 'Forecast' : 'Current' }),
    );
    const table = aTable('ggr', rows);
    const begun: (() => void)[] = [];
    let checks = 0;
    const leaves = {
      // All rows are added up in the first slice. The second one looks for twins.
      isOver: () => ++checks > 1,
      next: () =>
        new Promise<void>((_, reject) => begun.push(() => reject(new Error('the client has left')))),
    };
    const leaving = computeTotals(table, 'everything', [], leaves);
    while (begun.length === 0) await turn();
    const staying = [1, 2].map(() => computeTotals(table, 'everything', [], inSlices(1)));
    for (let turns = 0; turns < 10; turns++) await turn();
    begun[0]?.();
    await expect(leaving).rejects.toThrow('the client has left');
    for (const answer of [...staying, computeTotals(table, 'everything', [], inSlices(1))])
      expect(await answer).toMatchObject({
        outcome: 'summed',
        totals: { disjoint: [{ dimension: 'temporal' }] },
      });
  });

  it('sum a forecast and a reported value unless a series has both in one year', async () => {
    const reported = aRow('ggr', { year: 2024, ggr: 1 });
    const forecast = aRow('ggr', { year: 2025, temporal: 'Forecast', ggr: 2 });
    expect(await totals('ggr', [reported, forecast], [])).toMatchObject({
      groups: [{ ggr: 3 }],
      disjoint: [
        {
          dimension: 'temporal',
          yearsOf: new Map([
            ['Current', [2024]],
            ['Forecast', [2025]],
          ]),
        },
      ],
    });
    const both = aRow('ggr', { year: 2024, temporal: 'Forecast', ggr: 4 });
    expect(await totals('ggr', [reported, forecast, both], [])).toEqual({
      outcome: 'not additive',
      dimensions: ['temporal'],
    });
    expect(await totals('ggr', [reported, both], [])).toEqual({
      outcome: 'not additive',
      dimensions: ['temporal'],
    });
    // A row that the filters exclude does not overlap with others.
    const revised = aRow('ggr', { year: 2024, temporal: 'Revised', ggr: 8 });
    expect(
      await totals('ggr', [reported, revised, forecast], [], { temporal: ['Current', 'Forecast'] }),
    ).toMatchObject({ groups: [{ ggr: 3 }], disjoint: [{ dimension: 'temporal' }] });
    // Only 2024 has two values of `temporal`, so there is no overlap in 2025.
    expect(await totals('ggr', [reported, forecast, both], [], { year: ['2025'] })).toMatchObject({
      disjoint: [],
    });
    expect(await totals('ggr', [reported, forecast, both], ['temporal'])).toMatchObject({ disjoint: [] });
  });

  it('leave out rates, and levels over several years', async () => {
    const rows = [aRow('country', { year: 2023 }), aRow('country', { year: 2024, inflation: null })];
    const left = ['gdp_local_currency', 'adult_population', 'inflation'];
    expect(await totals('country', rows, [])).toMatchObject({
      notSummed: left,
      groups: [{ gdp_usd: 2 }],
      missing: {},
    });
    expect(await totals('country', rows, ['year'])).toMatchObject({
      notSummed: ['gdp_local_currency', 'inflation'],
      groups: [{ adult_population: 1 }, { adult_population: 1 }],
    });
    const forecast = aRow('country', { year: 2025, temporal: 'Forecast' });
    expect(await totals('country', [...rows, forecast], [], { year: ['2024'] })).toMatchObject({
      notSummed: ['gdp_local_currency', 'inflation'],
      groups: [{ adult_population: 1 }],
    });
  });

  it('count what is missing, and give nothing where everything is', async () => {
    const rows = [
      aRow('ggr', { ggr: null }),
      aRow('ggr', { year: 2025, ggr: null }),
      aRow('ggr', { year: 2025, product: 'x', ggr: 3 }),
    ];
    expect(await totals('ggr', rows, ['year'])).toMatchObject({
      missing: { ggr: 2 },
      groups: [{ ggr: Number.NaN }, { ggr: 3 }],
    });
  });

  it('name the countries that a currency leaves out in a year, and no others', async () => {
    const rows = [
      aRow('ggr', { country: 'Croatia', year: 2022, fx: 'HRK' }),
      aRow('ggr', { country: 'Croatia', year: 2023, fx: 'EUR' }),
      // Malta has the product only in 2023, in any currency.
      aRow('ggr', { country: 'Malta', year: 2022, product: 'Poker', fx: 'EUR' }),
      aRow('ggr', { country: 'Malta', year: 2023, fx: 'EUR' }),
      aRow('ggr', { country: 'Spain', year: 2022, fx: 'EUR' }),
      aRow('ggr', { country: 'Spain', year: 2022, fx: 'USD' }),
    ];
    const leftOut = async (filters: Filters) => {
      const found = await totals('ggr', rows, ['year', 'country'], filters);
      return 'currenciesAlone' in found ? found.currenciesAlone : found;
    };
    const product = [String(aRow('ggr').product)];
    expect(await leftOut({ fx: ['EUR'], product })).toEqual(['Croatia']);
    expect(await leftOut({ fx: ['EUR'], product, year: ['2023'] })).toEqual([]);
    expect(await leftOut({ fx: ['EUR'], product, country: ['Malta', 'Spain'] })).toEqual([]);
    expect(await leftOut({ fx: ['HRK'], country: ['Croatia', 'Malta'] })).toEqual(['Croatia', 'Malta']);
  });

  it('do not name a country of which they lack a part, unless a filter is on that part', async () => {
    const rows = [
      aRow('ggr', { country: 'Italy', product: 'Poker', fx: 'ITL' }),
      aRow('ggr', { country: 'Italy', product: 'Bingo', fx: 'EUR' }),
    ];
    const leftOut = (product: readonly string[]) =>
      totals('ggr', rows, ['country', 'product'], { fx: ['EUR'], product });
    expect(await leftOut(['Poker', 'Bingo'])).toMatchObject({ currenciesAlone: [] });
    expect(await leftOut(['Poker'])).toMatchObject({ currenciesAlone: ['Italy'] });
  });

  it('name a country that has rows of states alone, in other currencies alone, as both', async () => {
    const rows = [
      aRow('ggr', { country: 'Norway', fx: 'NOK' }),
      aRow('ggr', { country: 'Canada', state: 'Ontario', fx: 'CAD' }),
      // Spain has a row of the whole country, so only the filter on the currency leaves it out.
      aRow('ggr', { country: 'Spain', fx: 'EUR' }),
      aRow('ggr', { country: 'Spain', state: 'Murcia', fx: 'EUR' }),
    ];
    expect(await totals('ggr', rows, ['country'], { state: [''], fx: ['NOK'] })).toMatchObject({
      statesAlone: ['Canada'],
      currenciesAlone: ['Canada', 'Spain'],
    });
  });

  it('name a country whose only rows are forecasts of states in other currencies, as all three', async () => {
    const rows = [
      aRow('ggr', { country: 'Norway', fx: 'NOK' }),
      aRow('ggr', { country: 'Canada', state: 'Ontario', fx: 'CAD', temporal: 'Forecast' }),
    ];
    const filters = { state: [''], fx: ['NOK'], temporal: ['Current'] };
    expect(await totals('ggr', rows, ['country'], filters)).toMatchObject({
      statesAlone: ['Canada'],
      currenciesAlone: ['Canada'],
      temporalAlone: ['Canada'],
    });
  });

  it('name the countries that have only forecasts of a year that others have reported', async () => {
    const rows = [
      aRow('ggr', { country: 'Malta', year: 2024, temporal: 'Current' }),
      aRow('ggr', { country: 'Malta', year: 2025, temporal: 'Current' }),
      aRow('ggr', { country: 'Malta', year: 2026, temporal: 'Forecast' }),
      aRow('ggr', { country: 'Spain', year: 2024, temporal: 'Current' }),
      aRow('ggr', { country: 'Spain', year: 2025, temporal: 'Forecast' }),
      aRow('ggr', { country: 'Canada', state: 'Ontario', year: 2025, temporal: 'Forecast' }),
    ];
    const leftOut = async (filters: Filters) => {
      const found = await totals('ggr', rows, ['year'], filters);
      return 'temporalAlone' in found ? [found.temporalAlone, found.statesAlone] : found;
    };
    expect(await leftOut({ temporal: ['Current'], state: [''] })).toEqual([['Canada', 'Spain'], ['Canada']]);
    expect(await leftOut({ temporal: ['Current'], state: [''], year: ['2025'] })).toEqual([
      ['Canada', 'Spain'],
      ['Canada'],
    ]);
    expect(await leftOut({ temporal: ['Current'], state: [''], year: ['2024', '2026'] })).toEqual([[], []]);
    expect(await leftOut({ temporal: ['Current'], country: ['Malta', 'Spain'] })).toEqual([['Spain'], []]);
    expect(await leftOut({ temporal: ['Current'], country: ['Spain'] })).toEqual([[], []]);
    expect(await leftOut({ temporal: ['Forecast'], state: [''] })).toEqual([['Malta'], ['Canada']]);
  });

  it('refuse a sum beyond the range of a double', async () => {
    const rows = [aRow('ggr', { ggr: 1.7e308 }), aRow('ggr', { product: 'x', ggr: 1.7e308 })];
    expect(await totals('ggr', rows, [])).toEqual({ outcome: 'out of range', metrics: ['ggr'] });
  });

  it('give the exact sums of any selection, or name exactly what makes them wrong', async () => {
    const VALUES: Readonly<Record<string, readonly (string | number)[]>> = {
      year: [2019, 2020, 2021],
      country: ['A', 'B'],
      state: ['', 'X'],
      product: ['P', 'Q', 'R'],
      fx: ['EUR', 'USD'],
      temporal: ['Current', 'Forecast', 'Revised'],
    };
    const names = Object.keys(VALUES) as DimensionName[];
    const row = fc
      .record(Object.fromEntries(names.map((name) => [name, fc.constantFrom(...(VALUES[name] ?? []))])))
      .chain((changes) =>
        fc
          .option(
            fc.oneof(fc.double({ noNaN: true, min: -1e15, max: 1e15 }), fc.constantFrom(0.1, 1e16, -1e16)),
          )
          .map((ggr) => aRow('ggr', { ...changes, ggr })),
      );
    const selection = fc.record({
      by: fc.shuffledSubarray([...names, 'region' as const]),
      filters: fc.array(
        fc
          .constantFrom(...names)
          .chain((name) =>
            fc.tuple(fc.constant(name), fc.subarray((VALUES[name] ?? []).map(String), { minLength: 1 })),
          ),
      ),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 60 }),
        fc.array(selection, { minLength: 4 + runs(1), maxLength: 18 + runs(2) }),
        async (some, selections) => {
          const rows = distinctRows('ggr', some);
          for (const { by, filters } of selections) {
            const chosen: Filters = Object.fromEntries(filters);
            expect(await totals('ggr', rows, by, chosen)).toMatchObject(plainly(rows, by, chosen));
          }
        },
      ),
      { numRuns: runs(8, 15) },
    );
  });
});

/**
 * The countries that each filter leaves out. A year of a country that needs several filters dropped counts for each of
 * them. Of years without any row selected, the filter on `temporal` leaves nothing out.
 */
function leftOut(all: readonly Row[], filters: Filters) {
  const known = (dimension: string) => new Set(all.map((row) => String(row[dimension])));
  const isSingle = (dimension: 'state' | 'fx' | 'temporal') => {
    const asked = filters[dimension] ?? [];
    return new Set(asked).size === 1 && asked.every((value) => known(dimension).has(value));
  };
  const dropped = (['state', 'fx', 'temporal'] as const).filter(
    (name) => isSingle(name) && (name !== 'state' || filters.state?.[0] === ''),
  );
  const years = new Set(placesOf(all, filters).map((place) => place.split('|')[1]));
  const lists = { state: new Set<string>(), fx: new Set<string>(), temporal: new Set<string>() };
  for (const place of new Set(all.map(({ country, year }) => `${country}|${year}`))) {
    const [country = '', year] = place.split('|');
    const enough = [1, 2, 3, 4, 5, 6, 7]
      .map((bits) => dropped.filter((_, i) => (bits >> i) % 2 === 1))
      .filter((some) => some.length > 0 && (!some.includes('temporal') || years.has(year)))
      .filter((some) => placesWithout(some, all, filters).includes(place));
    const least = enough.filter((some) => !enough.some((one) => isLess(one, some)));
    for (const name of least.flat()) lists[name].add(country);
  }
  return {
    statesAlone: [...lists.state].sort(),
    currenciesAlone: [...lists.fx].sort(),
    temporalAlone: [...lists.temporal].sort(),
  };
}

const isLess = (some: readonly string[], others: readonly string[]): boolean =>
  new Set(some).size < new Set(others).size && some.every((one) => others.includes(one));

/** The years of countries in which rows meet all filters except those on `dropped`, and no row meets all filters. */
function placesWithout(dropped: readonly string[], all: readonly Row[], filters: Filters): string[] {
  const others = Object.fromEntries(Object.entries(filters).filter(([name]) => !dropped.includes(name)));
  const seen = placesOf(all, filters);
  return placesOf(all, others).filter((place) => !seen.includes(place));
}

/** The years of countries in which rows meet the filters. */
function placesOf(all: readonly Row[], filters: Filters): string[] {
  const meets = (row: Row) =>
    Object.entries(filters).every(([name, values]) => values.includes(String(row[name])));
  return [...new Set(all.filter(meets).map(({ country, year }) => `${country}|${year}`))];
}

/** The same result, computed row by row. */
function plainly(all: readonly Row[], by: readonly DimensionName[], filters: Filters) {
  const rows = all.filter((row) =>
    Object.entries(filters).every(([name, values]) => values.includes(String(row[name]))),
  );
  const several = (name: string) =>
    !by.includes(name as DimensionName) && new Set(rows.map((row) => row[name])).size > 1;
  const others = datasetOf('ggr').dimensions.filter((name) => name !== 'temporal');
  const series = rows.map((row) => JSON.stringify(others.map((name) => row[name])));
  const wrong = ['state', 'fx'].filter(several);
  const isDisjoint = new Set(series).size === series.length;
  if (several('temporal') && !isDisjoint) wrong.push('temporal');
  if (wrong.length > 0) return { outcome: 'not additive', dimensions: wrong };
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = JSON.stringify(by.map((name) => row[name]));
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const first = [...groups.values()].map(([row = {}]) =>
    Object.fromEntries(by.map((name) => [name, row[name] ?? ''])),
  );
  const ordered = sortBy(first, by).map((key) => JSON.stringify(by.map((name) => key[name])));
  const missing = rows.filter(({ ggr }) => ggr === null).length;
  return {
    missing: missing > 0 ? { ggr: missing } : {},
    notSummed: [],
    disjoint: several('temporal') ? [{ dimension: 'temporal', yearsOf: yearsOfViews(rows) }] : [],
    ...leftOut(all, filters),
    groups: ordered.map((key) => {
      const members = groups.get(key) ?? [];
      const values = members.flatMap(({ ggr }) => (typeof ggr === 'number' ? [ggr] : []));
      return {
        by: JSON.parse(key).map(String),
        rows: members.length,
        ggr: values.length > 0 ? nearestSum(values) : Number.NaN,
      };
    }),
  };
}

/** The years of the rows with each value of `temporal`, both ascending. */
function yearsOfViews(rows: readonly Row[]): Map<string, number[]> {
  const views = [...new Set(rows.map(({ temporal }) => String(temporal)))].sort();
  return new Map(
    views.map((view) => {
      const years = rows.filter(({ temporal }) => temporal === view).map(({ year }) => Number(year));
      return [view, [...new Set(years)].sort((a, b) => a - b)];
    }),
  );
}

const sortBy = (rows: Row[], by: readonly DimensionName[]): Row[] =>
  [...rows].sort((a, b) => {
    for (const name of by) {
      const [one = '', other = ''] = [a[name] ?? '', b[name] ?? ''];
      if (one !== other) return one < other ? -1 : 1;
    }
    return 0;
  });
