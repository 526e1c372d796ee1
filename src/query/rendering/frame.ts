// Defines frames: the rows of a page as columns. Each format other than JSON can be written from a frame.
//
// The JSON records of sums and changes are made from frames, too.

import type { Codes, Table } from '../../catalog/columns.ts';
import { dimensionOf } from '../../catalog/datasets.ts';
import { codesAt, integersOf, numbersAt } from '../gather.ts';

/** The rows of a page or batch, column by column. */
export interface Frame {
  readonly rows: number;
  readonly columns: readonly FrameColumn[];
}

/** One value per row. */
export type FrameColumn =
  | {
      readonly kind: 'text';
      readonly name: string;
      readonly values: readonly string[];
      /** Codes into `values`. */
      readonly codes: Codes;
      /**
       * The most texts that all frames of a walk can have together. Arrow's schema depends on it, so that all pages of
       * a walk have the same schema.
       */
      readonly maxTexts: number;
    }
  | { readonly kind: 'integer'; readonly name: string; readonly numbers: Int32Array }
  /** NaN where the value is missing. */
  | { readonly kind: 'number'; readonly name: string; readonly numbers: Float64Array };

/** The rows of a table at some positions: its dimensions, then its metrics, in catalog order. */
export function frameOf(table: Table, positions: Uint32Array): Frame {
  return {
    rows: positions.length,
    columns: [
      ...[...table.dimensions].map(([name]) => dimensionColumn(table, name, positions)),
      ...[...table.metrics].map(([name, values]) => metricColumn(name, values, positions)),
    ],
  };
}

/** A dimension's values at some positions of a table. */
export function dimensionColumn(
  table: Table,
  name: Parameters<typeof dimensionOf>[0],
  positions: Uint32Array,
): FrameColumn {
  const column = table.dimensions.get(name);
  if (!column) throw new Error(`${table.dataset} has no column ${name}`);
  const { values, codes } = column;
  const taken = codesAt(codes, positions);
  return dimensionOf(name).type === 'integer'
    ? { kind: 'integer', name, numbers: integersOf(taken, Int32Array.from(values, Number)) }
    : { kind: 'text', name, values, codes: taken, maxTexts: values.length };
}

/** Encodes texts as a column of a frame: a dictionary of the texts in it, and the code of each row. */
export function textColumn(name: string, texts: readonly string[], maxTexts: number): FrameColumn {
  const codeOf = new Map<string, number>();
  const codes = Uint32Array.from(texts, (text) => {
    const code = codeOf.get(text) ?? codeOf.size;
    codeOf.set(text, code);
    return code;
  });
  return { kind: 'text', name, values: [...codeOf.keys()], codes, maxTexts };
}

/** The values of a metric at some positions. */
export const metricColumn = (name: string, values: Float64Array, positions: Uint32Array): FrameColumn => ({
  kind: 'number',
  name,
  numbers: numbersAt(values, positions),
});
