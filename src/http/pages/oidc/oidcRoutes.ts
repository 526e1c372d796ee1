// GET /admin/oidc/start and /admin/oidc: signs people in through the team's identity provider (OpenID Connect).

import type { Request } from 'express';
import { mintSecret } from '../../../access/secret.ts';
import { ApiError } from '../../../errors.ts';
import type { Observe } from '../../../observations.ts';
import { certificateRemedy, withoutAdvice } from '../../../system/certificates.ts';
import { rawQuery } from '../../server/requestUrl.ts';
import { cookieOf, setCookie } from '../cookies.ts';
import type { PageDeps } from '../deps.ts';
import { isHttps, publicUrlFor } from '../origin.ts';
import { type Reply, type Route, rootFrom, seeOther } from '../reply.ts';
import { sessionCookie } from '../signin.ts';
import { type OidcRefusal, oidcRefused } from '../templates/signinPages.ts';
import { type Claims, isAllowedEmail, roleIn, verifiedEmailIn } from './claims.ts';
import { type CodeFlow, codeFlowOf } from './codeFlow.ts';
import { backChannelLogout } from './logout.ts';
import { accountOf, isProviderAway, type OidcSettings, providerOf, providerSessionOf } from './provider.ts';

const COOKIE = 'oidc';

/** The routes of the sign-in. There are none without a provider. */
export function oidcRoutes(deps: PageDeps): readonly Route[] {
  const { oidc } = deps.settings;
  if (!oidc) return [];
  const provider = providerOf(oidc);
  const codeFlow = codeFlowOf(provider, oidc.roleClaim);
  return [
    { path: /^\/admin\/oidc\/start$/, GET: start(codeFlow, deps) },
    { path: /^\/admin\/oidc$/, GET: finish(codeFlow, oidc, deps) },
    { path: /^\/admin\/oidc\/logout$/, POST: backChannelLogout(oidc, provider, deps) },
  ];
}

/** Makes the handler that sends the browser to the provider. A cookie ties the provider's answer to this browser. */
const start =
  (codeFlow: CodeFlow, { flows, settings, observe }: PageDeps) =>
  async (request: Request): Promise<Reply> => {
    try {
      const { url, flow } = await codeFlow.begin(callbackFor(request, settings.publicUrl));
      const secret = mintSecret();
      await flows.put(secret, flow);
      const isSecure = isHttps(request, settings.publicUrl);
      return seeOther(url, setCookie({ name: COOKIE, value: secret, isSecure, maxAgeSeconds: 600 }));
    } catch (error) {
      return refusalOf(request, error, observe);
    }
  };

/**
 * Makes the handler that signs in the person whom the provider's answer names, if the person's e-mail address is allowed.
 */
const finish =
  (codeFlow: CodeFlow, oidc: OidcSettings, deps: PageDeps) =>
  async (request: Request): Promise<Reply> => {
    const { flows, settings, observe } = deps;
    // A flow can be used only once, so an answer that is sent again has no effect.
    const flow = await flows.take(cookieOf(request, COOKIE) ?? '');
    if (flow === null) return refused(request, 403, 'unknown');
    let claims: Claims;
    try {
      const answer = new URL(`${callbackFor(request, settings.publicUrl)}?${rawQuery(request)}`);
      claims = await codeFlow.redeem(answer, flow);
    } catch (error) {
      return refusalOf(request, error, observe);
    }
    const email = verifiedEmailIn(claims);
    if (email === null) return refused(request, 403, 'unverified');
    if (!isAllowedEmail(email, oidc.allow)) return refused(request, 403, 'not allowed');
    return signedIn(request, settings.publicUrl, await beginSession(email, claims, oidc, deps));
  };

const callbackFor = (request: Request, publicUrl: string) => `${publicUrlFor(request, publicUrl)}/admin/oidc`;

async function beginSession(
  email: string,
  claims: Claims,
  { issuer, roleClaim }: OidcSettings,
  { sessions }: PageDeps,
): Promise<string> {
  const { cookie } = await sessions.beginFederated({
    by: issuer,
    // The verified address serves as the name: a role belongs to a name, and people choose their display names.
    name: email,
    claimedRole: roleIn(claims[roleClaim]),
    account: accountOf(issuer, String(claims.sub)),
    providerSession: providerSessionOf(issuer, claims.sid),
  });
  return cookie;
}

/** Sends the browser to the team's page. Sets the cookie of the session, and removes that of the flow. */
function signedIn(request: Request, publicUrl: string, cookie: string): Reply {
  const isSecure = isHttps(request, publicUrl);
  return seeOther(`${rootFrom(request)}admin`, [
    ...sessionCookie(request, publicUrl, cookie),
    ...setCookie({ name: COOKIE, value: '', isSecure, maxAgeSeconds: 0 }),
  ]);
}

const refused = (request: Request, status: number, why: OidcRefusal): Reply => ({
  status,
  page: oidcRefused(why, rootFrom(request)),
});

/**
 * The refusal that explains an error of the provider or of its answer. An unknown error is refused as `invalid`.
 *
 * @throws {ApiError} the error itself when Redis has failed.
 */
function refusalOf(request: Request, error: unknown, observe: Observe): Reply {
  if (error instanceof ApiError) throw error;
  const { code, name, cause } = error as { code?: unknown; name?: unknown; cause?: { code?: unknown } };
  if (name === 'AuthorizationResponseError') return refused(request, 403, 'declined');
  const reason = withoutAdvice(reasonOf(error));
  observe({ event: 'sign-in failed', reason, remedy: certificateRemedy(reason) });
  if ([code, cause?.code].includes('OAUTH_JWT_TIMESTAMP_CHECK_FAILED')) return refused(request, 403, 'clock');
  if (isProviderAway(error)) return refused(request, 503, 'away');
  return refused(request, 403, 'invalid');
}

/** The reason of a failed sign-in, for the operator. The libraries wrap it in errors with general messages. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: unknown; cause?: unknown };
  if (cause instanceof Error) return reasonOf(cause);
  // The provider answered that it refuses the client, for example because of a wrong secret.
  const { error: code, error_description: description } = (cause ?? {}) as Record<string, unknown>;
  if (typeof code !== 'string') return String(message);
  return typeof description === 'string' ? `${code}: ${description}` : code;
}
