// Finds the character that separates the fields of a csv file.

import { addTo } from '../../../../src/maps.ts';
import { UnreadableError } from '../../../messages/fault.ts';
import { CsvRecords } from './records.ts';

const SEPARATORS = [',', ';', '\t', '|'];

/**
 * The separator that gives most records at the beginning of the file the same number of fields, and many fields: the semicolon in
 * `2020;1,5`. For a file without any separator, it is the comma.
 */
export function findSeparator(head: Buffer, name: string): string {
  let best = { separator: ',', score: 0 };
  for (const separator of SEPARATORS) {
    const score = scoreOf(widths(head, name, separator));
    if (score > best.score) best = { separator, score };
  }
  return best.separator;
}

/**
 * The score of a separator: the highest score of all numbers of fields that occur. A number of fields scores itself minus
 * 1, times the square of the share of records that have it.
 */
function scoreOf(found: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const width of found) addTo(counts, width, 1);
  return Math.max(0, ...[...counts].map(([width, count]) => (count / found.length) ** 2 * (width - 1)));
}

function widths(head: Buffer, name: string, separator: string): readonly number[] {
  const found: number[] = [];
  const records = new CsvRecords(name, separator, (width) => found.push(width));
  try {
    records.push(head);
    // A file that is a single line without a line end has no complete record, so its line counts. In other files, the last record
    // may be cut off, so it is left out.
    if (found.length === 0) records.end();
  } catch (error) {
    // An error is ignored here, because it may come from a wrong separator. Reading the rows reports real damage with its place.
    if (!(error instanceof UnreadableError)) throw error;
  }
  return found;
}
