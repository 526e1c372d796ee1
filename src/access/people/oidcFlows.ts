// The messages that the identity provider is expected to send: answers to sign-ins, and notices. Each is taken once.

import type { RedisClient } from '../redis/connection.ts';
import { signinRecord } from '../redis/keyNames.ts';
import { hashOf, isSecretForm } from '../secret.ts';

/** The values that the provider's answer has to match. */
export interface OidcFlow {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

export interface OidcFlows {
  /** @param secret The browser's cookie. */
  put(secret: string, flow: OidcFlow): Promise<void>;
  /** Null for a flow that is unknown, over, or was taken before. */
  take(secret: string): Promise<OidcFlow | null>;
  /** Whether a notice of the provider with this id was carried out before. */
  isDone(noticeId: string): Promise<boolean>;
  /** Remembers a notice once it is carried out, so that nobody can send it again. */
  noteDone(noticeId: string): Promise<void>;
}

const FLOW_MS = 10 * 60_000;

export const oidcFlowsOf = (redis: RedisClient): OidcFlows => ({
  async put(secret, flow) {
    await redis.set(nameOf(secret), JSON.stringify(flow), 'PX', FLOW_MS);
  },
  async take(secret) {
    const value = isSecretForm(secret) ? await redis.getdel(nameOf(secret)) : null;
    return value === null ? null : (JSON.parse(value) as OidcFlow);
  },
  async isDone(noticeId) {
    return (await redis.exists(nameOf(`notice ${noticeId}`))) === 1;
  },
  async noteDone(noticeId) {
    await redis.set(nameOf(`notice ${noticeId}`), '', 'PX', FLOW_MS);
  },
});

/** The Redis key of a flow. The prefix keeps it apart from those of sign-in links, which are hashes of a bare token. */
const nameOf = (secret: string) => signinRecord(hashOf(`oidc ${secret}`));
