// The identity provider of the team: its settings here, and the configuration that it publishes.

import type { Configuration } from 'openid-client';

export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The addresses (`jane@example.org`) and domains (`example.org`) that may sign in, in lower case. */
  readonly allow: readonly string[];
  readonly roleClaim: string;
}

/** How long the provider may take to answer. */
export const ANSWER_SECONDS = 5;

/** By how much the clock of the provider may differ from ours. */
export const CLOCK_TOLERANCE_SECONDS = 30;

/** Returns a function that gives the configuration of the provider. It is read once, and again after a failure. */
export function providerOf({ issuer, clientId, clientSecret }: OidcSettings): () => Promise<Configuration> {
  let found: Promise<Configuration> | null = null;
  return () => {
    found ??= (async () => {
      const client = await import('openid-client');
      const isLocal = new URL(issuer).protocol === 'http:';
      return client.discovery(
        new URL(issuer),
        clientId,
        { client_secret: clientSecret, [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
        undefined,
        {
          timeout: ANSWER_SECONDS,
          // Without this check, the library does not verify the signature of a token that comes directly from the
          // provider.
          execute: [client.enableNonRepudiationChecks, ...(isLocal ? [client.allowInsecureRequests] : [])],
        },
      );
    })();
    found.catch(() => {
      found = null;
    });
    return found;
  };
}

/** A name for an account at a provider. Accounts of different providers have different names. */
export const accountOf = (issuer: string, subject: string): string => JSON.stringify([issuer, subject]);

/** A name for a session at a provider; null when `sid` does not name one. */
export const providerSessionOf = (issuer: string, sid: unknown): string | null =>
  typeof sid === 'string' && sid !== '' ? JSON.stringify([issuer, sid]) : null;

/** Whether an error says that the provider did not answer. Other errors say that its answer is wrong. */
export function isProviderAway(error: unknown): boolean {
  const { code, name, cause } = error as { code?: unknown; name?: unknown; cause?: { code?: unknown } };
  return name === 'TimeoutError' || name === 'TypeError' || [code, cause?.code].some((one) => AWAY.has(one));
}

/** The error codes of openid-client when there is no answer, and of jose when it cannot read the keys. */
const AWAY: ReadonlySet<unknown> = new Set(['OAUTH_TIMEOUT', 'ERR_JWKS_TIMEOUT', 'ERR_JOSE_GENERIC']);
