// Finds the character that separates the fields of a csv file.

import { UnreadableError } from '../../../messages/fault.ts';
import { CsvRecords } from './records.ts';
import type { RecordWidths } from './recordWidths.ts';

const SEPARATORS = [',', ';', '\t', '|'];

/**
 * The separator that gives most records at the beginning of the file the same number of fields, and many fields: the semicolon in
 * `2020;1,5`. For a file without any separator, it is the comma.
 */
export function findSeparator(head: Buffer, name: string): string {
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
    // A file that is a single line without a line end has no complete record, so its line counts. In other files, the last record
    // may be cut off, so it is left out.
    if (records.widths.counts().length === 0) records.end();
  } catch (error) {
    // An error is ignored here, because it may come from a wrong separator. Reading the rows reports real damage with its place.
    if (!(error instanceof UnreadableError)) throw error;
  }
  return records.widths;
}
