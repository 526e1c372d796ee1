// Reads and checks the manifest of a snapshot.

import { stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { MANIFEST_FILE } from './dataDirectory.ts';
import { DATASET_NAMES, type DatasetName, datasetOf, isText, metricNames } from './datasets.ts';
import {
  type AnyManifest,
  anyManifestSchema,
  type DatasetManifest,
  type ListedDatasets,
  listedDatasetsSchema,
} from './manifest.ts';
import { readRegularFile } from './regularFile.ts';
import { REPUBLISH, SnapshotRefused, unreadableFile } from './snapshotRefused.ts';

/**
 * The manifest of the snapshot in `directory`, whose name is the snapshot's id. Any version of the program may have
 * published it.
 *
 * @throws {SnapshotRefused} when the file is missing, is not a manifest, or belongs to another snapshot.
 */
export async function readAnyManifest(directory: string): Promise<AnyManifest> {
  const text = await readText(directory);
  // A command reads the manifest of the current snapshot several times, and checking it takes longer than reading it.
  if (last?.directory === directory && last.text === text) return last.manifest;
  const manifest = withoutOtherForms(
    parseManifest(directory, text, (json) => anyManifestSchema.safeParse(json)),
  );
  last = { directory, text, manifest };
  return manifest;
}

/** The manifest that was read last; null before the first one. */
let last: { readonly directory: string; readonly text: string; readonly manifest: AnyManifest } | null = null;

/**
 * The manifest without datasets that have other dimensions or metrics in this version. Their files lack columns that this
 * version reads, so the snapshot counts as one without these datasets.
 */
function withoutOtherForms(manifest: AnyManifest): AnyManifest {
  const datasets = { ...manifest.datasets };
  for (const name of DATASET_NAMES) {
    const described = datasets[name];
    if (described !== undefined && !hasFormOf(name, described)) delete datasets[name];
  }
  return { ...manifest, datasets };
}

/** Whether a dataset has the text dimensions and the metrics that it has in this version. */
const hasFormOf = (name: DatasetName, { dimensions, metrics }: DatasetManifest): boolean =>
  sameNames(Object.keys(dimensions), datasetOf(name).dimensions.filter(isText)) &&
  sameNames(Object.keys(metrics), metricNames(name));

const sameNames = (names: readonly string[], others: readonly string[]): boolean =>
  names.length === others.length && names.every((name) => others.includes(name));

/** The manifest of the snapshot in `directory`; null when it cannot be read. */
export const manifestIfReadable = (directory: string): Promise<AnyManifest | null> =>
  readAnyManifest(directory).catch(() => null);

/**
 * All datasets of a snapshot, including those that are unknown to this version.
 *
 * @throws {SnapshotRefused} as `readAnyManifest`.
 */
export async function readListedDatasets(directory: string): Promise<ListedDatasets> {
  const id = path.basename(directory);
  return parseManifest(directory, await readText(directory), (json) =>
    listedDatasetsSchema.extend({ id: z.literal(id) }).safeParse(json),
  ).datasets;
}

async function readText(directory: string): Promise<string> {
  try {
    return await readRegularFile(path.join(directory, MANIFEST_FILE));
  } catch (cause) {
    const id = path.basename(directory);
    const isGone = await stat(directory).then(
      () => false,
      (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
    );
    if (isGone) throw new SnapshotRefused(id, 'is not there', SWITCH);
    if (await leadsToItself(directory))
      throw new SnapshotRefused(id, 'is a link that leads back to itself', MOVE);
    throw unreadableFile(id, MANIFEST_FILE, cause);
  }
}

function parseManifest<Parsed extends { readonly id: string }>(
  directory: string,
  text: string,
  parse: (json: unknown) => z.ZodSafeParseResult<Parsed>,
): Parsed {
  const id = path.basename(directory);
  const refuse = (problem: string) => new SnapshotRefused(id, problem, REPUBLISH, MANIFEST_FILE);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw refuse('is not JSON');
  }
  const parsed = parse(json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const place = issue?.path.join('.') || 'the document';
    // A later version may have added fields. This version does not know what they mean.
    if (issue?.code === 'unrecognized_keys')
      throw new SnapshotRefused(
        id,
        `has fields that are unknown here (${place}: ${issue.keys.join(', ')})`,
        NEWER,
        MANIFEST_FILE,
      );
    throw refuse(`is not a manifest (${place}: ${issue?.message})`);
  }
  if (parsed.data.id !== id) throw refuse(`is that of ${parsed.data.id}`);
  return parsed.data;
}

const SWITCH = 'make another one current with rollback <id>';
const MOVE = 'move it away';
const NEWER =
  'run the version of the program that published it, or make another one current with rollback <id>';

/** Whether a folder is a link that leads back to itself. False when the problem is in a folder above it. */
async function leadsToItself(directory: string): Promise<boolean> {
  const fails = (folder: string) =>
    stat(folder).then(
      () => false,
      (error: NodeJS.ErrnoException) => error.code === 'ELOOP',
    );
  return (await fails(directory)) && !(await fails(path.dirname(directory)));
}
