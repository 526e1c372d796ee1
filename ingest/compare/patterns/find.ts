// Finds groups of cells that changed alike, each cell in at most one pattern: the most telling kind comes first.

import { type DatasetName, metricNames } from '../../../src/catalog/datasets.ts';
import type { Engine } from '../engine.ts';
import type { Keys } from '../keys.ts';
import type { DimensionChange, Pattern, RowChanges, Twin } from '../types.ts';
import type { Years } from '../years.ts';
import { findCopies } from './copies.ts';
import { findEarly, findRenamed, findSums, findTwice } from './rows.ts';
import { findShifts } from './shifts.ts';
import { findGone, findValuePatterns } from './values.ts';

/**
 * The patterns of a dataset. A cell that one step has told of is not looked at by the next:
 *
 * 1. rows renamed inside a country;
 * 2. reported figures of years that have not ended, rows that count twice, totals among their parts;
 * 3. values that became zero, empty, or of the other sign, as far as a whole group did; copies; other values;
 * 4. rows that are gone.
 *
 * Needs the tables of `withMatched`, `arrived` and `sumCells`.
 *
 * @param lastYear The last year that may have ended by the later side's month.
 */
export async function findPatterns(
  engine: Engine,
  dataset: DatasetName,
  keys: Keys,
  years: Years,
  changes: readonly DimensionChange[],
  twins: readonly Twin[],
  rows: RowChanges,
  lastYear: number,
): Promise<readonly Pattern[]> {
  const metrics = metricNames(dataset);
  if (metrics.length === 0) return [];
  const search = { engine, dataset, keys, years, metrics, rows };
  const counts = await findShifts(search);
  return [
    ...(await findRenamed(search, counts, twins)),
    ...(await findEarly(search, lastYear)),
    ...(await findTwice(search, counts)),
    ...(await findSums(search, counts)),
    ...(await findCopies(search, counts)),
    ...(await findValuePatterns(search, counts)),
    ...(await findGone(search, counts, changes)),
  ];
}
