// POST /admin/oidc/logout: ends sessions here when the identity provider says that somebody signed out there.

import type { Request } from 'express';
import type { JWTPayload } from 'jose';
import type { Configuration } from 'openid-client';
import { unavailable } from '../../../errors.ts';
import type { PageDeps } from '../deps.ts';
import { readForm } from '../form.ts';
import type { Reply } from '../reply.ts';
import { message } from '../templates/message.ts';
import {
  ANSWER_SECONDS,
  accountOf,
  CLOCK_TOLERANCE_SECONDS,
  isProviderAway,
  type OidcSettings,
  providerSessionOf,
} from './provider.ts';

/** The greatest age of a notice. Its id is remembered for longer, so that a copy of the notice has no effect. */
const LONGEST_AGE_SECONDS = 300;
/**
 * The accepted kinds of signatures: those with a private key of the provider, but not those with the client's secret.
 */
const SIGNATURES = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA'],
];
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/**
 * Makes the handler of notices (OpenID Connect Back-Channel Logout 1.0, §2.6). A notice is a signed token. It names a
 * session at the provider, or an account, all of whose sessions end. The handler answers 400 to everything that the
 * provider did not sign for this service just now, and 503 while the keys of the provider cannot be read.
 */
export function backChannelLogout(
  { issuer, clientId }: OidcSettings,
  provider: () => Promise<Configuration>,
  { flows, sessions }: PageDeps,
) {
  /** The keys of the provider. jose reads them again when a notice is signed with an unknown key. */
  let keys: ReturnType<typeof import('jose').createRemoteJWKSet> | null = null;

  return async (request: Request): Promise<Reply> => {
    const token = (await readForm(request)).get('logout_token') ?? '';
    const notice = await verified(token);
    if (notice === null || (await flows.isDone(notice.id))) return REFUSED;
    await sessions.endByProvider(notice.which, issuer);
    // The notice is marked as done last. If Redis fails before that, the provider can send the notice again.
    await flows.noteDone(notice.id);
    return DONE;
  };

  /**
   * The content of a notice; null when the notice is not valid.
   *
   * @throws {ApiError} 503 when the keys of the provider cannot be read.
   */
  async function verified(token: string) {
    try {
      const [{ createRemoteJWKSet, jwtVerify }, configuration] = await Promise.all([
        import('jose'),
        provider(),
      ]);
      const { issuer: published, jwks_uri: keysUrl } = configuration.serverMetadata();
      keys ??= createRemoteJWKSet(new URL(keysUrl ?? ''), { timeoutDuration: ANSWER_SECONDS * 1000 });
      const { payload } = await jwtVerify(token, keys, {
        issuer: published,
        audience: clientId,
        algorithms: SIGNATURES,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        maxTokenAge: LONGEST_AGE_SECONDS,
        requiredClaims: ['iat', 'jti', 'events'],
      });
      return noticeIn(payload, published);
    } catch (error) {
      // The notice may be valid. After a 503, the provider can send it again.
      if (isProviderAway(error)) throw unavailable();
      return null;
    }
  }
}

/** The id of a notice and the sessions that it ends; null for a token that is no notice, or names no session. */
function noticeIn({ sub, sid, jti, events, nonce }: JWTPayload, issuer: string) {
  const isLogout = typeof events === 'object' && events !== null && EVENT in events;
  // The ID token of a sign-in has a nonce, and must not be accepted as a notice.
  if (!isLogout || nonce !== undefined || jti === undefined) return null;
  const account = sub === undefined ? null : accountOf(issuer, sub);
  const providerSession = providerSessionOf(issuer, sid);
  if (providerSession !== null)
    return { id: jti, which: { providerSession, ...(account !== null && { account }) } };
  return account === null ? null : { id: jti, which: { account } };
}

const DONE: Reply = {
  status: 200,
  page: message({ title: 'Signed out', text: 'The sessions that the notice names have ended.' }),
};

const REFUSED: Reply = {
  status: 400,
  page: message({
    title: 'Not a logout notice',
    text: 'The identity provider did not sign this for this service just now, so no session was ended.',
  }),
};
