// Recognises a form that was submitted before, so that it takes effect only once.

import type { RedisClient } from '../redis/connection.ts';
import { formRecord } from '../redis/keyNames.ts';
import { hashOf, isWellFormedSecret } from '../secret.ts';
import { SESSION_TIMES } from './sessions.ts';

export interface SubmittedForms {
  /** Whether this is the first form with this token. False for a text that is not a token. */
  isFirstSubmission(token: string): Promise<boolean>;
}

/** The forms of all servers that use this Redis. */
export const submittedFormsOf = (redis: RedisClient): SubmittedForms => ({
  async isFirstSubmission(token) {
    if (!isWellFormedSecret(token)) return false;
    // A form belongs to a session, and no session lasts longer than this.
    const reply = await redis.set(formRecord(hashOf(token)), '', 'PX', SESSION_TIMES.longestMs, 'NX');
    return reply === 'OK';
  },
});
