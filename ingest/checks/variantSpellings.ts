// Warns of values in several spellings, of countries under several names, and of values that count up row by row.

import { type DatasetName, type DimensionName, datasetOf, isText } from '../../src/catalog/datasets.ts';
import { byCodePoints } from '../../src/catalog/textOrder.ts';
import { countryKey, countryKeyOfAnyLanguage } from '../messages/countryNames.ts';
import { looseKey } from '../messages/spelling.ts';
import type { CheckInput } from './checkInput.ts';
import { CountedUpValues } from './countedUpValues.ts';
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
    const counting = new CountedUpValues(dimension);
    for (const { text, rows, first } of acrossDatasets(datasets, dimension, usedValues)) {
      if (rows === 1) counting.note(text, () => placeOfCellAt(staging, first, dimension));
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
    counting.warn(problems);
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
