// Counts the fields of records: one with more fields than the others likely has a separator inside a value.

import type { Remark } from '../raw.ts';

export class RecordWidths {
  /** The number of records, by their number of fields. */
  readonly #counts = new Map<number, number>();
  /** By number of fields: how many of these records end in an empty field, and the line of the first that does. */
  readonly #openEnded = new Map<number, { count: number; readonly line: number }>();

  /** Counts a record. `filled` is its number of fields up to the last one that is not empty. */
  saw(fields: number, filled: number, line: number): void {
    this.#counts.set(fields, (this.#counts.get(fields) ?? 0) + 1);
    if (filled === fields) return;
    const seen = this.#openEnded.get(fields);
    if (seen === undefined) this.#openEnded.set(fields, { count: 1, line });
    else seen.count += 1;
  }

  /** Counts many records with the same number of fields. */
  sawMany(fields: number, count: number): void {
    if (count > 0) this.#counts.set(fields, (this.#counts.get(fields) ?? 0) + count);
  }

  /**
   * Warns of records that are longer than most and end in an empty field. `1,234,` under the years 2023 and 2024 would be
   * read as 1 and 234. Where the last field is filled, its value stands below no heading, which is an error.
   */
  remarks(): readonly Remark[] {
    const [most, ...others] = [...this.#counts].sort(([, a], [, b]) => b - a);
    if (most === undefined || most[1] === others[0]?.[1]) return [];
    const longer = [...this.#openEnded].filter(([fields]) => fields > most[0]);
    if (longer.length === 0) return [];
    const count = longer.reduce((sum, [, one]) => sum + one.count, 0);
    const lines = longer.map(([, one]) => one.line);
    const those = count === 1 ? '1 line has' : `${count} lines have`;
    return [
      {
        severity: 'warning',
        problem: `${those} more than the ${most[0]} fields of most lines, and end${count === 1 ? 's' : ''} in an empty one: line ${Math.min(...lines)}${count === 1 ? '' : ' is the first'}`,
        remedy:
          'see that no value has a separator in it, which moves the values behind it; write such a value in quotes',
        kind: 'lines with more fields than most',
      },
    ];
  }
}
