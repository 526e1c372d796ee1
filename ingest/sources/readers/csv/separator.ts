// Finds the separator of a csv.

import { UnreadableError } from '../raw.ts';
import { CsvRecords } from './records.ts';

const SEPARATORS = [',', ';', '\t', '|'];

/**
 * The separator under which most records of the file's beginning are equally wide, and wide: in `2020;1,5` it
 * is the semicolon. A comma when none splits anything.
 */
export function findSeparator(head: Buffer, name: string): string {
  let best = { separator: ',', score: 0 };
  for (const separator of SEPARATORS) {
    const score = scoreOf(widths(head, name, separator));
    if (score > best.score) best = { separator, score };
  }
  return best.separator;
}

/** A score for the commonest width: the fields it splits off, times the squared share of records that have it. */
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
    // A file of one line ends before its record does; otherwise the last one may be cut.
    if (found.length === 0) records.end();
  } catch (error) {
    // Wrong under this separator, or wrong altogether: then reading the rows will say where.
    if (!(error instanceof UnreadableError)) throw error;
  }
  return found;
}
