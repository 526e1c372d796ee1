// Recognises forms that were submitted before, so that each takes effect once.

import type { RedisClient } from '../redis/connection.ts';
import { formRecord } from '../redis/keyNames.ts';
import { hashOf, isSecretForm } from '../secret.ts';
import { SESSION_TIMES } from './sessions.ts';

export interface Forms {
  /** Whether this is the first form with this token; false for a text that is no token. */
  isFirst(token: string): Promise<boolean>;
}

export const formsOf = (redis: RedisClient): Forms => ({
  async isFirst(token) {
    if (!isSecretForm(token)) return false;
    // Forms belong to sessions, and no session lasts longer.
    const answer = await redis.set(formRecord(hashOf(token)), '', 'PX', SESSION_TIMES.longestMs, 'NX');
    return answer === 'OK';
  },
});
