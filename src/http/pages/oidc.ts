// GET /admin/oidc/start and /admin/oidc: signs people in through the team's identity provider (OpenID Connect).

import type { Request } from 'express';
import type { OidcFlow, OidcFlows } from '../../access/oidcFlows.ts';
import { isRole, type Person, ROLES, type Role } from '../../access/people.ts';
import { mintSecret } from '../../access/secret.ts';
import type { Sessions } from '../../access/sessions.ts';
import { rawQuery } from '../server/url.ts';
import { cookieOf, setCookie } from './cookies.ts';
import { backChannelLogout } from './oidcLogout.ts';
import { accountOf, type OidcSettings, providerOf, providerSessionOf } from './oidcProvider.ts';
import { addressFor, isHttps } from './origin.ts';
import { type Reply, type Route, rootFrom, seeOther } from './reply.ts';
import { sessionCookie } from './signin.ts';
import { oidcRefused } from './templates/signinPages.ts';

export interface OidcDeps {
  readonly oidc: OidcSettings | null;
  readonly flows: OidcFlows;
  readonly sessions: Pick<Sessions, 'beginFederated' | 'endByProvider'>;
  readonly people: { list(): Promise<readonly Person[]> };
  readonly settings: { readonly publicUrl: string };
}

const COOKIE = 'oidc';

/** No routes without a provider. */
export function oidcRoutes(deps: OidcDeps): readonly Route[] {
  const { oidc, flows, sessions, people, settings } = deps;
  if (oidc === null) return [];
  const { allow, issuer, roleClaim } = oidc;
  const provider = providerOf(oidc);
  const callback = (request: Request) => `${addressFor(request, settings.publicUrl)}/admin/oidc`;

  /** Code flow with PKCE, state and nonce. */
  async function start(request: Request): Promise<Reply> {
    try {
      const [client, configuration] = await Promise.all([import('openid-client'), provider()]);
      const [secret, codeVerifier] = [mintSecret(), client.randomPKCECodeVerifier()];
      const [state, nonce] = [client.randomState(), client.randomNonce()];
      await flows.put(secret, { state, nonce, codeVerifier });
      const to = client.buildAuthorizationUrl(configuration, {
        redirect_uri: callback(request),
        scope: 'openid email profile',
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      });
      const secure = isHttps(request, settings.publicUrl);
      return seeOther(to.href, setCookie({ name: COOKIE, value: secret, secure, maxAgeSeconds: 600 }));
    } catch (error) {
      return refusalOf(request, error);
    }
  }

  async function finish(request: Request): Promise<Reply> {
    // Taken once: a replayed answer finds nothing.
    const flow = await flows.take(cookieOf(request, COOKIE) ?? '');
    if (flow === null) return refused(request, 403, 'unknown');
    let claims: Claims;
    try {
      claims = await claimsOf(request, flow);
    } catch (error) {
      return refusalOf(request, error);
    }
    const address = addressIn(claims);
    if (address === null) return refused(request, 403, 'unverified');
    if (!isAllowed(address, allow)) return refused(request, 403, 'not allowed');
    return signedIn(request, await signIn(address, claims));
  }

  /** Begins a session; gives its cookie. */
  async function signIn(address: string, claims: Claims): Promise<string> {
    const claimed = roleIn(claims[roleClaim]);
    // The verified address is the name: a display name can be chosen, and a role belongs to the name.
    const { cookie } = await sessions.beginFederated({
      by: issuer,
      name: address,
      role: claimed ?? (await roleByHand(address)) ?? 'viewer',
      isByClaim: claimed !== null,
      account: accountOf(issuer, String(claims.sub)),
      providerSession: providerSessionOf(issuer, claims.sid),
    });
    return cookie;
  }

  /** Sends the browser to the team's page with the session's cookie, and removes the flow's. */
  function signedIn(request: Request, cookie: string): Reply {
    const secure = isHttps(request, settings.publicUrl);
    return seeOther(`${rootFrom(request)}admin`, [
      ...sessionCookie(request, settings.publicUrl, cookie),
      ...setCookie({ name: COOKIE, value: '', secure, maxAgeSeconds: 0 }),
    ]);
  }

  /** Redeems the code of the callback. Asks for the claims that the ID token lacks, where the provider has more. */
  async function claimsOf(request: Request, { codeVerifier, state, nonce }: OidcFlow): Promise<Claims> {
    const [client, configuration] = await Promise.all([import('openid-client'), provider()]);
    const url = new URL(`${callback(request)}?${rawQuery(request)}`);
    const tokens = await client.authorizationCodeGrant(configuration, url, {
      pkceCodeVerifier: codeVerifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    const idToken: Claims = tokens.claims() ?? {};
    const needsMore = idToken.email === undefined || idToken[roleClaim] === undefined;
    const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
    if (!needsMore || !hasMore) return idToken;
    const subject = String(idToken.sub ?? '');
    return { ...(await client.fetchUserInfo(configuration, tokens.access_token, subject)), ...idToken };
  }

  /** The role that an owner named. A role of an earlier claim ends with the claim. */
  const roleByHand = async (name: string): Promise<Role | null> =>
    (await people.list()).find((person) => person.name === name && !person.isByClaim)?.role ?? null;

  return [
    { path: /^\/admin\/oidc\/start$/, GET: start },
    { path: /^\/admin\/oidc$/, GET: finish },
    { path: /^\/admin\/oidc\/logout$/, POST: backChannelLogout({ oidc, provider, flows, sessions }) },
  ];
}

type Claims = Readonly<Record<string, unknown>>;

/** Only an address that the provider has verified; others can be anybody's. */
const addressIn = ({ email, email_verified: isVerified }: Claims): string | null =>
  typeof email === 'string' && /^[^\s@]+@[^\s@]+$/.test(email) && isVerified === true
    ? email.toLowerCase()
    : null;

const isAllowed = (address: string, allow: readonly string[]): boolean =>
  allow.some((one) =>
    one.includes('@') && !one.startsWith('@')
      ? one === address
      : address.endsWith(`@${one.replace(/^@/, '')}`),
  );

/** The role with the most rights of those that the claim holds; null for none that is known. */
function roleIn(claim: unknown): Role | null {
  const named = (Array.isArray(claim) ? claim : [claim]).filter(
    (one) => typeof one === 'string' && isRole(one),
  );
  return ROLES.findLast((role) => named.includes(role)) ?? null;
}

export type OidcRefusal =
  | 'unknown'
  | 'unverified'
  | 'not allowed'
  | 'declined'
  | 'clock'
  | 'away'
  | 'invalid';

const refused = (request: Request, status: number, why: OidcRefusal): Reply => ({
  status,
  page: oidcRefused(why, rootFrom(request)),
});

/** Words for what went wrong at the provider; anything that is not understood lets nobody in. */
function refusalOf(request: Request, error: unknown): Reply {
  const { code, name, cause } = error as { code?: unknown; name?: unknown; cause?: { code?: unknown } };
  const codes = [code, cause?.code];
  if (name === 'AuthorizationResponseError') return refused(request, 403, 'declined');
  if (codes.includes('OAUTH_JWT_TIMESTAMP_CHECK_FAILED')) return refused(request, 403, 'clock');
  if (codes.includes('OAUTH_TIMEOUT') || name === 'TimeoutError' || name === 'TypeError')
    return refused(request, 503, 'away');
  return refused(request, 403, 'invalid');
}
