// Turns frames into Arrow record batches: text as dictionaries that all batches share, missing numbers as nulls.

import {
  type Data,
  Dictionary,
  Field,
  Float64,
  Int8,
  Int16,
  Int32,
  makeData,
  makeVector,
  RecordBatch,
  Schema,
  Struct,
  Utf8,
  type Vector,
} from 'apache-arrow';
import type { Frame, FrameColumn } from './frame.ts';

/** Keys and texts that describe a schema or one of its fields. */
export type ArrowMetadata = Map<string, string>;

/**
 * Returns a function that makes record batches of frames, for one file or stream. Every frame must have the same columns
 * and dictionaries as the first.
 *
 * @param columnMetadata column name → the metadata of its field.
 */
export function arrowBatches(
  schemaMetadata?: ArrowMetadata,
  columnMetadata?: ReadonlyMap<string, ArrowMetadata>,
): (frame: Frame) => RecordBatch {
  const dictionaries: Dictionaries = new Map();
  let schema: Schema | null = null;
  return ({ rows, columns }) => {
    const children = columns.map((column) => dataOf(column, dictionaries));
    schema ??= new Schema(
      columns.map(
        ({ name, kind }, i) =>
          new Field(name, children[i]?.type ?? new Utf8(), kind === 'number', columnMetadata?.get(name)),
      ),
      schemaMetadata,
    );
    const data = makeData({ type: new Struct(schema.fields), length: rows, nullCount: 0, children });
    return new RecordBatch(schema, data);
  };
}

/** The distinct texts of a column. All batches share it. */
interface SharedDictionary {
  readonly id: number;
  readonly values: readonly string[];
  readonly vector: Vector<Utf8>;
}

/** The dictionaries by the names of their columns. */
type Dictionaries = Map<string, SharedDictionary>;

function dataOf(column: FrameColumn, dictionaries: Dictionaries): Data {
  if (column.kind === 'text') {
    const { values, codes, name, maxTexts } = column;
    const { id, vector } = dictionaryOf(name, values, dictionaries);
    const indices = indicesOf(codes, maxTexts);
    const type = new Dictionary(new Utf8(), indices.type, id);
    return makeData({ type, length: codes.length, nullCount: 0, data: indices.data, dictionary: vector });
  }
  if (column.kind === 'integer') {
    const { numbers } = column;
    return makeData({ type: new Int32(), length: numbers.length, nullCount: 0, data: numbers });
  }
  const { numbers } = column;
  const { nullCount, nullBitmap } = nullsOf(numbers);
  return makeData({ type: new Float64(), length: numbers.length, nullCount, nullBitmap, data: numbers });
}

function dictionaryOf(name: string, values: readonly string[], dictionaries: Dictionaries): SharedDictionary {
  const known = dictionaries.get(name);
  if (known?.values === values) return known;
  // An Arrow file has one dictionary per column, so a later batch cannot bring another one.
  if (known) throw new Error(`the values of ${name} differ between batches`);
  const dictionary = { id: dictionaries.size, values, vector: makeVector(textData(values)) };
  dictionaries.set(name, dictionary);
  return dictionary;
}

/**
 * Converts codes to indices of the narrowest signed type that can count the distinct texts. The type is signed because
 * some Arrow readers refuse unsigned indices. Codes that already have that width are not copied.
 */
function indicesOf(codes: Uint8Array | Uint16Array | Uint32Array, maxTexts: number) {
  const { buffer, byteOffset, length } = codes;
  if (maxTexts <= 0x80)
    return {
      type: new Int8(),
      data: codes instanceof Uint8Array ? new Int8Array(buffer, byteOffset, length) : new Int8Array(codes),
    };
  if (maxTexts <= 0x8000)
    return {
      type: new Int16(),
      data: codes instanceof Uint16Array ? new Int16Array(buffer, byteOffset, length) : new Int16Array(codes),
    };
  return {
    type: new Int32(),
    data: codes instanceof Uint32Array ? new Int32Array(buffer, byteOffset, length) : new Int32Array(codes),
  };
}

function textData(values: readonly string[]): Data<Utf8> {
  const texts = values.map((value) => Buffer.from(value));
  const valueOffsets = new Int32Array(values.length + 1);
  for (const [i, text] of texts.entries()) valueOffsets[i + 1] = (valueOffsets[i] ?? 0) + text.length;
  const data = new Uint8Array(Buffer.concat(texts));
  return makeData({ type: new Utf8(), length: values.length, nullCount: 0, valueOffsets, data });
}

/** The validity bitmap of a column: one bit per value, 1 where the value is present. Null when no value is missing. */
function nullsOf(numbers: Float64Array): { nullCount: number; nullBitmap: Uint8Array | null } {
  if (!hasMissing(numbers)) return { nullCount: 0, nullBitmap: null };
  const nullBitmap = new Uint8Array(Math.ceil(numbers.length / 64) * 8);
  let present = 0;
  for (let first = 0; first < numbers.length; first += 8) {
    const end = Math.min(first + 8, numbers.length);
    let bits = 0;
    for (let i = first; i < end; i++) {
      const isPresent = Number.isNaN(numbers[i]) ? 0 : 1;
      present += isPresent;
      bits |= isPresent << (i - first);
    }
    nullBitmap[first >> 3] = bits;
  }
  const nullCount = numbers.length - present;
  return { nullCount, nullBitmap: nullCount === 0 ? null : nullBitmap };
}

/**
 * Whether a value may be missing. It adds all numbers: the sum is NaN when one of them is NaN. The sum of opposite
 * infinities is NaN as well, so the caller still has to look at each value. Four sums run side by side, because an
 * addition has to wait for the previous addition to the same sum.
 */
function hasMissing(numbers: Float64Array): boolean {
  let [a, b, c, d] = [0, 0, 0, 0];
  const end = numbers.length - (numbers.length % 4);
  for (let i = 0; i < end; i += 4) {
    a += numbers[i] ?? 0;
    b += numbers[i + 1] ?? 0;
    c += numbers[i + 2] ?? 0;
    d += numbers[i + 3] ?? 0;
  }
  for (let i = end; i < numbers.length; i++) a += numbers[i] ?? 0;
  return Number.isNaN(a + b + c + d);
}
