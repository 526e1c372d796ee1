// Stores facts for the access log with the response: the key's id and the snapshot.

import type { ServerResponse } from 'node:http';

/** Names properties of the response, which is faster than a map. */
const KEY_ID = Symbol('key id');
const SNAPSHOT = Symbol('snapshot id');

type Described = ServerResponse & { [KEY_ID]?: string | null; [SNAPSHOT]?: string };

/** Null: the key is not known. */
export function setKeyId(response: Described, id: string | null): void {
  response[KEY_ID] = id;
}

export const keyIdOf = (response: Described): string | null => response[KEY_ID] ?? null;

export function setSnapshotId(response: Described, id: string): void {
  response[SNAPSHOT] = id;
}

export const snapshotIdOf = (response: Described): string | null => response[SNAPSHOT] ?? null;
