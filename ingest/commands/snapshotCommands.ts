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
  type RemovedSnapshot,
} from '../store/prune.ts';
import { publicationOrder } from '../store/publicationOrder.ts';
import { type RollbackResult, rollback } from '../store/rollback.ts';
import { type Damage, verify } from '../store/verify.ts';
import { runExclusively } from './exclusiveCommand.ts';
import { EXIT } from './exitCodes.ts';
import { hasStore, missingSnapshotError } from './missingSnapshot.ts';

/** Lists the snapshots: when each was published, its size, and whether it is the current or the previous one. */
export async function listSnapshots(dataDir: string): Promise<Outcome> {
  const current = await currentId(dataDir);
  const { retained, previousOf } = await publicationOrder(dataDir);
  const previous = current === null ? null : previousOf(current);
  const snapshots = await readListedSnapshots(dataDir, current, previous);
  const listed =
    snapshots.length === 0
      ? 'no snapshots yet\n'
      : table([['snapshot', 'published', 'rows', 'size', ''], ...snapshots.map(rowOf)], {
          numbersRight: true,
        });
  const isDangling = current !== null && !retained.includes(current);
  const notes = [
    ...(isDangling ? [printable(danglingText(current))] : []),
    ...(hasStore() ? [ONLY_THIS_MACHINE] : []),
  ];
  const text = `${listed}${notes.map((note) => `${note}\n`).join('')}`;
  return { exitCode: EXIT.done, json: { current, previous, snapshots }, text };
}

const ONLY_THIS_MACHINE =
  'these are the snapshots of this machine; `ingest list --store` has those of all machines, and which is current';

/** How many snapshots are read at a time. A larger number takes more memory without saving time. */
const READ_AT_ONCE = 8;

async function readListedSnapshots(
  dataDir: string,
  current: string | null,
  previous: string | null,
): Promise<ListedSnapshot[]> {
  const published = await publicationTimes(dataDir);
  const read = async (id: string): Promise<ListedSnapshot> => ({
    id,
    current: id === current,
    previous: id === previous,
    published: published.get(id) ?? null,
    ...(await rowsAndBytes(snapshotDirectory(dataDir, id))),
  });
  const ids = await snapshotIds(dataDir);
  const found: ListedSnapshot[] = [];
  for (let i = 0; i < ids.length; i += READ_AT_ONCE)
    found.push(...(await Promise.all(ids.slice(i, i + READ_AT_ONCE).map(read))));
  return found;
}

function rowOf({ id, published, rows, bytes, ...is }: ListedSnapshot): string[] {
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

interface ListedSnapshot extends ListedFiles {
  readonly id: string;
  readonly current: boolean;
  readonly previous: boolean;
  /** The time of publication as ISO 8601; null when the history does not have it. */
  readonly published: string | null;
}

async function rowsAndBytes(directory: string): Promise<ListedFiles> {
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

const danglingText = (id: string) =>
  `current names ${id}, which is not there; name another one with rollback <id>`;

/**
 * Compares every file of a snapshot with its manifest.
 *
 * @param requestedId The id as it was typed; undefined for the current snapshot.
 * @throws {UsageError} when DATA_DIR does not have the snapshot, and when there is no current one.
 */
export async function verifySnapshot(dataDir: string, requestedId: string | undefined): Promise<Outcome> {
  const id = requestedId ?? (await currentId(dataDir));
  const known = await snapshotIds(dataDir);
  if (id === null)
    throw new UsageError(`there is no current snapshot to verify; ${existingSnapshots(known)}`, {
      listsAll: true,
    });
  if (!known.includes(id))
    throw requestedId === undefined
      ? new UsageError(`${danglingText(id)}; ${existingSnapshots(known)}`, { listsAll: true })
      : missingSnapshotError(id, known);
  const damages = await verify(dataDir, id);
  const isWhole = damages.length === 0;
  const text = isWhole
    ? `${id} is whole: every checksum and every row agrees with its manifest\n`
    : damageLines(id, damages);
  const json = { status: isWhole ? 'whole' : 'damaged', snapshot: id, damages };
  return { exitCode: isWhole ? EXIT.done : EXIT.wrong, json, text };
}

const damageLines = (id: string, damages: readonly Damage[]) =>
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
  if (store === null) await requireSnapshots(dataDir);
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
    `${damageLines(snapshot, damages)}${snapshot} is damaged; ` +
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
async function requireSnapshots(dataDir: string): Promise<void> {
  if ((await snapshotIds(dataDir)).length === 0)
    throw new UsageError(`there are no snapshots in ${dataDir}; publish one first`);
}

/** Removes old snapshots, and reports the removed and the kept ones. */
export async function pruneSnapshots(
  dataDir: string,
  keep: number,
  dryRun: boolean,
  at: Date,
): Promise<Outcome> {
  await requireSnapshots(dataDir);
  const options = { dataDir, keep, dryRun, at };
  const result = dryRun ? await prune(options) : await pruneExclusively(options);
  return { exitCode: EXIT.done, json: result, text: prunedText(result, await currentId(dataDir)) };
}

/**
 * Prunes while it holds the lock. The lock file may be missing, for example after a restore, and a full disk has no room
 * for it. In that case, one snapshot is removed without the lock to make room.
 */
async function pruneExclusively(options: PruneOptions): Promise<PruneResult> {
  const underLock = (removedForRoom: RemovedSnapshot | null) =>
    runExclusively(
      options.dataDir,
      'interrupted; what was removed is removed, the rest is whole: see list',
      () => prune({ ...options, removedForRoom }),
    );
  try {
    return await underLock(null);
  } catch (error) {
    if (!(error instanceof NoRoomForLock)) throw error;
  }
  const removedForRoom = await makeRoom(options);
  try {
    return await underLock(removedForRoom);
  } catch (error) {
    // There was no snapshot that pruning may remove. A dry run has the same result and needs no lock.
    if (error instanceof NoRoomForLock && removedForRoom === null)
      return await prune({ ...options, dryRun: true });
    throw error;
  }
}

function prunedText({ status, removed, kept }: PruneResult, current: string | null): string {
  const verb = status === 'checked' ? 'would remove' : 'removed';
  const each = removed
    .map((one) => `${verb} ${one.id} (${size(one.bytes)})${recentlySupersededText(one)}\n`)
    .join('');
  const freed = size(removed.reduce((sum, one) => sum + one.bytes, 0));
  const outcome =
    status === 'unchanged'
      ? 'nothing to remove'
      : `${status === 'checked' ? 'would free' : 'freed'} ${freed}`;
  const names = kept.map((id) => (id === current ? `${id} (current)` : id)).join(', ');
  return `${each}${outcome}; kept: ${names}\n`;
}

const recentlySupersededText = ({ recent, superseded }: RemovedSnapshot) =>
  recent
    ? `, superseded less than 48 hours ago (${superseded?.slice(0, 16).replace('T', ' ')} UTC): walks may still be on it`
    : '';
