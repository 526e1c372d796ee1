// Hashes the rows of large files while the month is compared, which takes one core most of the time.

import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { currentId, snapshotDirectory } from '../../src/catalog/dataDirectory.ts';
import { DATASET_NAMES, type DatasetName } from '../../src/catalog/datasets.ts';
import type { DatasetManifest, Manifest } from '../../src/catalog/manifest.ts';
import { readAnyManifest } from '../../src/catalog/verifyFiles.ts';
import { type DuckDBConnection, type DuckDb, openDuckDb } from '../../src/duckdb.ts';
import { type Described, fingerprinted } from '../store/files.ts';

/** The rows of smaller files are hashed at once. */
const MANY_ROWS = 100_000;

/** The fingerprint of a dataset that is compared before its rows are hashed: no dataset has it. */
const NOT_HASHED = 'not hashed yet';

type Datasets = Manifest['datasets'];

/** The written files of a month, described, and their fingerprints as they become known. */
export class Fingerprints {
  readonly #described: Readonly<Record<DatasetName, Described>>;
  readonly #manifests: Readonly<Record<DatasetName, Promise<DatasetManifest>>>;
  readonly #engine: DuckDb | null;

  private constructor(
    described: Readonly<Record<DatasetName, Described>>,
    manifests: Readonly<Record<DatasetName, Promise<DatasetManifest>>>,
    engine: DuckDb | null,
  ) {
    this.#described = described;
    this.#manifests = manifests;
    this.#engine = engine;
  }

  /**
   * Begins with the files of a folder.
   *
   * @param connection Hashes the rows of small files before this method returns. Large files get an engine of their own,
   * so that the caller can close the other and free its memory.
   */
  static async of(
    described: Readonly<Record<DatasetName, Described>>,
    directory: string,
    workDir: string,
    connection: DuckDBConnection,
  ): Promise<Fingerprints> {
    const isLarge = (name: DatasetName) => described[name].rows >= MANY_ROWS;
    const manifests: Partial<Record<DatasetName, Promise<DatasetManifest>>> = {};
    for (const name of DATASET_NAMES.filter((name) => !isLarge(name)))
      manifests[name] = Promise.resolve(await fingerprinted(connection, name, described[name], directory));
    const large = DATASET_NAMES.filter(isLarge);
    const settings = { memory_limit: '384MB', temp_directory: path.join(workDir, 'hashed') };
    const engine = large.length > 0 ? await openDuckDb({ settings }) : null;
    let before: Promise<unknown> = Promise.resolve();
    for (const name of large) {
      const hashing = before.then(() =>
        fingerprinted(engine?.connections[0] ?? connection, name, described[name], directory),
      );
      // What failed is thrown where the fingerprint is awaited.
      before = hashing.catch(() => {});
      manifests[name] = hashing;
    }
    return new Fingerprints(described, manifests as Record<DatasetName, Promise<DatasetManifest>>, engine);
  }

  /** The description of every dataset with its fingerprint. */
  async all(): Promise<Datasets> {
    const datasets: Partial<Record<DatasetName, DatasetManifest>> = {};
    for (const name of DATASET_NAMES) datasets[name] = await this.#manifests[name];
    return datasets as Datasets;
  }

  /**
   * The description of every dataset, for a comparison with the current snapshot. Only a dataset that may have the same rows
   * needs its fingerprint.
   */
  async compared(dataDir: string): Promise<Datasets> {
    const current = await currentId(dataDir);
    const manifest = current === null ? null : await readAnyManifest(snapshotDirectory(dataDir, current));
    const datasets: Partial<Record<DatasetName, DatasetManifest>> = {};
    for (const name of DATASET_NAMES) {
      const described = this.#described[name];
      const before = manifest?.datasets[name];
      const mayBeSame = before === undefined || isAlike(described, before);
      datasets[name] = mayBeSame ? await this.#manifests[name] : { ...described, fingerprint: NOT_HASHED };
    }
    return datasets as Datasets;
  }

  /** Waits until nothing is hashed any more. */
  async close(): Promise<void> {
    await Promise.allSettled(Object.values(this.#manifests));
    this.#engine?.close();
  }
}

/** Whether a written file has the same counts and sums as an earlier one, so that its rows may be the same. */
const isAlike = (described: Described, before: object): boolean =>
  COUNTED.every((key) => isDeepStrictEqual(described[key], (before as Partial<DatasetManifest>)[key]));

const COUNTED = ['rows', 'years', 'dimensions', 'metrics'] as const;
