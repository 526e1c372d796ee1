// Compares two snapshots, or a month that is about to be published with the current snapshot.
// Rows are matched by all dimensions.

import { byDataset, DATASET_NAMES, type DatasetName, isFinancial } from '../../src/catalog/datasets.ts';
import type { BrokenRelation } from './brokenRelation.ts';
import { compareDataset, unchangedDataset } from './compareDataset.ts';
import { ComparisonEngine, threadsFor } from './comparisonEngine.ts';
import type { Comparison, DatasetComparison } from './comparisonTypes.ts';
import { ComparisonYears } from './comparisonYears.ts';
import { PatternThread } from './patterns/patternThread.ts';
import { relationsOfEachKind } from './relations/relations.ts';
import type { EarlierRows } from './rows/earlierRows.ts';
import type { MatchedRows } from './rows/matchedRows.ts';
import { matchRows } from './rows/matchRows.ts';
import { KnownMergers } from './sharedMergers.ts';
import type { Side } from './side.ts';

interface CompareOptions {
  /** A folder for data that exceeds the engine's memory. It need not exist. The caller removes it. */
  readonly spillDir: string;
  /** How many revisions, added rows and removed rows of each dataset are listed. All are counted. */
  readonly limit: number;
}

/** All differences between two sides. Needs at most 1 GB of memory for three million rows on each. */
export async function compare(before: Side, after: Side, options: CompareOptions): Promise<Comparison> {
  const engine = await ComparisonEngine.open(
    options.spillDir,
    threadsFor(rowsOfSide(before) + rowsOfSide(after)),
  );
  try {
    return await compareIn(engine, before, after, options);
  } finally {
    engine.close();
  }
}

/** Called with the matched rows of each dataset that is compared. */
export type OnMatched = (matched: MatchedRows) => void;

interface CompareInOptions extends Pick<CompareOptions, 'limit'> {
  /** Rows of the earlier side that were read in advance. */
  readonly earlier?: EarlierRows | null;
  readonly onMatched?: OnMatched | undefined;
  /**
   * The thread that finds patterns. With null, the calling thread finds them. If undefined, a thread is started for large
   * datasets.
   */
  readonly thread?: PatternThread | null;
}

/** Compares as `compare` does, in an engine that is already open. The engine must not have been used for a comparison. */
export async function compareIn(
  engine: ComparisonEngine,
  before: Side,
  after: Side,
  { limit, earlier = null, onMatched, thread: given }: CompareInOptions,
): Promise<Comparison> {
  const years = new ComparisonYears(before.month, after.month);
  const differs = (name: DatasetName) =>
    before.datasets[name].fingerprint !== after.datasets[name].fingerprint;
  // A relation can only break when one of its datasets differs.
  const relations = RELATED_DATASETS.some(differs) ? relationsOfEachKind() : [];
  const isSameLookup = (name: DatasetName) => !isFinancial(name) && !differs(name);
  const match = (name: DatasetName) => matchRows(engine, name, { before, after, years, earlier });
  const compared = DATASET_NAMES.filter((name) => !isSameLookup(name));
  const mayReadAhead = (name: DatasetName) => rowsOf(name, before, after) <= MOST_ROWS_READ_AHEAD;
  const isLarge = (name: DatasetName) => rowsOf(name, before, after) >= THREAD_FROM_ROWS;
  const needsThread = compared.some((name) => differs(name) && isLarge(name));
  const started = given === undefined && needsThread ? PatternThread.start() : null;
  const thread = given ?? started;
  const comparing: Promise<DatasetComparison>[] = [];
  const mergers = new KnownMergers();
  let broken: readonly BrokenRelation[] = [];
  try {
    for await (const matched of inOrder(compared, match, mayReadAhead)) {
      onMatched?.(matched);
      const comparison = compareDataset(matched, { before, after }, { limit, relations, thread, mergers });
      // Keeps Node from treating a failure as unhandled before it is awaited below.
      comparison.catch(() => {});
      comparing.push(comparison);
    }
    broken = relations.flatMap((one) => one.broken());
    await Promise.all(comparing);
  } finally {
    await started?.close();
  }
  return {
    before: { id: before.id, month: before.month },
    after: { id: after.id, month: after.month },
    closedBefore: years.closedBefore,
    datasets: byDatasetName(await Promise.all(comparing), before, after),
    relations: broken,
  };
}

/** The comparisons by dataset. Only lookups that did not change were not compared. */
function byDatasetName(
  compared: readonly DatasetComparison[],
  before: Side,
  after: Side,
): Comparison['datasets'] {
  const found = new Map(compared.map((one) => [one.dataset, one]));
  return byDataset((name) => {
    const manifests = { before: before.datasets[name], after: after.datasets[name] };
    return found.get(name) ?? unchangedDataset(name, manifests);
  });
}

/** Datasets with more rows, on both sides together, are not read in advance, because they would take too much memory. */
const MOST_ROWS_READ_AHEAD = 200_000;

/** The matched rows of one dataset after another. A small dataset is read while the previous dataset is compared. */
async function* inOrder(
  names: readonly DatasetName[],
  match: (name: DatasetName) => Promise<MatchedRows>,
  mayReadAhead: (name: DatasetName) => boolean,
): AsyncGenerator<MatchedRows> {
  let next: Promise<MatchedRows> | null = null;
  try {
    for (const [i, name] of names.entries()) {
      const matched = await (next ?? match(name));
      const following = names[i + 1];
      next = following !== undefined && mayReadAhead(following) ? match(following) : null;
      // Keeps Node from treating a failure as unhandled before it is awaited above.
      next?.catch(() => {});
      yield matched;
    }
  } finally {
    await Promise.allSettled([next]);
  }
}

/** The datasets whose figures are related to each other. */
const RELATED_DATASETS: readonly DatasetName[] = ['ggr', 'turnover', 'fx', 'country'];

/**
 * From this number of rows on, on both sides together, a thread finds the patterns of a dataset. The thread takes 15 MB.
 * For fewer rows, starting it takes as long as it saves.
 */
const THREAD_FROM_ROWS = 100_000;

const rowsOf = (name: DatasetName, ...sides: readonly Side[]): number =>
  sides.reduce((rows, { datasets }) => rows + datasets[name].rows, 0);

const rowsOfSide = ({ datasets }: Side) => Object.values(datasets).reduce((rows, one) => rows + one.rows, 0);
