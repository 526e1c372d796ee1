// GET and POST /claim/<token>: an invite becomes a key, by a person's click alone (contract §5 rule 2, ruling 26).

import type { Request } from 'express';
import type { Invites } from '../access/invites.ts';
import { isSecretForm, mintSecret } from '../access/secret.ts';
import { cookieOf, setCookie } from './cookies.ts';
import { readForm } from './form.ts';
import { addressFor, isHttps, isOwnOrigin, isSameSecret } from './origin.ts';
import { claimedKey, invitation, refusedClaim, spentInvite } from './pages/claimPages.ts';
import type { PagesSettings } from './pages.ts';
import type { Reply, Route } from './reply.ts';

export interface ClaimDeps {
  readonly invites: Pick<Invites, 'stateOf' | 'claim'>;
  readonly settings: PagesSettings;
}

const COOKIE = 'claim';

export function claimRoutes({ invites, settings: { publicUrl, rateLimits } }: ClaimDeps): readonly Route[] {
  /** Changes nothing, however often it is asked. */
  async function show(request: Request, token = ''): Promise<Reply> {
    const invite = await invites.stateOf(token);
    if (invite.state !== 'open') return gone(invite.state);
    const nonce = nonceOf(request) ?? mintSecret();
    return {
      status: 200,
      page: invitation({ label: invite.label, expires: invite.expires, nonce }),
      headers: setCookie({ name: COOKIE, value: nonce, secure: isHttps(request, publicUrl) }),
    };
  }

  async function claim(request: Request, token = ''): Promise<Reply> {
    const { state } = await invites.stateOf(token);
    if (state !== 'open') return gone(state);
    if (!(await isFromOurButton(request, publicUrl))) return { status: 403, page: refusedClaim() };
    const claimed = await invites.claim(token);
    if (claimed.outcome !== 'claimed') return gone(claimed.outcome);
    const { key, label } = claimed;
    const address = addressFor(request, publicUrl);
    return { status: 200, page: claimedKey({ key, label, address, limits: rateLimits }) };
  }

  return [{ path: /^\/claim\/([^/]+)$/, GET: show, POST: claim }];
}

const gone = (why: Parameters<typeof spentInvite>[0]): Reply => ({ status: 410, page: spentInvite(why) });

/** The page's nonce comes back twice: with the form, and in a cookie that no other site can set or send. */
async function isFromOurButton(request: Request, publicUrl: string): Promise<boolean> {
  const nonce = nonceOf(request);
  if (nonce === null || !isOwnOrigin(request, publicUrl)) return false;
  return isSameSecret(nonce, (await readForm(request)).get('nonce'));
}

function nonceOf(request: Request): string | null {
  const cookie = cookieOf(request, COOKIE);
  return cookie !== null && isSecretForm(cookie) ? cookie : null;
}
