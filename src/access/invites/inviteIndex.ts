// Holds all invites in memory for the team's list. The list shows every change by the team or by a claim at once.

import { type IndexedKind, type RecordIndex, updateIndex } from '../recordIndex.ts';
import type { RedisClient } from '../redis/connection.ts';
import { INVITE_IDS } from '../redis/keyNames.ts';
import { timeOf } from '../redis/serverClock.ts';
import { type InviteInfo, infoOf, REMEMBERED_MS, type ReadInvite, readInvites } from './inviteRecords.ts';

export interface InviteIndex {
  /** All invites, oldest first. */
  list(): Promise<readonly InviteInfo[]>;
}

/** Makes the index. It reads all invites once. From then on it reads those that the audit log names. */
export function inviteIndexOf(redis: RedisClient): InviteIndex {
  let index: RecordIndex<ReadInvite> | null = null;
  let reading: Promise<unknown> = Promise.resolve();
  return {
    async list() {
      // This call needs a read of its own. The reads that are under way may lack an act that came before this call.
      const next = reading.then(async () => {
        index = await updateIndex(redis, INVITES, index);
        return index.items;
      });
      reading = next.catch(() => {});
      const items = await next;
      return invitesAt(items, await timeOf(redis));
    },
  };
}

const INVITES: IndexedKind<ReadInvite> = {
  ids: INVITE_IDS,
  changedBy: ({ inviteId }) => [inviteId],
  isUnsettled: ({ isBeingClaimed }) => isBeingClaimed,
  read: async (redis, hashes) => (await readInvites(redis, hashes)).filter((invite) => invite !== null),
  removesExpiredIds: true,
};

/** The invites at a moment. Invites expire and are forgotten without an act, so the index alone shows neither. */
const invitesAt = (invites: readonly ReadInvite[], nowMs: number): InviteInfo[] =>
  invites.flatMap((invite) => {
    if (invite.state !== 'damaged' && invite.expiresMs + REMEMBERED_MS <= nowMs) return [];
    const hasExpired = invite.state === 'open' && invite.expiresMs <= nowMs;
    return { ...infoOf(invite), ...(hasExpired && { state: 'expired' as const }) };
  });
