// Puts small faults of real workbooks into the sample, such as spaces around names: the ingest notes and corrects them.

import type { GgrRow } from './rows.ts';

interface Blemish {
  readonly country: string;
  /** Whether a row has the fault. `index` counts the rows of a country from 0. */
  readonly has: (row: GgrRow, index: number) => boolean;
  readonly typed: (name: string) => string;
}

const BLEMISHES: readonly Blemish[] = [
  { country: 'Malta', has: (_, index) => [0, 40, 80].includes(index), typed: (name) => `${name} ` },
  { country: 'Peru', has: (_, index) => [0, 40].includes(index), typed: (name) => `\u00a0${name}` },
  {
    country: 'Curaçao',
    has: (row) => row.product === 'Casino Slots' && row.channel === 'Land' && row.fx === 'USD',
    typed: (name) => name.normalize('NFD'),
  },
];

/** The rows with some country names mistyped: spaces around them, or decomposed letters. */
export function blemished(rows: readonly GgrRow[]): readonly GgrRow[] {
  const seen = new Map<string, number>();
  return rows.map((row) => {
    const index = seen.get(row.country) ?? 0;
    seen.set(row.country, index + 1);
    const blemish = BLEMISHES.find(({ country, has }) => country === row.country && has(row, index));
    return blemish === undefined ? row : { ...row, country: blemish.typed(row.country) };
  });
}
