import { describe, expect, it } from '@jest/globals';
import { findHeader } from '../../../ingest/sources/header.ts';
import type { Cell, RawRow } from '../../../ingest/sources/readers/raw.ts';

const LONG = [
  'Year',
  'Region',
  'Country',
  'State',
  'Category',
  'Product',
  'Channel',
  'Sub Channel',
  'FX',
  'Temporal',
  'GGR',
];
const PLACE = ['Region', 'Country', 'State', 'Temporal', 'Calculation'];

const at = (row: number, ...cells: Cell[]): RawRow => ({ row, cells });
const names = (header: ReturnType<typeof findHeader>) =>
  Array.from(header?.columns ?? [], (column) => column?.name);

describe('findHeader', () => {
  it('finds the header below a preamble', () => {
    const header = findHeader('ggr', [
      at(1, 'Gross gaming revenue by country'),
      at(2, 'Last updated', 'today'),
      at(5, ...LONG),
    ]);
    expect(header).toMatchObject({ row: 5, form: 'long', faults: [], complete: true });
  });

  it.each([
    'Sub Channel',
    'sub-channel',
    'SUB_CHANNEL',
    'Sub\nChannel',
    ' sub  channel ',
    'Sub\u00a0Channel',
  ])('takes %j for sub_channel', (spelling) => {
    const header = findHeader('ggr', [at(1, ...LONG.with(7, spelling))]);
    expect(names(header)[7]).toBe('sub_channel');
    expect(header?.faults).toEqual([]);
  });

  it('takes years as numbers and as text for wide form', () => {
    const header = findHeader('country', [at(1, ...PLACE, 'Metric', 2003, '2004')]);
    expect(header).toMatchObject({ form: 'wide', faults: [], complete: true });
    expect(names(header).slice(-3)).toEqual(['metric', '2003', '2004']);
  });

  it('needs no metric column where a dataset has one metric', () => {
    const header = findHeader('ggr', [at(1, ...LONG.slice(1, -1), 2024)]);
    expect(header).toMatchObject({ form: 'wide', faults: [], complete: true });
  });

  it('reads a header whose cells are merged over two rows', () => {
    const upper = at(4, ...PLACE, 'Metric', 'Calendar year');
    const header = findHeader('country', [
      upper,
      at(5, ...PLACE.map(() => null), null, 2003, 2004),
      at(6, 'Europe'),
    ]);
    expect(header).toMatchObject({ row: 5, form: 'wide', faults: [], complete: true });
    expect(names(header).slice(-2)).toEqual(['2003', '2004']);
  });

  it('finds names in the row above where merged cells leave the header row empty', () => {
    const above = at(4, 'Region', 'Country', 'State');
    const header = findHeader('country', [
      above,
      at(5, null, null, null, 'Temporal', 'Calculation', 'Metric', 2003),
    ]);
    expect(header).toMatchObject({ row: 5, faults: [], complete: true });
  });

  it('does not take a row of data below the header for its second line', () => {
    const header = findHeader('country_reference', [
      at(1, 'Region', 'Country', 'Country type'),
      at(2, 'Europe', 'Malta', 'Tracked'),
    ]);
    expect(header).toMatchObject({ row: 1, complete: true });
  });

  it('names what is missing', () => {
    const header = findHeader('ggr', [at(1, ...LONG.filter((name) => name !== 'FX'))]);
    expect(header?.complete).toBe(false);
    expect(header?.faults).toEqual([{ index: 0, message: 'column fx is missing from the header; add it' }]);
  });

  it('names a surplus column and the nearest one that is known', () => {
    const header = findHeader('ggr', [at(1, ...LONG, 'Sub chanel')]);
    expect(header?.faults).toEqual([
      {
        index: 11,
        message:
          'column "Sub chanel" is neither a dimension nor a metric of ggr; did you mean "sub_channel"?',
      },
    ]);
  });

  it('does not take a heading with a unit for the metric: the unit may be another', () => {
    const header = findHeader('ggr', [at(1, ...LONG.with(10, 'GGR (EUR m)'))]);
    expect(header?.faults.map(({ index }) => index)).toEqual([10, 0]);
  });

  it('names both places of a column that stands twice', () => {
    const header = findHeader('ggr', [at(1, ...LONG, 'fx')]);
    expect(header?.faults).toEqual([
      { index: 11, message: 'column fx stands twice, in I and L; delete one' },
    ]);
  });

  it('refuses a year column beside a column per year', () => {
    const header = findHeader('ggr', [at(1, ...LONG.slice(0, -1), 2024)]);
    expect(header?.faults[0]?.message).toBe(
      'column year stands beside a column per year; keep the one or the other',
    );
  });

  it('finds none where a row names fewer than three columns', () => {
    expect(findHeader('ggr', [at(1, 'Country', 'Region', 'Population')])).toBeNull();
    expect(findHeader('ggr', [])).toBeNull();
  });
});
