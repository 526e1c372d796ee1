// How findings name places, shares and cells: the same words on the terminal, in reports, JSON and manifests.

import type { DimensionName } from '../../src/catalog/datasets.ts';
import type { AnyPattern } from '../compare/patterns/types.ts';
import type { Key, Revision } from '../compare/revision.ts';
import { amount, count, counted, exact, listed, percent } from '../messages/numbers.ts';
import { MANY_COUNTRIES } from './guard.ts';

/** `Malta, product Bingo, 2019`; `all countries` for the whole dataset. */
export function placeName({ country, year, ...rest }: Key): string {
  const others = Object.entries(rest).map(
    ([dimension, value]) => `${wordFor(dimension as DimensionName)} ${value === '' ? '(none)' : value}`,
  );
  const parts = [country ?? 'all countries', ...others, year].filter((part) => part !== undefined);
  return parts.join(', ');
}

/** `9 countries besides (Kenya, Malta, Peru, …)`: the place of the pattern that holds all remaining cells. */
export const furtherName = (countries: readonly string[]): string =>
  `${counted(countries.length, 'country', 'countries')} besides (${listed(countries)})`;

/** `all 220 values are`, `198 of 220 values are`, `the value is`. */
export function quantity(cells: number, of: number, one: string): string {
  if (cells < of) return `${count(cells)} of ${count(of)} ${one}s are`;
  return cells === 1 ? `the ${one} is` : `all ${count(cells)} ${one}s are`;
}

/** ` (32 % of the country's total, 0.3 % of the dataset's; Malta 2024 Bingo EUR 5,200 → 0)`; '' where there is nothing to say. */
export function sizeOf(pattern: AnyPattern): string {
  const parts = [sharesOf(pattern), examplesOf(pattern).join(', ')];
  const text = parts.filter((part) => part !== '').join('; ');
  return text === '' ? '' : ` (${text})`;
}

/** The same in lines: the shares, then each example. */
export const sizeLines = (pattern: AnyPattern): readonly string[] =>
  [sharesOf(pattern), ...examplesOf(pattern)].filter((line) => line !== '');

function sharesOf({ countryShare, datasetShare, place }: AnyPattern): string {
  const shares = [
    ...(countryShare > 0 && place.country !== undefined
      ? [`${share(countryShare)} of the country's total`]
      : []),
    ...(datasetShare === null || datasetShare === 0 ? [] : [`${share(datasetShare)} of the dataset's`]),
  ];
  return shares.join(', ');
}

const examplesOf = ({ examples, place }: AnyPattern): readonly string[] =>
  examples.map((example) => cell(example, place));

/** A share with two digits; `under …` for a tiny one. */
const share = (part: number): string =>
  part < 0.0001 ? 'under 0.01 %' : percent(Number(part.toPrecision(2)));

/** `2024 Bingo EUR: 5,200 → 0`, without the dimensions that the place names. */
export function cell({ key, from, to }: Revision, place: Key = {}): string {
  const { country, year, region: _, temporal: __, ...rest } = key;
  const names = [
    ...(place.country === undefined && country !== undefined ? [country] : []),
    ...(year === undefined ? [] : [year]),
    ...Object.entries(rest)
      .filter(([dimension, value]) => !(dimension in place) && value !== '')
      .map(([, value]) => value),
  ].join(' ');
  if (from === null && to === null) return names;
  if (from === null) return `${names}: ${amount(to)}`;
  if (to === null) return `${names}: ${amount(from)}`;
  return `${names}: ${exact(from)} → ${exact(to)}`;
}

const WORDS: Partial<Record<DimensionName, string>> = {
  fx: 'currency',
  fx_local_currency: 'local currency',
  sub_channel: 'sub-channel',
  country_type: 'type',
};

/** What people call a dimension. */
export const wordFor = (dimension: DimensionName): string => WORDS[dimension] ?? dimension;

/** ` of Malta and Spain`: the countries that had the value, when they are at most three of many. */
export const holders = (countries: readonly string[], all: number): string =>
  countries.length === 0 || countries.length > 3 || all < MANY_COUNTRIES ? '' : ` of ${listed(countries)}`;
