// Remembers sign-ins that have begun and notices of the identity provider, so that each is accepted only once.

import type { RedisClient } from '../redis/connection.ts';
import { signinRecord } from '../redis/keyNames.ts';
import { hashOf, isWellFormedSecret } from '../secret.ts';

/** The values of a sign-in that has begun. The provider's answer has to match them. */
export interface OidcFlow {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

export interface OidcFlows {
  /**
   * Stores a sign-in that has begun.
   *
   * @param secret the cookie of the browser that signs in.
   */
  put(secret: string, flow: OidcFlow): Promise<void>;
  /** Removes the sign-in of a browser, and returns it; null when it is unknown, expired or was taken before. */
  take(secret: string): Promise<OidcFlow | null>;
  /** Whether a notice of the provider with this id was already carried out. */
  isDone(noticeId: string): Promise<boolean>;
  /** Remembers that a notice was carried out, so that it has no effect when it is sent again. */
  noteDone(noticeId: string): Promise<void>;
}

/** How long a sign-in may take, and how long a notice is remembered. */
const FLOW_MS = 10 * 60_000;

/** The sign-ins of all servers that use this Redis, so that any server can take one that another began. */
export const oidcFlowsOf = (redis: RedisClient): OidcFlows => ({
  async put(secret, flow) {
    await redis.set(nameOf(secret), JSON.stringify(flow), 'PX', FLOW_MS);
  },
  async take(secret) {
    const value = isWellFormedSecret(secret) ? await redis.getdel(nameOf(secret)) : null;
    return value === null ? null : (JSON.parse(value) as OidcFlow);
  },
  async isDone(noticeId) {
    return (await redis.exists(nameOf(`notice ${noticeId}`))) === 1;
  },
  async noteDone(noticeId) {
    await redis.set(nameOf(`notice ${noticeId}`), '', 'PX', FLOW_MS);
  },
});

/** The Redis key of a flow. The prefix `oidc` keeps it apart from the keys of sign-in links. */
const nameOf = (secret: string) => signinRecord(hashOf(`oidc ${secret}`));
