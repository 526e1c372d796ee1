// Warns of values in several spellings, of countries under several names, and of values that count up row by row.

import { groupBy } from '../../src/basics/lists.ts';
import { type DatasetName, type DimensionName, datasetOf, isText } from '../../src/catalog/datasets.ts';
import { byCodePoints } from '../../src/catalog/textOrder.ts';
import { countryKey, countryKeyOfAnyLanguage } from '../messages/countryNames.ts';
import { count } from '../messages/numbers.ts';
import { looseKey } from '../messages/spelling.ts';
import type { CheckInput } from './checkInput.ts';
import { placeOfCellAt, rowCountText } from './stagedPlaces.ts';
import type { UsedValue, UsedValues } from './usedValues.ts';

/** Warns of a value in two spellings, of a country under two names, and of values that count up row by row. */
export function checkSpelling({
  staging,
  datasets,
  usedValues,
  publishedValues,
  problems,
}: CheckInput): void {
  const dimensions = [...new Set(datasets.flatMap((name) => datasetOf(name).dimensions))].filter(isText);
  for (const dimension of dimensions) {
    const usual = new Map<string, string>();
    const values = acrossDatasets(datasets, dimension, usedValues);
    for (const { text, rows, first } of values) {
      const spelling = looseKey(withoutMark(text));
      const key = (dimension === 'country' ? keyOfCountry(text, publishedValues) : spelling) || text;
      const other = usual.get(key);
      if (other === undefined) {
        usual.set(key, text);
        continue;
      }
      const isSpelling = spelling === looseKey(withoutMark(other));
      problems.add('warning', placeOfCellAt(staging, first, dimension), {
        problem: `${dimension} "${text}" (${rowCountText(rows)}) ${isSpelling ? `looks like "${other}" spelled differently` : `is another name of "${other}"`}`,
        remedy: isSpelling
          ? 'write them alike'
          : 'write one name, because its figures are split or count twice',
        kind: isSpelling ? `${dimension} spelled in two ways` : `${dimension} under two names`,
      });
    }
    warnOfCountedUp({ staging, problems }, dimension, values);
  }
}

/**
 * Names in other languages are recognised only where they are new, because few months have one, and the search takes 150
 * ms.
 */
const keyOfCountry = (text: string, known: CheckInput['publishedValues']): string =>
  known?.hasCountry('country_reference', text) === true
    ? countryKey(withoutMark(text))
    : countryKeyOfAnyLanguage(withoutMark(text));

/** The text without a footnote mark at its end: `Slots` for `Slots (1)` and `Slots*`. */
const withoutMark = (text: string): string =>
  text.replace(/(?<!\s)\s*(?:[([]\d{1,2}[)\]]|(?<![*†‡§])[*†‡§]+)$/u, '');

/** The values of a dimension in all datasets together, the most frequent ones first. */
function acrossDatasets(
  datasets: readonly DatasetName[],
  dimension: DimensionName,
  used: UsedValues,
): readonly UsedValue[] {
  const all = new Map<string, UsedValue>();
  for (const value of datasets.flatMap((dataset) => used.in(dataset, dimension))) {
    const before = all.get(value.text);
    if (before === undefined) all.set(value.text, value);
    else {
      const earlier = before.first < value.first ? before : value;
      all.set(value.text, { ...earlier, rows: before.rows + value.rows });
    }
  }
  return [...all.values()].sort((a, b) => b.rows - a.rows || byCodePoints(a.text, b.text));
}

/** The fewest values that count up. Two may be real names, such as `Slots 1` and `Slots 2`. */
const FEWEST_COUNTED_UP = 3;

/**
 * Warns of values of one row each that end in successive numbers (`Slots 1`, `Slots 2`, `Slots 3`): somebody dragged a cell
 * of a spreadsheet down.
 */
function warnOfCountedUp(
  { staging, problems }: Pick<CheckInput, 'staging' | 'problems'>,
  dimension: DimensionName,
  values: readonly UsedValue[],
): void {
  const numbered = values.flatMap(({ text, rows, first }) => {
    const parts = rows === 1 ? stemAndNumber(text) : null;
    return parts === null ? [] : [{ ...parts, text, place: first }];
  });
  for (const all of groupBy(numbered, ({ stem }) => stem).values()) {
    const sorted = all.toSorted((a, b) => a.number - b.number);
    const [first, second] = sorted;
    const isCounting = sorted.every(({ number }, i) => number === (first?.number ?? 0) + i);
    if (first === undefined || sorted.length < FEWEST_COUNTED_UP || !isCounting) continue;
    problems.add('warning', placeOfCellAt(staging, first.place, dimension), {
      problem: `${dimension} counts up over ${count(sorted.length)} rows: "${first.text}", "${second?.text}" …`,
      remedy: 'if the cell was dragged down, copy the one value into all of them',
      kind: `${dimension} counts up`,
    });
  }
}

/** The number of characters at the end of a value that are searched for a number. */
const MOST_DIGITS = 6;

/** A text with letters that ends in a number, as these two parts; null for any other text. */
export function stemAndNumber(text: string): { readonly stem: string; readonly number: number } | null {
  const [digits] = /(?<!\d)\d+$/.exec(text.slice(-MOST_DIGITS)) ?? [];
  if (digits === undefined) return null;
  const stem = text.slice(0, -digits.length).trimEnd();
  return /\p{L}/u.test(stem) ? { stem, number: Number(digits) } : null;
}
