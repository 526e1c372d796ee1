// Reports values such as `Total`, `n/a`, `#REF!` or `0.5`, and rows whose figures are sums of all rows beside them.
//
// In a first load, `firstLoad/partialSums.ts` reports rows that are the sum of some of the rows beside them.

import {
  type DatasetName,
  DIMENSION_NAMES,
  type DimensionName,
  datasetOf,
  dimensionOf,
  isFinancial,
  isText,
} from '../../src/catalog/datasets.ts';
import { count } from '../messages/numbers.ts';
import { looseKey } from '../messages/spelling.ts';
import { numberInText } from '../staging/cellValues.ts';
import { stagingColumn, stagingTable } from '../staging/database/stagingTables.ts';
import {
  hasNoNumbers,
  isErrorText,
  isFormulaText,
  isPlaceholderValue,
  isTotal,
  mentionsTotal,
  saysTotal,
} from '../staging/numbers/placeholders.ts';
import type { CheckInput } from './checkInput.ts';
import { columnsWithout, PLACE_SQL, placeOfCellAt, queryStaging, rowCountText } from './stagedPlaces.ts';
import { SUMMED_DIMENSIONS, type Suspects, sumsOver } from './suspects.ts';
import type { UsedValue } from './usedValues.ts';

/**
 * Reports values of dimensions that are no names:
 *
 * - Words for totals are an error, unless the current snapshot has the value.
 * - Words for missing values and formulas are a warning.
 * - A value whose figures are the sum of others is a warning, and an error when its name says so too.
 */
export async function checkTotals(input: CheckInput, suspects: Suspects): Promise<void> {
  const { staging, datasets, datasetsWithSeveralRows, problems } = input;
  for (const dataset of datasets) {
    const dimensions = NAMED_DIMENSIONS.filter((dimension) =>
      datasetOf(dataset).dimensions.includes(dimension),
    );
    for (const dimension of dimensions) {
      const { reported, named } = reportWords(input, dataset, dimension);
      if (datasetsWithSeveralRows.includes(dataset) && SUMMED_DIMENSIONS.has(dimension))
        await checkSums(input, suspects, { dataset, dimension, reported });
      for (const { text, first, rows } of named.filter(({ text }) => !reported.has(text))) {
        const isGroup = isGroupIn(dataset, dimension, text);
        const what = isGroup ? 'names a group of countries' : 'is named like a sum of other rows';
        problems.add('warning', placeOfCellAt(staging, first, dimension), {
          problem: `${dimension} "${text}" ${what} (${rowCountText(rows)})`,
          remedy: isGroup
            ? 'if other rows have its members, delete its rows: they would be counted twice'
            : 'if it is one, delete its rows: they would be counted twice',
          kind: isGroup ? 'a group of countries' : `${dimension} named like a sum`,
        });
      }
    }
  }
}

/** Whether a value is a group of countries, such as `European Union`, in a dataset with metrics. */
const isGroupIn = (dataset: DatasetName, dimension: DimensionName, text: string): boolean =>
  dimension === 'country' && isFinancial(dataset) && COUNTRY_GROUPS.has(looseKey(text).replace(/^the/, ''));

/** Groups of countries. `Rest of Europe` is none, because it excludes the countries that have rows. */
const COUNTRY_GROUPS: ReadonlySet<string> = new Set(
  [
    ...['European Union', 'EU', 'EU-15', 'EU-25', 'EU-27', 'EU-28', 'EEA', 'Euro area', 'Eurozone', 'EMU'],
    ...['OECD', 'OECD members', 'G7', 'G8', 'G20', 'BRICS', 'ASEAN', 'GCC', 'CIS', 'Commonwealth'],
    ...['EMEA', 'MENA', 'APAC', 'LATAM', 'DACH', 'Benelux', 'Nordics', 'Nordic countries', 'Scandinavia'],
    ...['Baltics', 'Baltic states', 'Balkans', 'Iberia', 'British Isles', 'Gulf states', 'Middle East'],
    ...['Europe', 'Western Europe', 'Eastern Europe', 'Central Europe', 'Northern Europe', 'Southern Europe'],
    ...['Africa', 'North Africa', 'Northern Africa', 'Sub-Saharan Africa', 'West Africa', 'East Africa'],
    ...['Southern Africa', 'Middle Africa', 'Central Africa', 'Asia', 'Asia Pacific', 'Asia & Pacific'],
    ...['East Asia', 'Eastern Asia', 'South Asia', 'Southern Asia', 'Southeast Asia', 'South-eastern Asia'],
    ...['Central Asia', 'Western Asia', 'East Asia & Pacific', 'Europe & Central Asia', 'Oceania'],
    ...['Americas', 'North America', 'Northern America', 'Central America', 'South America', 'Latin America'],
    ...['Latin America & Caribbean', 'Latin America and the Caribbean', 'Latin America and Caribbean'],
    ...['Caribbean', 'Middle East & North Africa', 'Middle East and North Africa', 'Australasia'],
    ...['High income', 'Upper middle income', 'Middle income', 'Lower middle income', 'Low income'],
    ...['Developed markets', 'Emerging markets', 'Developing countries', 'Least developed countries'],
  ].map(looseKey),
);

/** The dimensions in which people write totals and placeholders. */
const NAMED_DIMENSIONS = DIMENSION_NAMES.filter(
  (name) => isText(name) && dimensionOf(name).form === undefined,
);

interface DimensionToSum {
  readonly dataset: DatasetName;
  readonly dimension: DimensionName;
  readonly reported: Set<string>;
}

/** The values of a dimension with a suspicious text. */
interface SuspiciousTexts {
  readonly reported: Set<string>;
  /** Values that are named like sums or groups. Whether they are reported depends on their figures. */
  readonly named: UsedValue[];
}

/** A fault that the text of a value shows, whatever figures its rows have. */
interface WordFault {
  readonly is: (text: string, dimension: DimensionName) => boolean;
  /** The words for the fault, behind the value: `is a formula`. */
  readonly what: string;
  readonly remedy: string | ((dimension: DimensionName) => string);
}

/** The faults. The first one that a text has explains it best. Values of the current snapshot are not examined. */
const WORD_FAULTS: readonly WordFault[] = [
  { is: isFormulaText, what: 'is a formula', remedy: 'write the value that the formula should give' },
  {
    is: isErrorText,
    what: 'is the error of a formula',
    remedy: 'write the value that the formula should give',
  },
  {
    is: isPlaceholderValue,
    what: 'looks like a word for no value',
    remedy: (dimension) =>
      dimension === 'state'
        ? 'leave the cell empty where there is no state'
        : 'write the value, or delete the row',
  },
  {
    is: (text, dimension) => hasNoNumbers(dimension) && numberInText(text) !== undefined,
    what: 'is a number',
    remedy: 'check whether the row lacks a separator or a field, which moves the values after it to the left',
  },
];

/** Reports words for totals and missing values, formulas, and numbers in dimensions that never have numbers. */
function reportWords(
  { staging, usedValues, publishedValues, problems }: CheckInput,
  dataset: DatasetName,
  dimension: DimensionName,
): SuspiciousTexts {
  const values = usedValues.in(dataset, dimension);
  const reported = new Set<string>();
  const named: SuspiciousTexts['named'] = [];
  for (const value of values) {
    const { text, rows, first } = value;
    const isKnown = publishedValues?.has(dimension, text) === true;
    const place = placeOfCellAt(staging, first, dimension);
    if (isTotal(text)) {
      // The only value of a dimension cannot be the sum of other rows.
      if (values.length === 1) continue;
      reported.add(text);
      problems.add(isKnown ? 'warning' : 'error', place, {
        problem: `${dimension} "${text}" names a sum of other rows (${rowCountText(rows)})`,
        remedy: 'delete the rows of totals: they would be counted twice',
        kind: `${dimension} names a sum of other rows`,
      });
      continue;
    }
    const fault = isKnown ? undefined : WORD_FAULTS.find(({ is }) => is(text, dimension));
    if (fault !== undefined) {
      reported.add(text);
      const { what, remedy } = fault;
      problems.add('warning', place, {
        problem: `${dimension} "${text}" ${what} (${rowCountText(rows)})`,
        remedy: typeof remedy === 'string' ? remedy : remedy(dimension),
        kind: `${dimension} ${what}`,
      });
    } else if (!isKnown && (saysTotal(text) || isGroupIn(dataset, dimension, text))) named.push(value);
  }
  return { reported, named };
}

/**
 * Reports values whose rows equal the sum of at least two other rows that agree in all other dimensions, and adds them to
 * `reported`. Among states, it leaves out rows without a state, because the nation is rightly the sum of its states.
 */
async function checkSums(
  { staging, problems }: CheckInput,
  suspects: Suspects,
  { dataset, dimension, reported }: DimensionToSum,
): Promise<void> {
  const { dimensions } = datasetOf(dataset);
  for (const over of sumsOver(dataset, dimension)) {
    if (!suspects.haveSums(dataset, over)) continue;
    const { metric } = over;
    const key = columnsWithout(dimensions, ...over.without);
    const rows = `(SELECT *, rowid AS id FROM ${stagingTable(dataset)} WHERE ${metric} <> 0${
      dimension === 'state' ? ` AND state_code <> ${staging.code('')}` : ''
    })`;
    const groups = `SELECT ${key.join(', ')}, arg_max(id, ${metric}) AS top, max(${metric}) AS most, sum(${metric}) AS total
      FROM ${rows} GROUP BY ${key.join(', ')} HAVING count(*) > 2`;
    const found = await queryStaging(
      staging,
      `WITH groups AS (${groups}),
        sums AS (SELECT ${stagingColumn(dimension)} AS code, count(*)::INTEGER AS n, min(${PLACE_SQL}) AS place
          FROM groups JOIN ${stagingTable(dataset)} t ON t.rowid = top
          WHERE abs(2 * most - total) <= 1e-9 * most GROUP BY code)
      SELECT code, n, place,
        (SELECT count(*) FROM ${rows} r JOIN groups USING (${key.join(', ')}) WHERE r.${stagingColumn(dimension)} = code)::INTEGER
      FROM sums ORDER BY place`,
    );
    for (const [value, n, place, occurrences] of found) {
      const text = staging.text(value);
      // Among many rounded figures, some are the sum of others by chance. So at least half of the value's rows must be
      // sums.
      if (reported.has(text) || Number(n) * 2 < Number(occurrences)) continue;
      reported.add(text);
      const isNamedSo = mentionsTotal(text);
      problems.add(isNamedSo ? 'error' : 'warning', placeOfCellAt(staging, place as bigint, dimension), {
        problem: `${metric} of ${dimension} "${text}" is the sum of the other rows ${casesOf(Number(n), Number(occurrences))}`,
        remedy: 'if it is their total, delete its rows: they would be counted twice',
        kind: `a ${dimension} is the sum of the others`,
      });
    }
  }
}

/** The number of cases in words: `in all 40 cases`, `in 38 of 40 cases`. */
function casesOf(some: number, all: number): string {
  if (some < all) return `in ${count(some)} of ${count(all)} cases`;
  return all === 1 ? 'in the only case' : `in all ${count(all)} cases`;
}
