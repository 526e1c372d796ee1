// Holds the values of the dimensions in the current snapshot. A published value is not refused as a misspelling.

import { getOrInsert } from '../../src/basics/maps.ts';
import { DATASET_NAMES, type DatasetName, type DimensionName } from '../../src/catalog/datasets.ts';
import type { DatasetManifest } from '../../src/catalog/manifest.ts';

/** The part of a snapshot's manifest that lists its values. */
export interface KnownSnapshot {
  readonly datasets: {
    readonly [name in DatasetName]?: Pick<DatasetManifest, 'rows' | 'years' | 'dimensions'> | undefined;
  };
}

/** The values of a snapshot. */
export class KnownValues {
  /** The snapshot as plain data, which can be sent to another process. */
  readonly snapshot: KnownSnapshot;
  readonly #values = new Map<string, Set<string>>();
  readonly #datasets: ReadonlySet<DatasetName>;

  constructor({ datasets }: KnownSnapshot) {
    this.snapshot = { datasets };
    this.#datasets = new Set(DATASET_NAMES.filter((name) => (datasets[name]?.rows ?? 0) > 0));
    for (const name of DATASET_NAMES) {
      for (const [dimension, values] of Object.entries(datasets[name]?.dimensions ?? {})) {
        const all = getOrInsert(this.#values, dimension, () => new Set());
        for (const { value } of values) all.add(value);
      }
    }
  }

  /** Whether any dataset of the snapshot has this value. */
  has(dimension: DimensionName, value: string): boolean {
    return this.#values.get(dimension)?.has(value) ?? false;
  }

  /** The values of a dimension, from all datasets of the snapshot. */
  valuesOf(dimension: DimensionName): Iterable<string> {
    return this.#values.get(dimension) ?? [];
  }

  hasCountry(dataset: DatasetName, country: string): boolean {
    const countries = this.snapshot.datasets[dataset]?.dimensions.country ?? [];
    return countries.some(({ value }) => value === country);
  }

  hasYear(dataset: DatasetName, year: number): boolean {
    return this.snapshot.datasets[dataset]?.years.includes(year) ?? false;
  }

  /** Whether the snapshot has rows of a dataset. If it has none, the dataset is loaded for the first time. */
  hasRows(dataset: DatasetName): boolean {
    return this.#datasets.has(dataset);
  }
}
