// Reads the schema of Arrow that pyarrow and polars store in a Parquet file: its durations, and texts such as `unit`.

/** A column in the schema. */
export interface ArrowField {
  readonly column: string;
  /** Whether its values are durations. Parquet has no such type. Without the schema, they are whole numbers. */
  readonly isDuration: boolean;
  readonly texts: readonly (readonly [key: string, value: string])[];
}

/**
 * The columns in a schema of Arrow, which is a message of its IPC format in base64. The list is empty when the schema
 * cannot be read, because the schema is only a supplement of the Parquet file.
 */
export function arrowFields(base64: string): readonly ArrowField[] {
  try {
    const bytes = Buffer.from(base64, 'base64');
    const start = bytes.readInt32LE(0) === CONTINUATION ? 8 : 4;
    const message = new Table(bytes, start + bytes.readUInt32LE(start));
    const found: ArrowField[] = [];
    let entries = 0;
    for (const field of message.table(MESSAGE_HEADER)?.tables(SCHEMA_FIELDS) ?? []) {
      const texts = field
        .tables(FIELD_METADATA)
        .map((entry) => [entry.text(KEY), entry.text(VALUE)] as const);
      found.push({
        column: field.text(FIELD_NAME),
        isDuration: field.byte(FIELD_TYPE) === DURATION,
        texts,
      });
      entries += texts.length;
      // In a forged schema, many fields may point to the same long list of texts.
      if (entries > MOST_ENTRIES) break;
    }
    return found;
  } catch (error) {
    // A RangeError means that an offset points outside of the schema's bytes.
    if (error instanceof RangeError) return [];
    throw error;
  }
}

/** The four bytes before the length of a message. Messages of Arrow before version 0.15 begin with the length. */
const CONTINUATION = -1;

/** The positions of the fields in the tables of Arrow's Message.fbs and Schema.fbs. */
const MESSAGE_HEADER = 2;
const SCHEMA_FIELDS = 1;
const FIELD_NAME = 0;
const FIELD_TYPE = 2;
const FIELD_METADATA = 6;
const KEY = 0;
const VALUE = 1;

const DURATION = 18;

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

  /** The position of a field; null when the table does not have the field. */
  #place(field: number): number | null {
    const fields = this.#at - this.#bytes.readInt32LE(this.#at);
    const entry = 4 + 2 * field;
    if (entry >= this.#bytes.readUInt16LE(fields)) return null;
    const offset = this.#bytes.readUInt16LE(fields + entry);
    return offset === 0 ? null : this.#at + offset;
  }

  /** The position of the value that a field points to; null when the table does not have the field. */
  #target(field: number): number | null {
    const place = this.#place(field);
    return place === null ? null : place + this.#bytes.readUInt32LE(place);
  }

  /** The byte in a field; 0 when the table does not have the field. */
  byte(field: number): number {
    const place = this.#place(field);
    return place === null ? 0 : this.#bytes.readUInt8(place);
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
