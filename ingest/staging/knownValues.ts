// The values of the current snapshot: a value that is published already is not refused as a misspelling.

import { DATASET_NAMES, type DatasetName, type DimensionName } from '../../src/catalog/datasets.ts';
import type { AnyManifest } from '../../src/catalog/manifest.ts';

/** What is known of a snapshot. */
export type KnownSnapshot = Pick<AnyManifest, 'datasets'>;

export class KnownValues {
  /** What the values come from, to be sent to another process. */
  readonly snapshot: KnownSnapshot;
  readonly #values = new Map<string, Set<string>>();
  readonly #datasets: ReadonlySet<DatasetName>;

  constructor({ datasets }: KnownSnapshot) {
    this.snapshot = { datasets };
    this.#datasets = new Set(DATASET_NAMES.filter((name) => (datasets[name]?.rows ?? 0) > 0));
    for (const name of DATASET_NAMES) {
      for (const [dimension, values] of Object.entries(datasets[name]?.dimensions ?? {})) {
        const all = this.#values.get(dimension) ?? new Set();
        this.#values.set(dimension, all);
        for (const { value } of values) all.add(value);
      }
    }
  }

  /** Whether any dataset of the snapshot has this value. */
  has(dimension: DimensionName, value: string): boolean {
    return this.#values.get(dimension)?.has(value) ?? false;
  }

  /** The values that datasets of the snapshot have. */
  of(dimension: DimensionName): Iterable<string> {
    return this.#values.get(dimension) ?? [];
  }

  /** Whether the snapshot has rows of a dataset: without them it is loaded for the first time. */
  hasRowsOf(dataset: DatasetName): boolean {
    return this.#datasets.has(dataset);
  }
}
