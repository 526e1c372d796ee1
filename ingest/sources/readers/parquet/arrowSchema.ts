// Reads the metadata of columns, such as `unit`, from the schema that pyarrow stores in a Parquet file.

/** A text in the schema about a column. */
export interface FieldText {
  readonly column: string;
  readonly key: string;
  readonly value: string;
}

/**
 * The texts about columns in a schema of Arrow, which is a message of its IPC format in base64. A schema that cannot be read has
 * no texts, because the Parquet file has all columns without it.
 */
export function fieldTexts(base64: string): readonly FieldText[] {
  try {
    const bytes = Buffer.from(base64, 'base64');
    const start = bytes.readInt32LE(0) === CONTINUES ? 8 : 4;
    const message = new Table(bytes, start + bytes.readUInt32LE(start));
    const found: FieldText[] = [];
    for (const field of message.table(MESSAGE_HEADER)?.tables(SCHEMA_FIELDS) ?? []) {
      for (const entry of field.tables(FIELD_METADATA))
        found.push({ column: field.text(FIELD_NAME), key: entry.text(KEY), value: entry.text(VALUE) });
      // In a forged schema, many fields may point to the same long list of texts.
      if (found.length > MOST_ENTRIES) break;
    }
    return found;
  } catch (error) {
    // A RangeError means that an offset points outside of the schema's bytes.
    if (error instanceof RangeError) return [];
    throw error;
  }
}

const CONTINUES = -1;

/** The positions of the fields in the tables of Arrow's Message.fbs and Schema.fbs. */
const MESSAGE_HEADER = 2;
const SCHEMA_FIELDS = 1;
const FIELD_NAME = 0;
const FIELD_METADATA = 6;
const KEY = 0;
const VALUE = 1;

/** The most texts that are read. No real schema has as many. */
const MOST_ENTRIES = 10_000;

/** A table of FlatBuffers. Reading outside of its bytes throws a RangeError. */
class Table {
  readonly #bytes: Buffer;
  readonly #at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** The position of the value of a field; null when the table does not have the field. */
  #target(field: number): number | null {
    const fields = this.#at - this.#bytes.readInt32LE(this.#at);
    const entry = 4 + 2 * field;
    if (entry >= this.#bytes.readUInt16LE(fields)) return null;
    const offset = this.#bytes.readUInt16LE(fields + entry);
    if (offset === 0) return null;
    return this.#at + offset + this.#bytes.readUInt32LE(this.#at + offset);
  }

  table(field: number): Table | null {
    const target = this.#target(field);
    return target === null ? null : new Table(this.#bytes, target);
  }

  tables(field: number): readonly Table[] {
    const target = this.#target(field);
    if (target === null) return [];
    const length = Math.min(MOST_ENTRIES, this.#bytes.readUInt32LE(target));
    return Array.from({ length }, (_, i) => {
      const at = target + 4 + 4 * i;
      return new Table(this.#bytes, at + this.#bytes.readUInt32LE(at));
    });
  }

  text(field: number): string {
    const target = this.#target(field);
    if (target === null) return '';
    return this.#bytes.toString('utf8', target + 4, target + 4 + this.#bytes.readUInt32LE(target));
  }
}
