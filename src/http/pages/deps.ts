// What the handlers of the pages use: the settings, and the records in Redis.

import { readAudit } from '../../access/audit.ts';
import { inviteIndexOf } from '../../access/invites/inviteIndex.ts';
import { invitesOf } from '../../access/invites/invites.ts';
import type { KeyIndex } from '../../access/keys/keyIndex.ts';
import { keysOf } from '../../access/keys/keys.ts';
import { oidcFlowsOf } from '../../access/people/oidcFlows.ts';
import { changeRole, peopleIn } from '../../access/people/people.ts';
import { sessionsOf } from '../../access/people/sessions.ts';
import { submittedFormsOf } from '../../access/people/submittedForms.ts';
import type { RedisClient } from '../../access/redis/connection.ts';
import { redisReason } from '../../access/redis/redisReason.ts';
import { ApiError, unavailable } from '../../errors.ts';
import type { Observe } from '../../observations.ts';
import type { OidcSettings } from './oidc/provider.ts';

export interface PagesSettings {
  /**
   * The identity provider with which the team signs in. When null or left out, people sign in only with one-time links.
   */
  readonly oidc?: OidcSettings | null;
  /** The data directory, for the history of months. */
  readonly dataDir: string;
  /** The beginning of links, without a slash at the end. */
  readonly publicUrl: string;
  /** The limits of keys without limits of their own. */
  readonly rateLimits: { readonly perMinute: number; readonly perDay: number };
}

/** What every handler of a page gets. */
export type PageDeps = ReturnType<typeof pageDepsOf>;

/** Makes what the handlers of all pages get. Its functions over Redis throw an `ApiError` 503 when Redis fails. */
export function pageDepsOf(
  redis: RedisClient,
  index: Pick<KeyIndex, 'list'>,
  settings: PagesSettings,
  observe: Observe,
) {
  const people = {
    list: () => peopleIn(redis),
    changeRole: (change: Parameters<typeof changeRole>[1]) => changeRole(redis, change),
  };
  const audit = { read: (part: Parameters<typeof readAudit>[1]) => readAudit(redis, part) };
  return {
    settings,
    observe,
    flows: with503(oidcFlowsOf(redis), observe),
    keys: with503(keysOf(redis), observe),
    index: with503(index, observe),
    people: with503(people, observe),
    invites: with503(invitesOf(redis), observe),
    inviteIndex: with503(inviteIndexOf(redis), observe),
    sessions: with503(sessionsOf(redis), observe),
    forms: with503(submittedFormsOf(redis), observe),
    audit: with503(audit, observe),
  };
}

function with503<Functions extends object>(functions: Functions, observe: Observe): Functions {
  return Object.fromEntries(
    Object.entries(functions).map(([name, run]) => [
      name,
      (...values: unknown[]) =>
        run(...values).catch((error: unknown) => {
          throw asApiError(error, observe);
        }),
    ]),
  ) as Functions;
}

/** The error if it is an ApiError. Any other error is observed, and becomes a 503. */
export function asApiError(error: unknown, observe: Observe): ApiError {
  if (error instanceof ApiError) return error;
  // Only the message is reported, because the error of a failed command also contains the command's arguments.
  observe({ event: 'redis failed a page', reason: redisReason(error as Error) });
  return unavailable();
}
