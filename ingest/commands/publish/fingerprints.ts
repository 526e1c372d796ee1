// Hashes the rows of large files while the month is compared, because the comparison mostly uses one core.

import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { DATASET_NAMES, type DatasetName } from '../../../src/catalog/datasets.ts';
import type { DatasetManifest, Manifest } from '../../../src/catalog/manifest.ts';
import { type DuckDBConnection, openDuckDb } from '../../../src/duckdb.ts';
import { type DraftDatasetManifest, fingerprintDatasets } from '../../store/writeDatasets.ts';
import { currentManifest } from './currentManifest.ts';
import type { Workplace } from './workplace.ts';

/**
 * When a file has this many rows, a separate DuckDB engine hashes all files, and the staging database can be closed
 * meanwhile.
 */
const LARGE_FILE_ROWS = 100_000;

/** Takes the place of a fingerprint that is not computed yet. It equals the fingerprint of no dataset. */
const NOT_HASHED = 'not hashed yet';

type Datasets = Manifest['datasets'];
type Drafts = Readonly<Record<DatasetName, DraftDatasetManifest>>;

/** The descriptions of the written files of a month, and their fingerprints, which are computed in the background. */
export interface Fingerprints {
  /** Whether the connection given to `startFingerprints` computes them. */
  readonly usesConnection: boolean;
  /** Whether every dataset has as many rows as in the current snapshot, with the same counts and sums. */
  readonly mayAllBeSame: boolean;
  /** Waits for the fingerprints of all datasets. */
  readonly datasets: () => Promise<Datasets>;
  /**
   * The description of every dataset for the comparison with the current snapshot. Only datasets that may have the same
   * rows have real fingerprints, because the rows of the others are known to differ.
   */
  readonly datasetsToCompare: () => Promise<Datasets>;
}

/**
 * Begins to hash the files of a month. The comparison waits for the files that may have the same rows as in the current
 * snapshot, so they are hashed first among the small files. The large files follow.
 *
 * @param connection The connection that hashes the rows when all files are small.
 */
export async function startFingerprints(
  drafts: Drafts,
  { scope, workDir, directory }: Workplace,
  dataDir: string,
  connection: DuckDBConnection,
): Promise<Fingerprints> {
  const current = await currentManifest(dataDir);
  const mayBeSame = (name: DatasetName) => {
    const before = current?.datasets[name];
    return before === undefined || hasSameCounts(drafts[name], before);
  };
  const isLarge = (name: DatasetName) => drafts[name].rows >= LARGE_FILE_ROWS;
  const small = DATASET_NAMES.filter((name) => !isLarge(name));
  const large = DATASET_NAMES.filter(isLarge);
  const groups = [
    small.filter(mayBeSame),
    small.filter((name) => !mayBeSame(name)),
    ...large.map((name) => [name]),
  ];
  const openHasher = async () => {
    // Two threads hash when the comparison waits for a large file. Otherwise one thread hashes while another one compares.
    const threads = large.some(mayBeSame) ? '2' : '1';
    const settings = { memory_limit: '384MB', temp_directory: path.join(workDir, 'hashed'), threads };
    return (await scope.own(openDuckDb({ settings }))).connections[0];
  };
  const usesConnection = large.length === 0;
  // Opening the engine is not awaited, so that the month goes on. Hashing waits for it.
  const hasher = scope.begin(usesConnection ? Promise.resolve(connection) : openHasher());
  const hashing = new Map<DatasetName, ReturnType<typeof fingerprintDatasets>>();
  let before: Promise<unknown> = hasher;
  for (const names of groups.filter(({ length }) => length > 0)) {
    const group = Object.fromEntries(names.map((name) => [name, drafts[name]]));
    const hash = async () => fingerprintDatasets(await hasher, group, directory);
    const found = scope.begin(before.then(hash, hash));
    for (const name of names) hashing.set(name, found);
    before = found;
  }
  const hashed = async (name: DatasetName) => (await hashing.get(name))?.[name] as DatasetManifest;
  const unhashed = async (name: DatasetName) => ({ ...drafts[name], fingerprint: NOT_HASHED });
  return {
    usesConnection,
    mayAllBeSame: DATASET_NAMES.every(mayBeSame),
    datasets: () => ofEach(hashed),
    datasetsToCompare: () => ofEach((name) => (mayBeSame(name) ? hashed(name) : unhashed(name))),
  };
}

/** Whether a written file has the same counts and sums as an earlier one, so that its rows may be the same. */
const hasSameCounts = (draft: DraftDatasetManifest, before: object): boolean =>
  COUNTS.every((key) => isDeepStrictEqual(draft[key], (before as Partial<DatasetManifest>)[key]));

const COUNTS = ['rows', 'years', 'dimensions', 'metrics'] as const;

async function ofEach(of: (name: DatasetName) => Promise<DatasetManifest>): Promise<Datasets> {
  const entries = await Promise.all(DATASET_NAMES.map(async (name) => [name, await of(name)]));
  return Object.fromEntries(entries);
}
