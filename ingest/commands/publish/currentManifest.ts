// Reads the current snapshot for a publication: its manifest, its values, and whether the month has the same content.

import { isDeepStrictEqual } from 'node:util';
import { currentId, snapshotDirectory } from '../../../src/catalog/dataDirectory.ts';
import type { AnyManifest } from '../../../src/catalog/manifest.ts';
import { manifestIfReadable, readAnyManifest } from '../../../src/catalog/readManifest.ts';
import { wholeFile } from '../../messages/place.ts';
import type { Problems } from '../../messages/problems.ts';
import { KnownValues } from '../../staging/knownValues.ts';
import { verify } from '../../store/verify.ts';
import type { DraftManifest } from '../../store/writeDatasets.ts';
import type { PublishOptions } from './publishOptions.ts';

/** The manifest of the current snapshot; null when there is none, or it cannot be read. */
export async function currentManifest(dataDir: string): Promise<AnyManifest | null> {
  const id = await currentId(dataDir);
  return id === null ? null : await manifestIfReadable(snapshotDirectory(dataDir, id));
}

/** The values of the current snapshot; null when there is none, or its manifest cannot be read. */
export async function knownValues(dataDir: string): Promise<KnownValues | null> {
  const manifest = await currentManifest(dataDir);
  return manifest && new KnownValues(manifest);
}

/**
 * The id of the current snapshot when it is of this month, undamaged, has the same content and was read with the same
 * options; else null. Its rows are verified last, because that takes longest.
 */
export async function sameAsCurrent(
  { dataDir, month }: PublishOptions,
  draft: () => Promise<DraftManifest>,
  problems: Problems,
): Promise<string | null> {
  const current = await currentId(dataDir);
  if (current === null || !current.startsWith(`${month}.`)) return null;
  const { fingerprint, reading } = await readAnyManifest(snapshotDirectory(dataDir, current));
  const now = await draft();
  if (fingerprint !== now.fingerprint || !isDeepStrictEqual(reading, now.reading)) return null;
  if ((await verify(dataDir, current)).length === 0) return current;
  problems.add('note', wholeFile(current), 'the current snapshot is damaged; its month is published again');
  return null;
}
