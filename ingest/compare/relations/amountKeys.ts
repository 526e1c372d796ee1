// Makes the keys of amounts: one number for a country, a currency and a year.

import { getOrInsert } from '../../../src/basics/maps.ts';
import type { Codes } from '../rows/codes.ts';

/** A country, a currency and a year as one number. The key minus 1 is the key of the year before. */
export type AmountKey = number;

/** The year of a key. */
export const yearOf = (key: AmountKey): number => key % MOST_YEARS;

/** The number that stands for a key's country and currency. It is the same for all years. */
export const seriesOf = (key: AmountKey): number => Math.floor(key / MOST_YEARS);

/** Years are below this number. A key is the number of the country and currency, times this number, plus the year. */
export const MOST_YEARS = 10_000;

const MOST_CURRENCIES = 100_000;

/**
 * Makes keys and reads them. All datasets share the numbers that stand for countries and currencies, unlike their codes.
 */
export class AmountKeys {
  readonly #countries = new TextNumbers();
  readonly #currencies = new TextNumbers();
  /** Pairs of a country and a currency, numbered in the order of their first use, so that keys are small integers. */
  readonly #pairs: { readonly country: number; readonly currency: number }[] = [];
  readonly #pairNumbers = new Map<number, number>();

  /** The number that stands for a country. */
  country(text: string | number): number {
    return this.#countries.numberOf(String(text));
  }

  /** @param country A number that `country` returned. */
  encode(country: number, currency: string | number, year: number): AmountKey {
    return this.#pairOf(country, this.#currencies.numberOf(String(currency))) * MOST_YEARS + year;
  }

  /** A function that makes keys of the codes of a dataset. */
  encoderOf(codes: Codes): (country: number, fx: number, year: number) => AmountKey {
    const countries = codes.values('country').map((country) => this.country(country));
    const currencies = codes.values('fx').map((fx) => this.#currencies.numberOf(String(fx)));
    const first = Number(codes.values('year')[0] ?? 0);
    return (country, fx, year) =>
      this.#pairOf(countries[country] as number, currencies[fx] as number) * MOST_YEARS + first + year;
  }

  decode(key: AmountKey): { country: string; fx: string; year: number } {
    const { country = 0, currency = 0 } = this.#pairs[seriesOf(key)] ?? {};
    return {
      country: this.#countries.textOf(country),
      fx: this.#currencies.textOf(currency),
      year: yearOf(key),
    };
  }

  countryOf(key: AmountKey): string {
    return this.#countries.textOf(this.#pairs[seriesOf(key)]?.country ?? 0);
  }

  #pairOf(country: number, currency: number): number {
    const both = country * MOST_CURRENCIES + currency;
    let pair = this.#pairNumbers.get(both);
    if (pair === undefined) {
      pair = this.#pairs.length;
      this.#pairNumbers.set(both, pair);
      this.#pairs.push({ country, currency });
    }
    return pair;
  }
}

/** Numbers texts in the order of their first use. */
class TextNumbers {
  readonly #texts: string[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(text: string): number {
    return getOrInsert(this.#numbers, text, () => this.#texts.push(text) - 1);
  }

  textOf(number: number): string {
    return this.#texts[number] ?? '';
  }
}
