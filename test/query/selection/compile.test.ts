// Filters become codes in a statement, so no text of a request reaches the engine.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DimensionName } from '../../../src/catalog/datasets.ts';
import { type Snapshot, tableOf } from '../../../src/catalog/snapshot.ts';
import type { Period } from '../../../src/query/parameters/period.ts';
import { type CompiledQuery, compile } from '../../../src/query/selection/compile.ts';
import './compiledQueryMatcher.ts';
import { anOpenSnapshot } from '../../support/openSnapshot.ts';
import { aRow } from '../../support/snapshot.ts';

describe('compile', () => {
  let snapshot: Snapshot;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const countries = ['Malta', 'Spain', 'Zambia', 'Åland'].map((country) => aRow('ggr', { country }));
    const years = [2020, 2021, 2022].map((year) => aRow('ggr', { country: 'Malta', year }));
    const indicators = ['A', 'B'].map((country) => aRow('country', { country }));
    ({ snapshot, close } = await anOpenSnapshot({ ggr: [...countries, ...years], country: indicators }));
  });
  afterAll(() => close());

  type Filters = Partial<Record<DimensionName, readonly string[]>>;
  const compiled = (filters: Filters, period: Period | null = null): CompiledQuery =>
    compile(
      { filters: new Map(Object.entries(filters) as [DimensionName, string[]][]), period },
      tableOf(snapshot, 'ggr'),
    );

  it('binds the codes of the values and splices none', () =>
    expect(compiled({ country: ['Spain', 'Malta'] })).toCompileTo(
      snapshot,
      'SELECT position FROM ggr WHERE country IN ($1, $2)',
      [0, 1],
    ));

  it('has no getters of its own: V8 would keep them, and with them the conditions of each page', () => {
    const own = Object.values(Object.getOwnPropertyDescriptors(compiled({ country: ['Spain'] })));
    expect(own).toHaveLength(1);
    expect(own.filter(({ get }) => get !== undefined)).toEqual([]);
  });

  it('combines dimensions, in the order of the catalog whatever the order of the request', () =>
    expect(compiled({ country: ['Åland'], year: ['2024', '2020'] })).toCompileTo(
      snapshot,
      'SELECT position FROM ggr WHERE year IN ($1, $2) AND country IN ($3)',
      [0, 3, 3],
    ));

  it('finds a column in a table of the same name', () =>
    expect(
      compile({ filters: new Map([['country', ['B']]]), period: null }, tableOf(snapshot, 'country')),
    ).toCompileTo(snapshot, 'SELECT position FROM country WHERE country IN ($1)', [1]));

  it('turns a period into the years of the snapshot that it touches', () =>
    expect(compiled({}, { firstYear: 2021, lastYear: 2022 })).toCompileTo(
      snapshot,
      'SELECT position FROM ggr WHERE year IN ($1, $2)',
      [1, 2],
    ));

  it('keeps the given years that the period touches', () =>
    expect(compiled({ year: ['2020', '2022', '2024'] }, { firstYear: 2021, lastYear: 2023 })).toCompileTo(
      snapshot,
      'SELECT position FROM ggr WHERE year IN ($1)',
      [2],
    ));

  it('binds a code in the very type of its column', () => {
    expect(compiled({ country: ['Malta'] })).toMatchObject({ types: ['UTINYINT'] });
  });

  it.each<[string, Filters, Filters]>([
    ['values in another order', { country: ['Spain', 'Malta'] }, { country: ['Malta', 'Spain'] }],
    ['a value in another Unicode form', { country: ['A\u030aland'] }, { country: ['Åland'] }],
    ['a year with leading zeros', { year: ['02020'] }, { year: ['2020'] }],
    ['a value given in two forms', { country: ['Åland', 'A\u030aland'] }, { country: ['Åland'] }],
  ])('asks the same for %s', (_, one, other) => {
    expect(compiled(one)).toEqual(compiled(other));
    expect(compiled(one)).toHaveProperty('text');
  });

  it('drops values that no row has', () =>
    expect(compiled({ country: ['Nowhere', 'Malta'] })).toCompileTo(
      snapshot,
      'SELECT position FROM ggr WHERE country IN ($1)',
      [0],
    ));

  it.each<[string, Filters]>([
    ['an unknown value', { country: ["O'Higgins; DROP TABLE ggr;--"] }],
    ['an unknown value beside a known one of another dimension', { country: ['Malta'], fx: ['XXX'] }],
    ['a year that no row has', { year: ['1999'] }],
    ['a year beyond any integer', { year: ['9'.repeat(400), '-9223372036854775809'] }],
    ['an empty value', { region: [''] }],
    ['a name from a prototype', { country: ['__proto__', 'constructor'] }],
  ])('asks nothing of the engine for %s', (_, filters) => {
    expect(compiled(filters)).toBe('nothing');
  });

  it('asks nothing of the engine for a period without a year of the snapshot', () => {
    expect(compiled({}, { firstYear: 1990, lastYear: 2019 })).toBe('nothing');
  });

  it.each<[string, Filters]>([
    ['no filter', {}],
    ['a filter that every row meets', { fx: ['EUR'], country: ['Åland', 'Zambia', 'Spain', 'Malta'] }],
  ])('takes every row without the engine for %s', (_, filters) => {
    expect(compiled(filters)).toBe('everything');
  });

  it('distinguishes rows without a state from rows with one', () => {
    expect(compiled({ state: [''] })).toBe('everything');
    expect(compiled({ state: ['Nevada'] })).toBe('nothing');
  });
});
