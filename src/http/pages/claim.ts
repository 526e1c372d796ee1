// GET and POST /claim/<token>: an invite becomes a key when a person clicks the button (contract §5 rule 2, ruling 26).

import type { Request } from 'express';
import type { FoundInvite } from '../../access/invites/invites.ts';
import { hashOf } from '../../access/secret.ts';
import type { PageDeps } from './deps.ts';
import { isFromOurButton, nonceFor, nonceOf } from './form.ts';
import { publicUrlFor } from './origin.ts';
import type { Reply, Route } from './reply.ts';
import { claimedHere, claimedKey, invitation, refusedClaim, spentInvite } from './templates/claimPages.ts';

/** The page of an invite. GET shows the button, and POST claims the key. */
export function claimRoutes({
  invites,
  keys,
  settings: { publicUrl, rateLimits },
}: PageDeps): readonly Route[] {
  /** Shows the button. Changes nothing, because mail and chat programs open links for previews. */
  async function show(request: Request, token = ''): Promise<Reply> {
    const invite = await invites.stateOf(token);
    if (invite.state !== 'open') return refuseSpent(invite, request);
    const { nonce, headers } = nonceFor(request, publicUrl);
    const { label, expiresMs } = invite;
    return { status: 200, page: invitation({ label, expiresMs, nonce }), headers };
  }

  async function claim(request: Request, token = ''): Promise<Reply> {
    const invite = await invites.stateOf(token);
    if (invite.state !== 'open') return refuseSpent(invite, request);
    if (!(await isFromOurButton(request, publicUrl))) return { status: 403, page: refusedClaim() };
    const claimed = await invites.claim(token, hashOf(nonceOf(request) ?? ''));
    if (claimed.outcome !== 'claimed') return refuseSpent(await invites.stateOf(token), request);
    // From here on nothing may fail, because the key can be shown only now.
    const { key, label, expiresMs, perMinute, perDay } = claimed;
    const limits = {
      perMinute: perMinute ?? rateLimits.perMinute,
      perDay: perDay ?? rateLimits.perDay,
    };
    return {
      status: 200,
      page: claimedKey({ key, label, address: publicUrlFor(request, publicUrl), limits, expiresMs }),
    };
  }

  /**
   * The page that says why the invite gives no key. Only the browser that claimed the key learns that it did so, and
   * whether the key was used. The key is not shown again.
   */
  async function refuseSpent(invite: FoundInvite, request: Request): Promise<Reply> {
    const nonce = nonceOf(request);
    const isClaimant = invite.state === 'used' && nonce !== null && invite.claimedBy === hashOf(nonce);
    const key = isClaimant && invite.keyId !== null ? await keys.find(invite.keyId) : null;
    if (key !== null) return { status: 410, page: claimedHere(key) };
    return { status: 410, page: spentInvite(invite.state === 'open' ? 'used' : invite.state) };
  }

  return [{ path: /^\/claim\/([^/%]+)$/, GET: show, POST: claim }];
}
