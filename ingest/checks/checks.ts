// Checks that need all rows: duplicates, countries and regions against the lookup, values spelled in two ways.

import {
  DATASET_NAMES,
  type DatasetName,
  datasetOf,
  dimensionOf,
  metricNames,
} from '../../src/catalog/datasets.ts';
import { placeOfCell, placeOfRow, printed } from '../messages/place.ts';
import type { Problems } from '../messages/problems.ts';
import { looseKey, nearest } from '../messages/spelling.ts';
import type { KnownValues } from '../staging/known.ts';
import { EVERY_METRIC, type Staging, stagingColumn, stagingTable } from '../staging/staging.ts';
import { checkCurrencies } from './currencies.ts';
import { checkFirstLoad } from './firstLoad.ts';
import { originOf, PLACE, ROW, rowCount, rowsOf, SOURCE, withSeveralRows } from './places.ts';
import { checkTotals } from './totals.ts';

/** Duplicates beyond this number are counted and not listed. */
const FETCHED = 1000;

/** Reports contradictions between the staged rows of the `present` datasets. */
export async function checkRows(
  staging: Staging,
  present: ReadonlySet<DatasetName>,
  problems: Problems,
  /** Datasets whose header lacks a column: their rows cannot be told apart. */
  incomplete: ReadonlySet<DatasetName>,
  /** The values of the current snapshot; null when there is none. */
  known: KnownValues | null,
  /** The month that is published, `2026-11`. */
  month: string,
): Promise<void> {
  const whole = DATASET_NAMES.filter((name) => present.has(name) && !incomplete.has(name));
  const several = await withSeveralRows({ staging, datasets: whole });
  for (const dataset of whole) {
    if (several.includes(dataset)) await checkDuplicates(staging, dataset, problems);
    if (several.includes(dataset) && metricNames(dataset).length === 0)
      await checkListedOnce(staging, dataset, problems);
    const { lookup } = datasetOf(dataset);
    if (lookup !== undefined && whole.includes(lookup)) await checkLookup(staging, dataset, lookup, problems);
  }
  await checkSpelling(staging, whole, problems);
  await checkCurrencies({ staging, datasets: whole }, known, problems);
  await checkTotals({ staging, datasets: whole }, known, problems);
  // Faulty and duplicate rows would make right figures look implausible.
  if (problems.count('error', 'unreadable') === 0)
    await checkFirstLoad({ staging, datasets: whole }, known, month, problems);
}

/** Reports rows that agree on all dimensions, with both places. */
async function checkDuplicates(staging: Staging, dataset: DatasetName, problems: Problems): Promise<void> {
  const { dimensions } = datasetOf(dataset);
  const key = dimensions.map(stagingColumn).join(', ');
  // Rows of a wide sheet hold one metric each, so rows of different metrics are no duplicates.
  const isDuplicate =
    metricNames(dataset).length > 1
      ? `count(*) > 1 AND (bool_or(_metric = ${EVERY_METRIC}) OR count(DISTINCT _metric) < count(*))`
      : 'count(*) > 1';
  const found = await rowsOf(
    staging,
    `WITH twice AS (SELECT ${key}, count(*) AS n, arg_min(rowid, ${PLACE}) AS one, arg_max(rowid, ${PLACE}) AS other
       FROM ${stagingTable(dataset)} GROUP BY ${key} HAVING ${isDuplicate})
     SELECT count(*) OVER ()::INTEGER, n::INTEGER, a._source, a._row, a._column, b._source, b._row, b._column,
       ${dimensions.map((d) => (dimensionOf(d).type === 'text' ? `(SELECT text FROM texts WHERE code = twice.${stagingColumn(d)})` : `twice.${d}`)).join(', ')}
     FROM twice JOIN ${stagingTable(dataset)} a ON a.rowid = one JOIN ${stagingTable(dataset)} b ON b.rowid = other
     ORDER BY b._source, b._row, b._column LIMIT ${FETCHED}`,
  );
  for (const [, n, source, row, column, otherSource, otherRow, otherColumn, ...values] of found) {
    const first = placeOfRow(originOf(staging, source), Number(row), Number(column));
    const again = placeOfRow(originOf(staging, otherSource), Number(otherRow), Number(otherColumn));
    const same = dimensions.flatMap((d, i) => (values[i] === '' ? [] : [`${d} ${values[i]}`])).join(', ');
    const times = Number(n) > 2 ? `, ${n} in all` : '';
    problems.add('error', again, {
      problem: `duplicate of ${printed(first)}${times} (${same})`,
      remedy: 'delete one of them',
      kind: 'duplicate rows',
    });
  }
  problems.addUnseen('error', Number(found[0]?.[0] ?? 0) - found.length);
}

/**
 * Reports countries that a lookup lists twice: an error in one region, because the rows would tie (ruling 13), and
 * a warning in two.
 */
async function checkListedOnce(staging: Staging, lookup: DatasetName, problems: Problems): Promise<void> {
  const key = datasetOf(lookup).dimensions.map(stagingColumn).join(', ');
  const again = `WITH distinct_rows AS (SELECT country_code, region_code, min(${PLACE}) AS place
      FROM ${stagingTable(lookup)} GROUP BY ${key}),
    listed AS (SELECT *, lag(place) OVER (PARTITION BY country_code ORDER BY place) AS before,
        count(*) OVER (PARTITION BY country_code, region_code ORDER BY place) > 1 AS same_region
      FROM distinct_rows)
    SELECT text, same_region, ${SOURCE}, ${ROW}, (before >> 46)::INTEGER, ((before >> 15) & 2147483647)::INTEGER
    FROM listed JOIN texts ON code = country_code WHERE before IS NOT NULL ORDER BY place`;
  for (const [country, sameRegion, source, row, sourceBefore, rowBefore] of await rowsOf(staging, again)) {
    const earlier = printed(placeOfRow(originOf(staging, sourceBefore), Number(rowBefore)));
    const place = placeOfCell(originOf(staging, source), Number(row), 'country');
    const how = sameRegion === true ? 'with another type' : 'in another region';
    problems.add(sameRegion === true ? 'error' : 'warning', place, {
      problem: `country "${country}" stands in ${earlier} already, ${how}`,
      remedy: 'keep one of them',
      kind: `a country stands twice, ${how}`,
    });
  }
}

/** Reports countries that the lookup does not list, or lists in another region: once per country and source. */
async function checkLookup(
  staging: Staging,
  dataset: DatasetName,
  lookup: DatasetName,
  problems: Problems,
): Promise<void> {
  const known = new Map<string, string[]>();
  const listed = `SELECT DISTINCT c.text, r.text FROM ${stagingTable(lookup)}
    JOIN texts c ON c.code = country_code JOIN texts r ON r.code = region_code ORDER BY ALL`;
  for (const [country, region] of await rowsOf(staging, listed)) {
    known.set(String(country), [...(known.get(String(country)) ?? []), String(region)]);
  }
  const used = `WITH used AS (SELECT country_code, region_code, _source, count(*)::INTEGER AS n, min(${PLACE}) AS place
      FROM ${stagingTable(dataset)} GROUP BY ALL)
    SELECT c.text, r.text, n, ${SOURCE}, ${ROW} FROM used
    JOIN texts c ON c.code = country_code JOIN texts r ON r.code = region_code ORDER BY place`;
  for (const [country, region, n, source, row] of await rowsOf(staging, used)) {
    const regions = known.get(String(country));
    const more = Number(n) > 1 ? ` (${rowCount(n)})` : '';
    const at = (column: string) => placeOfCell(originOf(staging, source), Number(row), column);
    if (regions === undefined) {
      const near = nearest(String(country), known.keys());
      problems.add('error', at('country'), {
        problem: `country "${country}" is not in ${lookup}${more}`,
        remedy: near === undefined ? 'correct it or add it there' : `did you mean "${near}"?`,
        kind: `a country is not in ${lookup}`,
      });
    } else if (!regions.includes(String(region))) {
      problems.add('error', at('region'), {
        problem: `region "${region}" disagrees with ${lookup}, where ${country} is in "${regions.join('" and "')}"${more}`,
        remedy: 'make them agree',
        kind: `a region disagrees with ${lookup}`,
      });
    }
  }
}

/** Warns of values of a dimension that differ only in case, accents or punctuation. */
async function checkSpelling(
  staging: Staging,
  datasets: readonly DatasetName[],
  problems: Problems,
): Promise<void> {
  const dimensions = [...new Set(datasets.flatMap((name) => datasetOf(name).dimensions))].filter(
    (d) => dimensionOf(d).type === 'text',
  );
  if (dimensions.length === 0) return;
  // One statement for all dimensions, because planning a statement for each costs more than running it.
  const used = dimensions.map((dimension, i) => {
    const all = datasets
      .filter((name) => datasetOf(name).dimensions.includes(dimension))
      .map(
        (name) => `SELECT ${stagingColumn(dimension)} AS code, ${PLACE} AS place FROM ${stagingTable(name)}`,
      )
      .join(' UNION ALL ');
    return `SELECT ${i} AS dimension, code, count(*)::INTEGER AS n, min(place) AS place FROM (${all}) GROUP BY code`;
  });
  const usual = new Map<string, string>();
  for (const [at, value, n, source, row] of await rowsOf(
    staging,
    `WITH used AS (${used.join(' UNION ALL ')})
     SELECT dimension, text, n, ${SOURCE}, ${ROW} FROM used JOIN texts USING (code) ORDER BY dimension, n DESC, text`,
  )) {
    const dimension = dimensions[Number(at)] ?? '';
    const text = String(value);
    // `Slots (1)` and `Slots*` are `Slots` with a footnote mark.
    const unmarked = text.replace(/\s*(?:[([]\d{1,2}[)\]]|[*†‡§]+)$/u, '');
    const key = JSON.stringify([at, looseKey(unmarked) || text]);
    const other = usual.get(key);
    if (other === undefined) {
      usual.set(key, text);
      continue;
    }
    problems.add('warning', placeOfCell(originOf(staging, source), Number(row), dimension), {
      problem: `${dimension} "${text}" (${rowCount(n)}) looks like "${other}" spelled differently`,
      remedy: 'write them alike',
      kind: `${dimension} spelled in two ways`,
    });
  }
}
