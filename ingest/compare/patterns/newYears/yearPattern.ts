// Makes the pattern of a new year from the fields in which such patterns differ.

import type { DimensionName } from '../../../../src/catalog/datasets.ts';
import type { Codes } from '../../rows/codes.ts';
import type { YearPattern } from '../patternTypes.ts';
import type { NewYear } from './yearRows.ts';

/** The fields in which patterns of new years differ. Defaults: `of` is `cells`, `effect` is `countryShare`, which is 0. */
export type YearPatternFacts = Pick<YearPattern, 'family' | 'metric' | 'place' | 'forecast' | 'cells'> &
  Partial<
    Pick<YearPattern, 'of' | 'further' | 'countryShare' | 'effect' | 'datasetShare' | 'ratio' | 'examples'>
  > & {
    /** The dimension and its two values: the years, or the values whose figures are equal or exchanged. */
    readonly between: readonly [dimension: DimensionName, from: string | number, to: string | number];
  };

/**
 * Two fields of the pattern of a year that a country begins: `place`, and `between` with the compared year and the new one.
 *
 * @param part The part of the country that the place names, such as a product; empty for the whole country.
 */
export function placeInYear(
  codes: Codes,
  { country, year, comparedYear }: NewYear,
  part: YearPattern['place'] = {},
): Pick<YearPatternFacts, 'place' | 'between'> {
  const [from, to] = [codes.valueOf('year', comparedYear), codes.valueOf('year', year)];
  return {
    place: { country: codes.valueOf('country', country), ...part, year: to },
    between: ['year', from, to],
  };
}

/** The pattern with these facts. All fields that patterns of new years do not use are empty. */
export function yearPattern({ between, countryShare = 0, ...facts }: YearPatternFacts): YearPattern {
  const [dimension, from, to] = between;
  return {
    of: facts.cells,
    further: null,
    effect: countryShare,
    datasetShare: null,
    ratio: null,
    examples: [],
    ...facts,
    countryShare,
    historyShare: countryShare,
    between: { dimension, pairs: [{ from, to, cells: facts.cells }] },
  };
}
