// Sends a dataset to the thread that finds its patterns. The rows stay in shared memory. Everything else is copied.

import type { DatasetName, DimensionName } from '../../../src/catalog/datasets.ts';
import type { DatasetManifest } from '../../../src/catalog/manifest.ts';
import { ComparisonYears } from '../comparisonYears.ts';
import { type CountrySums, receivedSums } from '../countrySums.ts';
import { type CodeArray, Rows } from '../rows/codedRows.ts';
import { Codes } from '../rows/codes.ts';
import type { MatchedRows } from '../rows/matchedRows.ts';
import type { Sides } from '../side.ts';
import type { PriorFindings } from './patterns.ts';

/** A dataset whose patterns are to be found. */
export interface DatasetToSearch {
  readonly matched: MatchedRows;
  readonly manifests: Sides<DatasetManifest>;
  readonly months: Sides<string>;
  readonly sums: CountrySums;
  readonly prior: PriorFindings;
}

/** The dataset in the form of a message. */
export interface PatternRequest extends Omit<DatasetToSearch, 'matched' | 'sums'> {
  readonly dataset: DatasetName;
  readonly sides: Sides<SentRows>;
  readonly sums: Pick<CountrySums, 'keys' | 'sums'>;
  /** The parts of `matched` that are plain data. */
  readonly plainParts: Pick<MatchedRows, 'metrics' | 'changed' | 'flags' | 'nationRowOf'>;
}

interface SentRows {
  readonly count: number;
  readonly codes: ReadonlyMap<DimensionName, CodeArray>;
  readonly values: readonly Float64Array[];
  /** The keys of whole rows, as `RowKeys.whole` gives them. */
  readonly keys: Float64Array | null;
}

/**
 * The message for the thread. The codes, values, keys and flags of its rows lie in shared memory, so they are not copied.
 */
export function requestOf({ matched, sums, ...others }: DatasetToSearch): PatternRequest {
  const { codes, metrics, changed, flags, nationRowOf } = matched;
  const sent = (rows: Rows): SentRows => ({
    count: rows.count,
    codes: new Map(codes.dimensions.map((dimension) => [dimension, rows.codes(dimension)])),
    values: metrics.map((_, metric) => rows.values(metric)),
    keys: codes.keys.whole(rows),
  });
  return {
    ...others,
    dataset: codes.dataset,
    sides: { before: sent(matched.before), after: sent(matched.after) },
    sums: { keys: sums.keys, sums: sums.sums },
    plainParts: { metrics, changed, flags, nationRowOf },
  };
}

/** Restores the dataset from a message. */
export function datasetOfRequest({
  dataset,
  sides,
  sums,
  plainParts,
  ...others
}: PatternRequest): DatasetToSearch {
  const { manifests, months } = others;
  const codes = new Codes(dataset, manifests.before, manifests.after);
  const received = (sent: SentRows): Rows => {
    const rows = new Rows(sent.count, sent.codes, sent.values);
    if (sent.keys !== null) codes.keys.cacheKeys(rows, sent.keys);
    return rows;
  };
  const [before, after] = [received(sides.before), received(sides.after)];
  const years = new ComparisonYears(months.before, months.after);
  const matched = { ...plainParts, codes, years, before, after };
  return { ...others, matched, sums: receivedSums(matched, sums) };
}
