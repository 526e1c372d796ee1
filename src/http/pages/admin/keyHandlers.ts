// Handles the routes of one key: its page, limits, rotation, revocation, and replacement by a new invite.

import type { AuditEntry } from '../../../access/audit.ts';
import { claimLink, INVITE_MS } from '../../../access/invites/invites.ts';
import { mintSecret } from '../../../access/secret.ts';
import { publicUrlFor } from '../origin.ts';
import { type Reply, seeOther } from '../reply.ts';
import { newInvite } from '../templates/invitePages.ts';
import { GRACES, type KeyView, keyPage, newKey } from '../templates/keyPages.ts';
import { type FormVisit, limitOf, noSuch, ok, sentBefore, type Visit } from './teamVisit.ts';

/** The page of a key; 404 for an unknown id. */
export async function showKey(visit: Visit, id: string): Promise<Reply> {
  return keyReply(visit, id, {});
}

/**
 * The confirmations that are shown after a redirect, by the value of `said` in the address. These are maps, because
 * anybody can change the address, and an object would also find inherited names. A revocation is confirmed only for a
 * revoked key.
 */
const CONFIRMATIONS = new Map([
  ['limits', 'The limits are changed. They hold from the next request on.'],
  ['same-limits', 'The key had these limits already. Nothing was changed.'],
]);
const CONFIRMATIONS_OF_REVOKED = new Map([['revoked', 'The key is revoked. Its next request is refused.']]);

async function keyReply(visit: Visit, id: string, shown: Partial<KeyView>, status = 200): Promise<Reply> {
  const key = await visit.deps.keys.find(id);
  if (key === null) return noSuch(visit, 'key');
  const [{ lastDay, days }, minuteUse, acts] = await Promise.all([
    visit.deps.keys.usage(id),
    key.state === 'damaged' ? 0 : visit.deps.keys.minuteUse(id),
    actsOn(visit, id),
  ]);
  const defaults = visit.deps.settings.rateLimits;
  const confirmations = key.state === 'revoked' ? CONFIRMATIONS_OF_REVOKED : CONFIRMATIONS;
  // The answer to a refused form shows only its problem, not a confirmation.
  const confirmation = shown.problem ? null : (confirmations.get(visit.query.get('said') ?? '') ?? null);
  const blank = { confirmation, problem: null, typed: null, once: mintSecret() };
  return {
    status,
    page: keyPage(visit, { key, days, lastDay, minuteUse, acts, defaults, ...blank, ...shown }),
  };
}

/** Changes the limits of a key to those of the form. */
export async function changeLimits(visit: FormVisit, id: string): Promise<Reply> {
  const { deps, form, session, root } = visit;
  const typed = { perMinute: form.get('perMinute') ?? '', perDay: form.get('perDay') ?? '' };
  const perMinute = limitOf(typed.perMinute);
  const perDay = limitOf(typed.perDay);
  if (perMinute === undefined || perDay === undefined) {
    const text =
      'A limit is a positive whole number of at most 15 digits, or empty for the default. Nothing was changed.';
    return keyReply(visit, id, { typed, problem: { form: 'limits', text } }, 400);
  }
  const outcome = await deps.keys.changeLimits(id, { perMinute, perDay }, session.by);
  if (outcome === 'unknown') return noSuch(visit, 'key');
  return seeOther(`${root}admin/keys/${id}${SAID_OF_LIMITS[outcome]}`);
}

/** The page of a damaged key says that it is damaged, so nothing else is confirmed. */
const SAID_OF_LIMITS = { changed: '?said=limits', same: '?said=same-limits', damaged: '' } as const;

/** Replaces a key, and shows the new one once. */
export async function rotate(visit: FormVisit, id: string): Promise<Reply> {
  const { deps, form, session, root } = visit;
  const hours = Object.keys(GRACES).find((grace) => grace === form.get('grace')) ?? '24';
  if (!(await deps.forms.isFirstSubmission(form.get('once') ?? ''))) return sentBefore(visit);
  const rotated = await deps.keys.rotate(id, { graceMs: Number(hours) * 3_600_000, by: session.by });
  if (rotated.outcome === 'unknown') return noSuch(visit, 'key');
  if (rotated.outcome !== 'rotated') return seeOther(`${root}admin/keys/${id}`);
  return ok(newKey(visit, { ...rotated, oldId: id, oldHasEnded: hours === '0' }));
}

/** Revokes a key. */
export async function revokeKey(visit: FormVisit, id: string): Promise<Reply> {
  const { deps, form, session, root } = visit;
  if (form.get('sure') !== 'yes') {
    const text = 'Tick the box to say that you mean it. Nothing was changed.';
    return keyReply(visit, id, { problem: { form: 'revoke', text } }, 400);
  }
  const outcome = await deps.keys.revoke(id, session.by);
  return outcome === 'unknown' ? noSuch(visit, 'key') : seeOther(`${root}admin/keys/${id}?said=revoked`);
}

/** How many entries of the audit log are searched for a key, how many are read at a time, and how many are shown. */
const [SEARCHED_ENTRIES, ENTRIES_AT_ONCE, SHOWN_ENTRIES] = [20_000, 2_000, 20];

async function actsOn({ deps }: Visit, id: string): Promise<AuditEntry[]> {
  const found: AuditEntry[] = [];
  let before: string | undefined;
  for (let searched = 0; searched < SEARCHED_ENTRIES && found.length < SHOWN_ENTRIES; ) {
    const part = { count: ENTRIES_AT_ONCE, ...(before !== undefined && { before }) };
    const entries = await deps.audit.read(part);
    found.push(...entries.filter(({ keyId, details }) => keyId === id || details.newKeyId === id));
    before = entries.at(-1)?.entry;
    searched += entries.length;
    if (entries.length < ENTRIES_AT_ONCE) break;
  }
  return found.slice(0, SHOWN_ENTRIES);
}

/**
 * Makes a new invite for the holder of a key that nobody used, and revokes the key.
 *
 * The invite is made first. If the process is interrupted in between, nobody has seen the link, and the key still
 * works.
 */
export async function replaceKey(visit: FormVisit, id: string): Promise<Reply> {
  const { deps, form, session, root, request } = visit;
  const key = await deps.keys.find(id);
  if (key === null) return noSuch(visit, 'key');
  if (!(await deps.forms.isFirstSubmission(form.get('once') ?? ''))) return sentBefore(visit);
  if (key.state === 'revoked' || key.state === 'damaged') return seeOther(`${root}admin/keys/${id}`);
  if (key.usedMs !== null) return usedMeanwhile(visit, id);
  const { label, perMinute, perDay, note, plannedEndMs, createdMs } = key;
  const endsAfterMs = plannedEndMs === null ? null : plannedEndMs - createdMs;
  const terms = { label, perMinute, perDay, note, endsAfterMs, claimableMs: INVITE_MS, by: session.by };
  const invite = await deps.invites.create(terms);
  const outcome = await deps.keys.revokeUnused(id, session.by);
  if (outcome !== 'revoked') await deps.invites.revoke(invite.id, session.by);
  if (outcome === 'used') return usedMeanwhile(visit, id);
  if (outcome !== 'revoked') return seeOther(`${root}admin/keys/${id}`);
  const link = claimLink(publicUrlFor(request, deps.settings.publicUrl), invite.token);
  return ok(newInvite(visit, { link, label, expiresMs: invite.expiresMs }));
}

function usedMeanwhile(visit: FormVisit, id: string): Promise<Reply> {
  const text = 'The key has been used meanwhile, so it was not replaced. Rotate or revoke it instead.';
  return keyReply(visit, id, { problem: { form: 'revoke', text } }, 409);
}
