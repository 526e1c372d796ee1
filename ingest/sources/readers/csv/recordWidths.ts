// Counts the fields of records: one with more than the others likely has a separator inside a value, and one with fewer lacks one.

import type { Remark } from '../raw.ts';

export class RecordWidths {
  /** The number of records, by their number of fields. */
  readonly #counts = new Map<number, number>();
  /** By number of fields: how many of these records end in an empty field, and the line of the first that does. */
  readonly #openEnded = new Map<number, { count: number; readonly line: number }>();

  /** By number of fields: how many of these records end in a filled field, and whether any two of them follow each other. */
  readonly #closed = new Map<
    number,
    { count: number; readonly line: number; last: number; areAdjacent: boolean }
  >();
  /** Whether some of the records that were counted many at a time end in an empty field. */
  #someEndOpen = false;

  /** Counts a record. `filled` is its number of fields up to the last one that is not empty. */
  saw(fields: number, filled: number, line: number): void {
    const isFirst = this.#counts.size === 0;
    this.#counts.set(fields, (this.#counts.get(fields) ?? 0) + 1);
    if (filled === fields) {
      // A header may lack the heading of row numbers.
      if (!isFirst) this.#sawClosed(fields, line);
      return;
    }
    const seen = this.#openEnded.get(fields);
    if (seen === undefined) this.#openEnded.set(fields, { count: 1, line });
    else seen.count += 1;
  }

  #sawClosed(fields: number, line: number): void {
    const seen = this.#closed.get(fields);
    if (seen === undefined) this.#closed.set(fields, { count: 1, line, last: line, areAdjacent: false });
    else {
      seen.count += 1;
      seen.areAdjacent ||= line === seen.last + 1;
      seen.last = line;
    }
  }

  /** Counts many records with the same number of fields. `endOpen` says whether some of them end in an empty one. */
  sawMany(fields: number, count: number, endOpen: boolean): void {
    if (count > 0) this.#counts.set(fields, (this.#counts.get(fields) ?? 0) + count);
    this.#someEndOpen ||= endOpen;
  }

  remarks(): readonly Remark[] {
    const [most, ...others] = [...this.#counts].sort(([, a], [, b]) => b - a);
    if (most === undefined || most[1] === others[0]?.[1]) return [];
    return [...this.#remarkOnLonger(most[0]), ...this.#remarkOnShorter(most[0])];
  }

  /**
   * Warns of records that are longer than most and end in an empty field. `1,234,` under the years 2023 and 2024 would be
   * read as 1 and 234. Where the last field is filled, its value stands below no heading, which is an error.
   */
  #remarkOnLonger(most: number): readonly Remark[] {
    const longer = [...this.#openEnded].filter(([fields]) => fields > most);
    if (longer.length === 0) return [];
    const count = longer.reduce((sum, [, one]) => sum + one.count, 0);
    const lines = longer.map(([, one]) => one.line);
    const those = count === 1 ? '1 line has' : `${count} lines have`;
    return [
      {
        severity: 'warning',
        problem: `${those} more than the ${most} fields of most lines, and end${count === 1 ? 's' : ''} in an empty one: line ${Math.min(...lines)}${count === 1 ? '' : ' is the first'}`,
        remedy:
          'see that no value has a separator in it, which moves the values behind it; write such a value in quotes',
        kind: 'lines with more fields than most',
      },
    ];
  }
  /**
   * Tells of a few single records that lack one field: `12` under the years 2023 and 2024 in place of `1,2`. Some programs leave
   * out empty fields at the end of a record. That such a program wrote the file is ruled out where other records end in an empty
   * field; spreadsheet programs leave such fields out of many records in a row.
   */
  #remarkOnShorter(most: number): readonly Remark[] {
    const shorter = this.#closed.get(most - 1);
    if (most < FEWEST_FIELDS || shorter === undefined) return [];
    const { count, line, areAdjacent } = shorter;
    if (areAdjacent || count > MOST_SHORTER) return [];
    return [
      {
        severity: this.#someEndOpen || this.#openEnded.has(most) ? 'warning' : 'note',
        problem: `${count === 1 ? '1 line has' : `${count} lines have`} one field fewer than the ${most} of most lines: line ${line}${count === 1 ? '' : ' is the first'}`,
        remedy: 'see that no separator is missing, which moves the values behind it to the left',
        kind: 'lines with one field fewer than most',
      },
    ];
  }
}

/** A title or footnote of one sentence has fewer. */
const FEWEST_FIELDS = 6;

/** More such records are those of a program that leaves out empty fields. */
const MOST_SHORTER = 3;
