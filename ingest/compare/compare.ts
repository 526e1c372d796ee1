// Compares two snapshots, or a month about to be published with the current one: exactly, by all dimensions.

import { DATASET_NAMES, type DatasetName, isFinancial, metricNames } from '../../src/catalog/datasets.ts';
import type { DatasetManifest } from '../../src/catalog/manifest.ts';
import { breakdownOf } from './breakdown.ts';
import { sumCells } from './cells.ts';
import { Engine, threadsFor } from './engine.ts';
import { newValuesOf } from './newValues.ts';
import { lastYearsOf } from './patterns/calledReported.ts';
import { findPatterns } from './patterns/find.ts';
import { findNewYears } from './patterns/newYears.ts';
import { Relations } from './relations/relations.ts';
import {
  arrivalsOf,
  coverageOf,
  dimensionChanges,
  lostValues,
  rowChanges,
  rowsOf,
  rowsOfValuesIn,
} from './rowChanges.ts';
import type { EarlierRows } from './rows/earlierRows.ts';
import { type Matched, matchedRows } from './rows/matched.ts';
import { findScaled } from './scaled.ts';
import type { Side } from './side.ts';
import { countryMovesOf, totalsOf } from './totals.ts';
import { findTwins } from './twins.ts';
import type { Comparison, DatasetComparison, MetricChanges, Total } from './types.ts';
import { metricChanges, revisionsOf } from './valueChanges.ts';
import { Years } from './years.ts';

export interface CompareOptions {
  /** Where the engine writes what exceeds its memory. It need not exist, and the caller removes it. */
  readonly spillDir: string;
  /** How many revisions, added rows and removed rows of each dataset are listed. All are counted. */
  readonly limit: number;
}

export type OnMatched = (matched: Matched) => void;

/** All differences from `before` to `after`. Uses at most 1 GB of memory for three million rows a side. */
export async function compare(before: Side, after: Side, options: CompareOptions): Promise<Comparison> {
  const engine = await Engine.open(options.spillDir, threadsFor(rowsOfSide(before) + rowsOfSide(after)));
  try {
    return await compareIn(engine, before, after, options.limit);
  } finally {
    engine.close();
  }
}

/**
 * The same in an engine that is open already, and in which nothing was compared before.
 *
 * @param earlier Rows of `before` that were read in advance.
 * @param onMatched Called with the matched rows of each dataset that is compared.
 */
export async function compareIn(
  engine: Engine,
  before: Side,
  after: Side,
  limit: number,
  earlier: EarlierRows | null = null,
  onMatched: OnMatched = () => {},
): Promise<Comparison> {
  const years = new Years(before.month, after.month);
  const differs = (name: DatasetName) =>
    before.datasets[name].fingerprint !== after.datasets[name].fingerprint;
  // A relation can only break when one of its datasets differs.
  const relations = RELATED.some(differs) ? [false, true].map((forecast) => new Relations({ forecast })) : [];
  const datasets: Partial<Record<DatasetName, DatasetComparison>> = {};
  const isSameLookup = (name: DatasetName) => !isFinancial(name) && !differs(name);
  const match = (name: DatasetName) => matchedRows(engine, name, { before, after, earlier }, years);
  const compared = DATASET_NAMES.filter((name) => !isSameLookup(name));
  const isFew = (name: DatasetName) => before.datasets[name].rows + after.datasets[name].rows <= FEW_ROWS;
  for await (const matched of inOrder(compared, match, isFew)) {
    onMatched(matched);
    datasets[matched.codes.dataset] = compareDataset(matched, before, after, limit, relations);
  }
  return {
    before: { id: before.id, month: before.month },
    after: { id: after.id, month: after.month },
    closedBefore: years.closedBefore,
    datasets: Object.fromEntries(
      DATASET_NAMES.map((name) => [
        name,
        datasets[name] ?? nothingDiffers(name, before.datasets[name], after.datasets[name], []),
      ]),
    ) as Record<DatasetName, DatasetComparison>,
    relations: relations.flatMap((one) => one.broken()),
  };
}

/** The most rows of both sides that are read in advance, because they take memory. */
const FEW_ROWS = 200_000;

/** The matched datasets one after another. Few rows are read while the dataset before them is compared. */
async function* inOrder(
  names: readonly DatasetName[],
  match: (name: DatasetName) => Promise<Matched>,
  isFew: (name: DatasetName) => boolean,
): AsyncGenerator<Matched> {
  let next: Promise<Matched> | null = null;
  try {
    for (const [i, name] of names.entries()) {
      const matched = await (next ?? match(name));
      const following = names[i + 1];
      next = following !== undefined && isFew(following) ? match(following) : null;
      // A failure is thrown where the promise is awaited.
      next?.catch(() => {});
      yield matched;
    }
  } finally {
    await Promise.allSettled([next]);
  }
}

/** The datasets of whose figures relations are checked. */
const RELATED: readonly DatasetName[] = ['ggr', 'turnover', 'fx', 'country'];

const rowsOfSide = ({ datasets }: Side) => Object.values(datasets).reduce((rows, one) => rows + one.rows, 0);

function compareDataset(
  matched: Matched,
  before: Side,
  after: Side,
  limit: number,
  relations: readonly Relations[],
): DatasetComparison {
  const { dataset } = matched.codes;
  const [old, fresh] = [before.datasets[dataset], after.datasets[dataset]];
  const isSame = old.fingerprint === fresh.fingerprint;
  const arrivals = arrivalsOf(matched);
  const hasYears = matched.codes.has('year');
  const noRows = new Map<number, number>();
  const cellsBefore = hasYears ? sumCells(matched, matched.before, noRows) : null;
  const cellsAfter =
    isSame || !hasYears ? cellsBefore : sumCells(matched, matched.after, arrivals.forecastOf);
  const hasCells = cellsBefore !== null && cellsAfter !== null;
  if (hasCells)
    for (const one of relations) one.collect(matched, { before: cellsBefore, after: cellsAfter }, arrivals);
  const totals = hasCells ? totalsOf(matched, cellsBefore, cellsAfter) : [];
  const unchanged = nothingDiffers(dataset, old, fresh, totals);
  if (isSame) return unchanged;
  const rows = rowChanges(matched, arrivals);
  const coverage = coverageOf(matched);
  const rowsOfValues = rowsOfValuesIn({ before: old, after: fresh }, coverage);
  const dimensions = dimensionChanges(matched, rowsOfValues);
  const twins = findTwins(matched, dimensions);
  const lastYears = lastYearsOf(after.month);
  return {
    ...unchanged,
    same: false,
    rows,
    dimensions,
    twins,
    newValues: old.rows === 0 ? [] : newValuesOf(matched, before, dimensions),
    lost: hasCells && rows.removed > 0 ? lostValues(matched, cellsBefore, cellsAfter) : [],
    metrics: metricChanges(matched, old, fresh),
    scaled: rows.revised === 0 ? [] : findScaled(matched),
    revisions: revisionsOf(matched, limit),
    added: rowsOf(matched, 'added', limit),
    removed: rowsOf(matched, 'removed', limit),
    coverage: coverage.filter((at) => at.before !== at.after),
    countryMoves: hasCells ? countryMovesOf(matched, cellsBefore, cellsAfter) : [],
    patterns: hasCells
      ? findPatterns(matched, { rows, arrivals, cells: cellsBefore, dimensions, twins, lastYears })
      : [],
    newYears:
      hasCells && rows.added > 0
        ? findNewYears(matched, coverage, cellsAfter, relations[0]?.ggrBeside(dataset) ?? null)
        : [],
    breakdown: breakdownOf(
      matched,
      arrivals,
      hasCells ? { before: cellsBefore, after: cellsAfter } : null,
      rowsOfValues,
    ),
  };
}

/** The comparison of a dataset with the same rows on both sides. */
function nothingDiffers(
  dataset: DatasetName,
  before: DatasetManifest,
  after: DatasetManifest,
  totals: readonly Total[],
): DatasetComparison {
  const metrics = metricNames(dataset).map((metric): [string, MetricChanges] => [
    metric,
    {
      revised: 0,
      sizes: [],
      filled: 0,
      emptied: 0,
      nullsBefore: before.metrics[metric]?.nulls ?? 0,
      nullsAfter: after.metrics[metric]?.nulls ?? 0,
      closedValues: 0,
      closedRevised: 0,
      closedCountries: 0,
      closedMost: null,
      closedLargest: [],
    },
  ]);
  return {
    dataset,
    same: true,
    carried: after.carried,
    rows: { before: before.rows, after: after.rows, added: 0, removed: 0, revised: 0, arrived: 0 },
    countries: after.dimensions.country?.length ?? 0,
    dimensions: [],
    twins: [],
    newValues: [],
    lost: [],
    metrics: Object.fromEntries(metrics),
    totals,
    scaled: [],
    revisions: [],
    added: [],
    removed: [],
    coverage: [],
    countryMoves: [],
    patterns: [],
    newYears: [],
    breakdown: { countries: [], dimensions: [] },
  };
}
