// Reads csv files as they stream from the disk: RFC 4180 in UTF-8, whatever the separator.

import { type FileHandle, open } from 'node:fs/promises';
import { UnreadableError, unreadableFile } from '../../../messages/fault.ts';
import {
  type ColumnBatch,
  type ColumnKind,
  NO_FINDINGS,
  type RawFile,
  type RawRow,
  type RawTable,
  type Remark,
  readingOf,
} from '../rawFile.ts';
import { readAt } from '../readAt.ts';
import { CsvColumns } from './csvColumns.ts';
import { CsvRecords } from './csvRecords.ts';
import { csvSqlTable, SQL_FROM_BYTES } from './csvSqlTable.ts';
import type { CsvFile } from './plainLines.ts';
import type { RecordWidths } from './recordWidths.ts';

/**
 * Opens a csv (or tsv) file as one table. All its cells are texts, and an empty field is an empty cell. Rows may differ in
 * length.
 *
 * @param name The name of the file in messages.
 * @param pieceBytes How many bytes are read at a time.
 * @param sqlFromBytes From this size of the file on, SQL may read the table.
 * @throws {UnreadableError} when the file is not a UTF-8 text. Reading the rows throws it when quotes are wrong or a limit
 *   is exceeded.
 */
export async function openCsv(
  path: string,
  name: string,
  pieceBytes = PIECE_BYTES,
  sqlFromBytes = SQL_FROM_BYTES,
): Promise<RawFile> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const head = await readAt(handle, 0, Math.min(HEAD_BYTES, size));
    refuseOtherFormats(head, name);
    const start = head.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0;
    const source: CsvSource = {
      path,
      name,
      handle,
      separator: findSeparator(head.subarray(start), name),
      start,
      // A small file gets a small piece, because many large ones would make V8 run a full garbage collection.
      pieceBytes: Math.max(1, Math.min(pieceBytes, size)),
      endsInLine: await endsInLine(handle, size),
      mayUseSql: size >= sqlFromBytes,
      readBytes: 0,
    };
    return {
      name,
      format: 'csv',
      tables: [tableOf(source)],
      progress: () => Math.min(1, source.readBytes / size),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

interface CsvSource extends Omit<CsvFile, 'byte' | 'line'> {
  /** The first byte after the byte order mark. */
  readonly start: number;
  readonly pieceBytes: number;
  /** Whether a line end follows the last line. */
  readonly endsInLine: boolean;
  readonly mayUseSql: boolean;
  readBytes: number;
}

/** The only table of the file. */
function tableOf(source: CsvSource): RawTable {
  let records = new CsvRecords(source.name, source.separator);
  const begin = () => {
    records = new CsvRecords(source.name, source.separator);
    return new CsvRows(source, records);
  };
  /** Where the first incomplete record begins. SQL reads on from there. */
  const next = () => ({ byte: source.readBytes - records.pendingBytes, line: records.line });
  return {
    name: null,
    hidden: false,
    rows: () => begin().rows(),
    async read() {
      const csv = begin();
      return readingOf(csv.rows(), (kinds) => csv.columns(kinds));
    },
    findings: async () => {
      const { widths } = records;
      return {
        ...NO_FINDINGS,
        remarks: [...(source.endsInLine ? [] : [remarkOnEnd(widths)]), ...widths.remarks()],
      };
    },
    ...(source.mayUseSql && {
      sql: (connection, wanted) => csvSqlTable(connection, { ...source, ...next() }, wanted),
    }),
  };
}

const HEAD_BYTES = 64 * 1024;
const PIECE_BYTES = 256 * 1024;
const BOM = Buffer.from('\ufeff');

/**
 * The remark on a file without a line end behind its last line. The file may be cut off within its last number: 1234 may be
 * the beginning of 1234567. When the last line also lacks fields, the remark is a warning. Otherwise it is a note, because
 * some programs never end the last line.
 */
function remarkOnEnd(widths: RecordWidths): Remark {
  const cut = widths.cutRecord();
  if (cut !== null) {
    return {
      severity: 'warning',
      problem: `the last line has no line end and only ${cut.fields} of the ${cut.most} fields of most lines, like that of a file that was cut`,
      remedy: 'copy the file again from where it came from, or complete the line',
      kind: 'a last line that was cut',
    };
  }
  return {
    severity: 'note',
    problem:
      'the last line has no line end, like that of a file that was cut: check that its last row is complete',
    remedy: null,
    kind: 'a last line without a line end',
  };
}

async function endsInLine(handle: FileHandle, size: number): Promise<boolean> {
  const [last] = await readAt(handle, Math.max(0, size - 1), 1);
  return last === 0x0a || last === 0x0d;
}

const AS_CSV = 'save it as "CSV UTF-8" from a spreadsheet program';

/** The first bytes of files of other formats, their names in the message, and the remedies. */
const OTHERS: readonly (readonly [start: Buffer, what: string, remedy: string])[] = [
  // The mark of UTF-32 begins with that of UTF-16.
  [Buffer.from([0xff, 0xfe, 0, 0]), 'is UTF-32 text', AS_CSV],
  [Buffer.from([0, 0, 0xfe, 0xff]), 'is UTF-32 text', AS_CSV],
  [Buffer.from([0xff, 0xfe]), 'is UTF-16 text', AS_CSV],
  [Buffer.from([0xfe, 0xff]), 'is UTF-16 text', AS_CSV],
  [
    Buffer.from('PK\x03\x04'),
    'is a workbook or another zip file, not a csv',
    'name a workbook .xlsx, and unpack another zip file',
  ],
  [Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'is an old .xls workbook, not a csv', AS_CSV],
  [Buffer.from('PAR1'), 'is a Parquet file, not a csv', 'name it .parquet'],
  [Buffer.from([0x1f, 0x8b]), 'is packed by gzip, not a csv', 'unpack it'],
  [Buffer.from('%PDF'), 'is a PDF, not a csv', 'copy its table into a workbook or a csv'],
];

const START_BYTES = 64;

function refuseOtherFormats(head: Buffer, name: string): void {
  if (head.length === 0) throw unreadableFile(name, 'is empty (0 bytes)', 'copy it again');
  const other = OTHERS.find(([start]) => head.subarray(0, start.length).equals(start));
  if (other) throw unreadableFile(name, other[1], other[2]);
  // Further down, zeros may also be damage to a csv, and the line that has the first one is named.
  if (head.subarray(0, START_BYTES).includes(0))
    throw unreadableFile(name, 'is UTF-16, UTF-32 or binary, not a csv', AS_CSV);
}

/** Reads the file piece by piece. Both generators continue where the other one stopped. */
class CsvRows {
  readonly #source: CsvSource;
  readonly #records: CsvRecords;
  #at: number;
  #next: Promise<Buffer>;

  constructor(source: CsvSource, records: CsvRecords) {
    this.#source = source;
    this.#records = records;
    this.#at = source.start;
    this.#next = this.#prefetched();
  }

  async *rows(): AsyncGenerator<readonly RawRow[]> {
    for (let piece = await this.#piece(); piece.length > 0; piece = await this.#piece()) {
      const rows = this.#records.push(piece);
      this.#next = this.#prefetched();
      if (rows.length > 0) yield rows;
    }
    const last = this.#records.end();
    if (last.length > 0) yield last;
  }

  async *columns(kinds: readonly ColumnKind[]): AsyncGenerator<readonly RawRow[] | ColumnBatch> {
    const columns = new CsvColumns(kinds, this.#source.separator.charCodeAt(0));
    for (let piece = await this.#piece(); piece.length > 0; piece = await this.#piece()) {
      const batch = this.#records.pushColumns(piece, columns);
      this.#next = this.#prefetched();
      if (batch.count > 0) yield batch;
    }
    const last = this.#records.end();
    if (last.length > 0) yield last;
  }

  /** The next piece; empty at the end of the file. */
  async #piece(): Promise<Buffer> {
    const piece = await this.#next;
    this.#at += piece.length;
    return piece;
  }

  /** Begins to read the next piece, so that it is read while the caller stages the rows of the last one. */
  #prefetched(): Promise<Buffer> {
    const { handle, pieceBytes } = this.#source;
    this.#source.readBytes = this.#at;
    // An unfinished record is split again from its start with each further piece. So that few pieces follow, the next piece
    // is at least as long as the unfinished record.
    const next = readAt(handle, this.#at, Math.max(pieceBytes, this.#records.pendingBytes));
    // A caller that stops early never awaits this promise, and a rejection without a handler would end the process.
    next.catch(() => {});
    return next;
  }
}

const SEPARATORS = [',', ';', '\t', '|'];

/**
 * The separator that gives most records at the beginning of the file the same number of fields, and many fields: the
 * semicolon in `2020;1,5`. For a file without any separator, it is the comma.
 */
function findSeparator(head: Buffer, name: string): string {
  let best = { separator: ',', score: 0 };
  for (const separator of SEPARATORS) {
    const score = scoreOf(widthsOf(head, name, separator).counts());
    if (score > best.score) best = { separator, score };
  }
  return best.separator;
}

/**
 * The score of a separator: the highest score of all numbers of fields that occur. A number of fields scores itself minus
 * 1, times the square of the share of records that have it.
 */
function scoreOf(widths: readonly { readonly fields: number; readonly count: number }[]): number {
  const records = widths.reduce((sum, { count }) => sum + count, 0);
  return Math.max(0, ...widths.map(({ fields, count }) => (count / records) ** 2 * (fields - 1)));
}

function widthsOf(head: Buffer, name: string, separator: string): RecordWidths {
  const records = new CsvRecords(name, separator);
  try {
    records.push(head);
    // A file that is a single line without a line end has no complete record, so its line counts. In other files, the last
    // record may be cut off, so it is left out.
    if (records.widths.counts().length === 0) records.end();
  } catch (error) {
    // An error is ignored here, because it may come from a wrong separator. Reading the rows reports real damage with its
    // place.
    if (!(error instanceof UnreadableError)) throw error;
  }
  return records.widths;
}
