// Collects the countries and years with a row that differs in any dataset. No relation can have broken in any other year.

import type { Rows } from '../rows/codedRows.ts';
import type { MatchedRows } from '../rows/matchedRows.ts';
import { type AmountKeys, MOST_YEARS } from './amountKeys.ts';

/** The countries and years whose relations are checked. */
export class ConcernedYears {
  readonly #keys: AmountKeys;
  readonly #years = new Set<number>();

  constructor(keys: AmountKeys) {
    this.#keys = keys;
  }

  get isEmpty(): boolean {
    return this.#years.size === 0;
  }

  /** @param country The country's number in `AmountKeys`. */
  has(country: number, year: number): boolean {
    return this.#years.has(yearOf(country, year));
  }

  /** @param list The indexes in `changed` of the changes to add; null adds all of them. */
  add({ codes, changed, before, after }: MatchedRows, list: Int32Array | null): void {
    const countries = codes.values('country').map((country) => this.#keys.country(country));
    const first = Number(codes.values('year')[0] ?? 0);
    const count = list?.length ?? changed.count;
    const note = (indexes: Int32Array, others: Int32Array, rows: Rows) => {
      const [countryCodes, years] = [rows.codes('country'), rows.codes('year')];
      for (let at = 0; at < count; at += 1) {
        const i = list === null ? at : (list[at] as number);
        const row = indexes[i] as number;
        if (row < 0) continue;
        const country = countries[countryCodes[row] as number] as number;
        const year = first + (years[row] as number);
        this.#years.add(yearOf(country, year));
        // An added or removed row changes whether its year is new. A new year is compared with the year before.
        if ((others[i] as number) < 0) this.#years.add(yearOf(country, year - 1));
      }
    };
    note(changed.before, changed.after, before);
    note(changed.after, changed.before, after);
  }
}

/** One number for a country and a year. */
const yearOf = (country: number, year: number): number => country * MOST_YEARS + year;
