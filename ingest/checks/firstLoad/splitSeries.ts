// Warns of series under two names that differ by one letter: `Online` until 2024, `Onlin` in 2025 or in another country.

import { type DatasetName, datasetOf } from '../../../src/catalog/datasets.ts';
import { differByOneLetter } from '../../messages/spelling.ts';
import { stagingColumn, stagingTable } from '../../staging/database/stagingTables.ts';
import type { SqlCheckInput } from '../checkInput.ts';
import { BESIDE_SERIES, columnsWithout, placeOfCellAt, queryStaging, rowCountText } from '../stagedPlaces.ts';
import type { UsedValue } from '../usedValues.ts';

/**
 * The examined dimensions. Names of countries are compared with country_reference instead. The names of two states may
 * rightly differ by one letter.
 */
const EXAMINED = ['category', 'product', 'channel', 'sub_channel'] as const;

/** The most values of an examined dimension. With more values, comparing all pairs takes too long. */
const MOST_VALUES = 500;

/**
 * The usual name has at least this many times the rows of a rare one. Names with similar numbers of rows are two values.
 */
const TIMES_AS_MANY_ROWS = 5;

/** The fewest letters of a rare name that is reported. Shorter words that differ by a letter are often two words. */
const FEWEST_LETTERS = 5;

/**
 * The most pairs that are examined, because each takes a query. More pairs are a scheme, such as `Table A` and `Table B`.
 */
const MOST_PAIRS = 20;

/**
 * Reports a value that continues the series of another value with nearly the same name, if the two share no year. Also
 * reports a value that is far rarer than another one with nearly its name, if no country has both.
 */
export async function checkSplitSeries(
  { staging, usedValues, problems }: SqlCheckInput,
  dataset: DatasetName,
): Promise<void> {
  const { dimensions } = datasetOf(dataset);
  for (const dimension of EXAMINED.filter((name) => dimensions.includes(name))) {
    const series = columnsWithout(dimensions, dimension, ...BESIDE_SERIES);
    const code = stagingColumn(dimension);
    for (const [rarer, other] of nearPairs(usedValues.in(dataset, dimension))) {
      const [[isSplit, isShared, isInOneCountry] = []] = await queryStaging(
        staging,
        `WITH figures AS (SELECT hash(${series.join(', ')}) AS series, country_code, year, ${code} AS code FROM ${stagingTable(dataset)}
            WHERE ${code} IN (${staging.code(rarer.text)}, ${staging.code(other.text)}) GROUP BY ALL),
          of_series AS (SELECT bool_or(code = ${staging.code(rarer.text)}) AS is_rarer, count(DISTINCT code) = 2 AS is_split,
            count(*) > count(DISTINCT year) AS is_shared FROM figures GROUP BY series)
        SELECT bool_and(is_split) FILTER (is_rarer), bool_or(is_shared),
          EXISTS (SELECT 1 FROM figures GROUP BY country_code HAVING count(DISTINCT code) = 2) FROM of_series`,
      );
      const place = placeOfCellAt(staging, rarer.first, dimension);
      const name = `${dimension} "${rarer.text}" (${rowCountText(rarer.rows)})`;
      if (isSplit === true && isShared === false)
        problems.add('warning', place, {
          problem: `${name} has years that "${other.text}" lacks in the same series, and nearly its name`,
          remedy: 'write them alike if they are one',
          kind: `a ${dimension} under two names in different years`,
        });
      else if (isInOneCountry === false && isRare(rarer, other))
        problems.add('warning', place, {
          problem: `${name} differs by a letter from "${other.text}", which only other countries have`,
          remedy: 'write them alike if they are one',
          kind: `a ${dimension} under two names in different countries`,
        });
    }
  }
}

/** Whether a name is so much rarer than another one that it looks like a typing error. */
const isRare = (rarer: UsedValue, other: UsedValue): boolean =>
  other.rows >= TIMES_AS_MANY_ROWS * rarer.rows && rarer.text.length >= FEWEST_LETTERS;

/** The pairs of values whose names differ by one letter and have the same digits. The value with fewer rows comes first. */
function nearPairs(values: readonly UsedValue[]): (readonly [rarer: UsedValue, other: UsedValue])[] {
  if (values.length > MOST_VALUES) return [];
  const pairs = values.flatMap((one, i) =>
    values
      .slice(i + 1)
      .filter(({ text }) => differByOneLetter(one.text, text))
      .map((other) => (one.rows < other.rows ? ([one, other] as const) : ([other, one] as const))),
  );
  return pairs.length > MOST_PAIRS ? [] : pairs;
}
