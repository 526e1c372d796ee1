// The commands `list`, `verify`, `rollback` and `prune`: runs them and presents their results.

import path from 'node:path';
import { currentId, snapshotDirectory, snapshotIds } from '../../src/catalog/dataDirectory.ts';
import type { ListedDatasets } from '../../src/catalog/manifest.ts';
import { publicationTimes } from '../../src/catalog/publications.ts';
import { readListedDatasets } from '../../src/catalog/readManifest.ts';
import { SnapshotUnreadable } from '../../src/catalog/snapshotRefused.ts';
import { readConfig } from '../../src/config/config.ts';
import { NoRoomForLock } from '../../src/store/lock.ts';
import { ObjectStore } from '../../src/store/objectStore.ts';
import type { Outcome } from '../../src/terminal/commandLine.ts';
import { table } from '../../src/terminal/table.ts';
import { UsageError } from '../../src/terminal/usageError.ts';
import { printable } from '../../src/text/printable.ts';
import { count, size } from '../messages/numbers.ts';
import { existingSnapshots } from '../messages/unknownSnapshot.ts';
import {
  fileSizes,
  makeRoom,
  type PruneOptions,
  type PruneResult,
  prune,
  type Removed,
} from '../store/prune.ts';
import { publicationOrder } from '../store/publicationOrder.ts';
import { type RollbackResult, rollback } from '../store/rollback.ts';
import { type Damage, verify } from '../store/verify.ts';
import { runExclusively } from './exclusiveCommand.ts';
import { EXIT } from './exitCodes.ts';
import { hasStore, missingSnapshot } from './missingSnapshot.ts';

/** Lists the snapshots: when each was published, its size, and whether it is the current or the previous one. */
export async function list(dataDir: string): Promise<Outcome> {
  const current = await currentId(dataDir);
  const { retained, previousOf } = await publicationOrder(dataDir);
  const previous = current === null ? null : previousOf(current);
  const snapshots = await readListed(dataDir, { current, previous });
  const listed =
    snapshots.length === 0
      ? 'no snapshots yet\n'
      : table([['snapshot', 'published', 'rows', 'size', ''], ...snapshots.map(rowOf)], {
          numbersRight: true,
        });
  const isDangling = current !== null && !retained.includes(current);
  const notes = [
    ...(isDangling ? [printable(dangling(current))] : []),
    ...(hasStore() ? [ONLY_THIS_MACHINE] : []),
  ];
  const text = `${listed}${notes.map((note) => `${note}\n`).join('')}`;
  return { exitCode: EXIT.done, json: { current, previous, snapshots }, text };
}

const ONLY_THIS_MACHINE =
  'these are the snapshots of this machine; `ingest list --store` has those of all machines, and which is current';

/** How many snapshots are read at a time. A larger number takes more memory without saving time. */
const READ_TOGETHER = 8;

interface Marked {
  readonly current: string | null;
  readonly previous: string | null;
}

async function readListed(dataDir: string, { current, previous }: Marked): Promise<Listed[]> {
  const published = await publicationTimes(dataDir);
  const read = async (id: string): Promise<Listed> => ({
    id,
    current: id === current,
    previous: id === previous,
    published: published.get(id) ?? null,
    ...(await filesOf(snapshotDirectory(dataDir, id))),
  });
  const ids = await snapshotIds(dataDir);
  const found: Listed[] = [];
  for (let i = 0; i < ids.length; i += READ_TOGETHER)
    found.push(...(await Promise.all(ids.slice(i, i + READ_TOGETHER).map(read))));
  return found;
}

function rowOf({ id, published, rows, bytes, ...is }: Listed): string[] {
  const remarks = [
    ...(is.current ? ['current'] : []),
    ...(is.previous && !is.current ? ['previous'] : []),
    ...(is.damaged === null ? ['cannot be read: see verify'] : []),
    ...(is.damaged === true ? ['damaged: see verify'] : []),
  ];
  const when = printable(published?.slice(0, 16).replace('T', ' ') ?? '');
  return [id, when, rows === null ? '' : count(rows), size(bytes), remarks.join(', ')];
}

interface ListedFiles {
  /** The rows that the manifest states; null when it cannot be read. */
  readonly rows: number | null;
  readonly bytes: number;
  /**
   * True when the manifest is missing or invalid, and when a file has another size than the manifest states. Null when the
   * manifest cannot be read at present, such as for lack of permission.
   */
  readonly damaged: boolean | null;
}

interface Listed extends ListedFiles {
  readonly id: string;
  readonly current: boolean;
  readonly previous: boolean;
  /** The time of publication as ISO 8601; null when the history does not have it. */
  readonly published: string | null;
}

async function filesOf(directory: string): Promise<ListedFiles> {
  const sizes = await fileSizes(directory);
  const bytes = [...sizes.values()].reduce((sum, one) => sum + one, 0);
  let listed: readonly ListedDatasets[string][];
  try {
    listed = Object.values(await readListedDatasets(directory));
  } catch (error) {
    return { rows: null, bytes, damaged: error instanceof SnapshotUnreadable ? null : true };
  }
  return {
    rows: listed.reduce((sum, { rows }) => sum + rows, 0),
    bytes,
    damaged: listed.some((one) => sizes.get(path.basename(one.file)) !== one.bytes),
  };
}

const dangling = (id: string) =>
  `current names ${id}, which is not there; name another one with rollback <id>`;

/**
 * Compares every file of a snapshot with its manifest.
 *
 * @param requestedId The id as it was typed; undefined for the current snapshot.
 * @throws {UsageError} when DATA_DIR does not have the snapshot, and when there is no current one.
 */
export async function verifyOne(dataDir: string, requestedId: string | undefined): Promise<Outcome> {
  const id = requestedId ?? (await currentId(dataDir));
  const known = await snapshotIds(dataDir);
  if (id === null)
    throw new UsageError(`there is no current snapshot to verify; ${existingSnapshots(known)}`, {
      listsAll: true,
    });
  if (!known.includes(id))
    throw requestedId === undefined
      ? new UsageError(`${dangling(id)}; ${existingSnapshots(known)}`, { listsAll: true })
      : missingSnapshot(id, known);
  const damages = await verify(dataDir, id);
  const isWhole = damages.length === 0;
  const text = isWhole
    ? `${id} is whole: every checksum and every row agrees with its manifest\n`
    : lines(id, damages);
  const json = { status: isWhole ? 'whole' : 'damaged', snapshot: id, damages };
  return { exitCode: isWhole ? EXIT.done : EXIT.wrong, json, text };
}

const lines = (id: string, damages: readonly Damage[]) =>
  damages
    .map(
      ({ file, column, message }) =>
        `${printable(`${id}/${file}${column === null ? '' : `, column ${column}`}: ${message}`)}\n`,
    )
    .join('');

/** Makes the previous snapshot, or a named one, current. */
export async function rollbackTo(
  dataDir: string,
  requestedId: string | undefined,
  at: Date,
): Promise<Outcome> {
  const { snapshotStore } = readConfig(process.env);
  const store = snapshotStore && new ObjectStore(snapshotStore, process.env);
  if (store === null) await expectSnapshots(dataDir);
  const result = await runExclusively(dataDir, 'interrupted; nothing was changed', (commit) =>
    rollback(dataDir, requestedId, { at, commit, store }),
  );
  const exitCode = result.status === 'damaged' ? EXIT.wrong : EXIT.done;
  const known = await snapshotIds(dataDir);
  return { exitCode, json: result, text: ROLLBACK_TEXT[result.status](result, known) };
}

type RollbackText = (result: RollbackResult, known: readonly string[]) => string;

const ROLLBACK_TEXT: Readonly<Record<RollbackResult['status'], RollbackText>> = {
  'rolled-back': ({ snapshot, from }, known) => `${snapshot} is current now${undoText(from, known)}\n`,
  unchanged: ({ snapshot }) => `${snapshot} is current already; nothing changed\n`,
  damaged: ({ snapshot, from, damages }, known) =>
    `${lines(snapshot, damages)}${snapshot} is damaged; ` +
    `${from !== null && known.includes(from) ? `${from} stays current` : 'nothing changed'}: ` +
    'name another one with rollback <id>\n',
};

/** The text on how to undo a rollback; '' when no snapshot was current before. */
function undoText(from: string | null, known: readonly string[]): string {
  if (from === null) return '';
  return known.includes(from)
    ? `; \`ingest rollback ${from}\` undoes this`
    : `; current named ${printable(from)}, which is not there`;
}

/** Throws when DATA_DIR has no snapshots. Without this check, the command would create a folder and a lock file there. */
async function expectSnapshots(dataDir: string): Promise<void> {
  if ((await snapshotIds(dataDir)).length === 0)
    throw new UsageError(`there are no snapshots in ${dataDir}; publish one first`);
}

/** Removes old snapshots, and reports the removed and the kept ones. */
export async function pruneTo(dataDir: string, keep: number, dryRun: boolean, at: Date): Promise<Outcome> {
  await expectSnapshots(dataDir);
  const options = { dataDir, keep, dryRun, at };
  const result = dryRun ? await prune(options) : await pruneExclusively(options);
  return { exitCode: EXIT.done, json: result, text: pruned(result, await currentId(dataDir)) };
}

/**
 * Prunes while it holds the lock. The lock file may be missing, for example after a restore, and a full disk has no room for it.
 * In that case, one snapshot is removed without the lock to make room.
 */
async function pruneExclusively(options: PruneOptions): Promise<PruneResult> {
  const underLock = (begun: Removed | null) =>
    runExclusively(
      options.dataDir,
      'interrupted; what was removed is removed, the rest is whole: see list',
      () => prune({ ...options, begun }),
    );
  try {
    return await underLock(null);
  } catch (error) {
    if (!(error instanceof NoRoomForLock)) throw error;
  }
  const begun = await makeRoom(options);
  try {
    return await underLock(begun);
  } catch (error) {
    // There was no snapshot that pruning may remove. A dry run has the same result and needs no lock.
    if (error instanceof NoRoomForLock && begun === null) return await prune({ ...options, dryRun: true });
    throw error;
  }
}

function pruned({ status, removed, kept }: PruneResult, current: string | null): string {
  const verb = status === 'checked' ? 'would remove' : 'removed';
  const each = removed.map((one) => `${verb} ${one.id} (${size(one.bytes)})${warning(one)}\n`).join('');
  const freed = size(removed.reduce((sum, one) => sum + one.bytes, 0));
  const outcome =
    status === 'unchanged'
      ? 'nothing to remove'
      : `${status === 'checked' ? 'would free' : 'freed'} ${freed}`;
  const names = kept.map((id) => (id === current ? `${id} (current)` : id)).join(', ');
  return `${each}${outcome}; kept: ${names}\n`;
}

const warning = ({ recent, superseded }: Removed) =>
  recent
    ? `, superseded less than 48 hours ago (${superseded?.slice(0, 16).replace('T', ' ')} UTC): walks may still be on it`
    : '';
