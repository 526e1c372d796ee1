// Finds the separator of a csv.

import { UnreadableError } from '../raw.ts';
import { CsvRecords } from './records.ts';

const SEPARATORS = [',', ';', '\t', '|'];

/**
 * The separator that splits most records of the file's beginning into the same, large number of fields. In `2020;1,5`
 * it is the semicolon; without any separator it is a comma.
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
 * Scores the commonest number of fields: the fields beyond the first, times the squared share of records that have that
 * number.
 */
function scoreOf(found: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const width of found) counts.set(width, (counts.get(width) ?? 0) + 1);
  return Math.max(0, ...[...counts].map(([width, count]) => (count / found.length) ** 2 * (width - 1)));
}

function widths(head: Buffer, name: string, separator: string): readonly number[] {
  const found: number[] = [];
  const records = new CsvRecords(name, separator, (width) => found.push(width));
  try {
    records.push(head);
    // Without a complete record, the file is a single line without a line end. Otherwise the last record may be cut and
    // is left out.
    if (found.length === 0) records.end();
  } catch (error) {
    // The text is damaged, or only seems so with this separator. Reading the rows reports real damage with its place.
    if (!(error instanceof UnreadableError)) throw error;
  }
  return found;
}
