// Hashes the rows of large files while the month is compared, because the comparison mostly uses one core.

import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { DATASET_NAMES, type DatasetName } from '../../../src/catalog/datasets.ts';
import type { DatasetManifest, Manifest } from '../../../src/catalog/manifest.ts';
import { type DuckDBConnection, type DuckDb, openDuckDb } from '../../../src/duckdb.ts';
import { type DraftDatasetManifest, fingerprintDatasets } from '../../store/writeDatasets.ts';
import { currentManifest } from './currentManifest.ts';

/**
 * When a file has this many rows, a separate DuckDB engine hashes all files, and the staging database can be closed
 * meanwhile.
 */
const MANY_ROWS = 100_000;

/** Takes the place of a fingerprint that is not computed yet. It equals the fingerprint of no dataset. */
const NOT_HASHED = 'not hashed yet';

type Datasets = Manifest['datasets'];

/** The descriptions of the written files of a month, and their fingerprints, which are computed in the background. */
export class Fingerprints {
  readonly #drafts: Readonly<Record<DatasetName, DraftDatasetManifest>>;
  readonly #manifests: Readonly<Record<DatasetName, Promise<DatasetManifest>>>;
  readonly #mayBeSame: (name: DatasetName) => boolean;
  readonly #engine: Promise<DuckDb> | null;

  private constructor(
    described: Readonly<Record<DatasetName, DraftDatasetManifest>>,
    manifests: Readonly<Record<DatasetName, Promise<DatasetManifest>>>,
    mayBeSame: (name: DatasetName) => boolean,
    engine: Promise<DuckDb> | null,
  ) {
    this.#drafts = described;
    this.#manifests = manifests;
    this.#mayBeSame = mayBeSame;
    this.#engine = engine;
  }

  /**
   * Begins to hash the files of a folder. The comparison waits for the files that may have the same rows as in the current
   * snapshot, so they are hashed first among the small files. The large files follow.
   *
   * @param connection The connection that hashes the rows when all files are small.
   */
  static async start(
    described: Readonly<Record<DatasetName, DraftDatasetManifest>>,
    directory: string,
    { workDir, dataDir }: { readonly workDir: string; readonly dataDir: string },
    connection: DuckDBConnection,
  ): Promise<Fingerprints> {
    const current = await currentManifest(dataDir);
    const mayBeSame = (name: DatasetName) => {
      const before = current?.datasets[name];
      return before === undefined || hasSameCounts(described[name], before);
    };
    const isLarge = (name: DatasetName) => described[name].rows >= MANY_ROWS;
    const small = DATASET_NAMES.filter((name) => !isLarge(name));
    const large = DATASET_NAMES.filter(isLarge);
    const together = [small.filter(mayBeSame), small.filter((name) => !mayBeSame(name))];
    // Two threads hash when the comparison waits for a large file. Otherwise one thread hashes while another one compares.
    const threads = large.some(mayBeSame) ? '2' : '1';
    const settings = { memory_limit: '384MB', temp_directory: path.join(workDir, 'hashed'), threads };
    // Opening the engine is not awaited, so that the month goes on. Hashing waits for it.
    const engine = large.length > 0 ? openDuckDb({ settings }) : null;
    const hasher =
      engine === null ? Promise.resolve(connection) : engine.then(({ connections: [one] }) => one);
    const groups = [...together, ...large.map((name) => [name])].filter(({ length }) => length > 0);
    const manifests = hashInTurn(groups, hasher, described, directory);
    return new Fingerprints(described, manifests, mayBeSame, engine);
  }

  /** Whether the connection given to `start` is in use until `close`. */
  get needsConnection(): boolean {
    return this.#engine === null;
  }

  /** Whether every dataset has as many rows as in the current snapshot, with the same counts and sums. */
  get mayAllBeSame(): boolean {
    return DATASET_NAMES.every(this.#mayBeSame);
  }

  async datasets(): Promise<Datasets> {
    return await this.#each((name) => this.#manifests[name]);
  }

  /**
   * The description of every dataset for the comparison with the current snapshot. Only datasets that may have the same
   * rows have real fingerprints, because the rows of the others are known to differ.
   */
  async datasetsToCompare(): Promise<Datasets> {
    return await this.#each((name) =>
      this.#mayBeSame(name) ? this.#manifests[name] : { ...this.#drafts[name], fingerprint: NOT_HASHED },
    );
  }

  async #each(of: (name: DatasetName) => DatasetManifest | Promise<DatasetManifest>): Promise<Datasets> {
    const datasets: Partial<Record<DatasetName, DatasetManifest>> = {};
    for (const name of DATASET_NAMES) datasets[name] = await of(name);
    return datasets as Datasets;
  }

  /** Waits until hashing has ended, and closes the engine. */
  async close(): Promise<void> {
    await Promise.allSettled(Object.values(this.#manifests));
    const opened = await this.#engine?.catch(() => null);
    opened?.close();
  }
}

/** Whether a written file has the same counts and sums as an earlier one, so that its rows may be the same. */
const hasSameCounts = (described: DraftDatasetManifest, before: object): boolean =>
  COUNTS.every((key) => isDeepStrictEqual(described[key], (before as Partial<DatasetManifest>)[key]));

const COUNTS = ['rows', 'years', 'dimensions', 'metrics'] as const;

/** Hashes one group of datasets after the other. Returns at once, with a promise for each dataset. */
function hashInTurn(
  groups: readonly (readonly DatasetName[])[],
  hasher: Promise<DuckDBConnection>,
  described: Readonly<Record<DatasetName, DraftDatasetManifest>>,
  directory: string,
): Record<DatasetName, Promise<DatasetManifest>> {
  const manifests: Partial<Record<DatasetName, Promise<DatasetManifest>>> = {};
  let before: Promise<unknown> = hasher.catch(() => {});
  for (const names of groups) {
    const ofGroup = Object.fromEntries(names.map((name) => [name, described[name]]));
    const hashing = before.then(async () => fingerprintDatasets(await hasher, ofGroup, directory));
    // The failure is not lost: each promise of the group is rejected with it.
    before = hashing.catch(() => {});
    for (const name of names) {
      const manifest = hashing.then((found) => found[name] as DatasetManifest);
      manifest.catch(() => {});
      manifests[name] = manifest;
    }
  }
  return manifests as Record<DatasetName, Promise<DatasetManifest>>;
}
