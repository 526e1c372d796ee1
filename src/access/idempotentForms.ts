// Sees to it that a form is acted on once, however often it is sent.

import type { RedisClient } from './redis/connection.ts';
import { formRecord } from './redis/keyNames.ts';
import { hashOf, isSecretForm } from './secret.ts';
import { SESSION_TIMES } from './sessions.ts';

export interface Forms {
  /** Whether a form of this token is sent for the first time; a text that is no token never is. */
  isFirst(token: string): Promise<boolean>;
}

export const formsOf = (redis: RedisClient): Forms => ({
  async isFirst(token) {
    if (!isSecretForm(token)) return false;
    // No session, and so no form, outlives this.
    const answer = await redis.set(formRecord(hashOf(token)), '', 'PX', SESSION_TIMES.longestMs, 'NX');
    return answer === 'OK';
  },
});
