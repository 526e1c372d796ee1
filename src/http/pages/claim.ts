// GET and POST /claim/<token>: an invite becomes a key when a person clicks (contract §5 rule 2, ruling 26).

import type { Request } from 'express';
import type { Invites } from '../../access/invites.ts';
import { isFromOurButton, nonceFor } from './nonce.ts';
import { addressFor } from './origin.ts';
import type { Reply, Route } from './reply.ts';
import type { PagesSettings } from './settings.ts';
import { claimedKey, invitation, refusedClaim, spentInvite } from './templates/claimPages.ts';

export interface ClaimDeps {
  readonly invites: Pick<Invites, 'stateOf' | 'claim'>;
  readonly settings: PagesSettings;
}

export function claimRoutes({ invites, settings: { publicUrl, rateLimits } }: ClaimDeps): readonly Route[] {
  /** Changes nothing: mail and chat programs open links too. */
  async function show(request: Request, token = ''): Promise<Reply> {
    const invite = await invites.stateOf(token);
    if (invite.state !== 'open') return gone(invite.state);
    const { nonce, headers } = nonceFor(request, publicUrl);
    const { label, expires } = invite;
    return { status: 200, page: invitation({ label, expires, nonce }), headers };
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

  return [{ path: /^\/claim\/([^/%]+)$/, GET: show, POST: claim }];
}

const gone = (why: Parameters<typeof spentInvite>[0]): Reply => ({ status: 410, page: spentInvite(why) });
