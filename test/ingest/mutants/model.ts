// Models of workbooks: the rows that every correct reading gives.

import type { Cell } from '../../../ingest/sources/readers/rawFile.ts';
import type { Random } from './random.ts';

export interface ModelSheet {
  readonly name: string;
  readonly hidden: boolean;
  readonly rows: readonly { readonly row: number; readonly cells: readonly Cell[] }[];
  /** Ranges as spreadsheets write them, such as `A1:B1`. */
  readonly merged: readonly string[];
}

export type Model = readonly ModelSheet[];

/** A workbook as people send it: a title, a header, rows with every kind of cell, a gap, a footnote. */
export function aModel(random: Random): Model {
  const sheets: ModelSheet[] = [aSheet('Data', false, random)];
  if (random.chance(0.6))
    sheets.push(aSheet(random.pick(['Notes', 'ggr', 'Übersicht & <mehr>']), false, random));
  if (random.chance(0.3)) sheets.push(aSheet('Hidden', true, random));
  return sheets;
}

function aSheet(name: string, hidden: boolean, random: Random): ModelSheet {
  const width = 2 + random.below(7);
  const rows: { row: number; cells: Cell[] }[] = [];
  let row = random.chance(0.3) ? 1 + random.below(4) : 1;
  const count = 2 + random.below(9);
  for (let i = 0; i < count; i++) {
    const cells = Array.from({ length: width }, (_, column) =>
      i === 0 ? `Column ${column}` : aCell(random),
    );
    while (cells.length > 0 && cells.at(-1) === null) cells.pop();
    if (cells.length > 0) rows.push({ row, cells });
    row += random.chance(0.1) ? 1 + random.below(30) : 1;
  }
  const merged = random.chance(0.2) ? ['A1:B1'] : [];
  return { name, hidden, rows, merged };
}

const aCell = (random: Random): Cell => random.weighted(KINDS)(random);

const KINDS: readonly (readonly [number, (random: Random) => Cell])[] = [
  [2, () => null],
  [8, (random) => random.pick(WORDS)],
  [6, (random) => random.pick(NUMBERS)],
  [3, (random) => Math.round((random.next() - 0.2) * 1e9) / 100],
  [1, (random) => random.chance(0.5)],
  [1, (random) => ({ kind: 'date', iso: random.pick(DATES) })],
  [1, (random) => ({ kind: 'percent', value: random.pick([0, 0.05, 0.125, 1, -0.5]) })],
  [1, (random) => ({ kind: 'error', code: random.pick(['#N/A', '#DIV/0!', '#REF!', '#VALUE!']) })],
  [0.5, () => ({ kind: 'uncalculated' })],
];

const WORDS = [
  'Malta',
  'Côte d’Ivoire',
  'Sport Betting',
  'Betting',
  'Online',
  'EUR',
  '2024',
  ' spaced ',
  'two\nlines',
  'AT&T <b> "q" \'s\' ]]> >',
  'Türkiye',
  '日本',
  '🎲 dice',
  '_x0041_ escaped',
  'tab\there',
  'Congo, Dem. Rep.',
];

const NUMBERS = [
  0, 1, -1, 2024, 1e6, 0.1, 123456789.25, -0.000001, 1.5e300, 5e-324, 9007199254740991, 22400000,
];

const DATES = [
  '2024-02-29',
  '1999-12-31',
  '2026-11-01',
  '1950-03-01',
  '2024-06-30T13:45:10',
  '2024-01-01T00:00:01',
];
