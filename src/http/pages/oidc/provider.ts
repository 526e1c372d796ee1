// The identity provider of the team: our settings for it, and the configuration that it publishes.

import type { Configuration } from 'openid-client';

export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Addresses (`jane@example.org`) and domains (`example.org`), in lower case. */
  readonly allow: readonly string[];
  readonly roleClaim: string;
}

/** How long the provider may take to answer. */
export const ANSWER_SECONDS = 5;

/** How far the provider's clock may be off. */
export const CLOCK_TOLERANCE_SECONDS = 30;

/** The provider's configuration, read once; after a failure it is read again at the next sign-in. */
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
          // The signature is checked too, though the token comes from the provider itself.
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

/** Names an account at the provider; subjects of two issuers are never the same. */
export const accountOf = (issuer: string, subject: string): string => JSON.stringify([issuer, subject]);

export const providerSessionOf = (issuer: string, sid: unknown): string | null =>
  typeof sid === 'string' && sid !== '' ? JSON.stringify([issuer, sid]) : null;

/** Whether an error says that the provider did not answer, rather than that its answer is wrong. */
export function isProviderAway(error: unknown): boolean {
  const { code, name, cause } = error as { code?: unknown; name?: unknown; cause?: { code?: unknown } };
  return name === 'TimeoutError' || name === 'TypeError' || [code, cause?.code].some((one) => AWAY.has(one));
}

/** The codes of openid-client for no answer, and of jose for an answer without keys. */
const AWAY: ReadonlySet<unknown> = new Set(['OAUTH_TIMEOUT', 'ERR_JWKS_TIMEOUT', 'ERR_JOSE_GENERIC']);
