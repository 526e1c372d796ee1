// Handles the routes of invites: lists them, makes them for one person or several, and revokes them.

import type { InviteInfo } from '../../../access/invites/inviteRecords.ts';
import { claimLink, type InviteTerms } from '../../../access/invites/invites.ts';
import { parseShortText } from '../../../access/keys/shortText.ts';
import { mintSecret } from '../../../access/secret.ts';
import { publicUrlFor } from '../origin.ts';
import { type Reply, seeOther } from '../reply.ts';
import {
  INVITE_DAYS,
  type InviteDays,
  type InviteForm,
  inviteList,
  MAX_PEOPLE,
  type MoreTerms,
  type NewInvite,
  newInvite,
  newInvites,
} from '../templates/invitePages.ts';
import {
  asSentence,
  type FormVisit,
  limitOf,
  noSuch,
  ok,
  pageOfList,
  sentBefore,
  type Visit,
} from './teamVisit.ts';

const CONFIRMATIONS = new Map([
  ['withdrawn', 'The invite is withdrawn. Its link does not work any more.'],
  ['used', 'That invite was used before it could be withdrawn: revoke the key it became.'],
]);

const freshForm = (): InviteForm => ({ once: mintSecret(), label: '', problem: null });

/** GET /admin/invites: the list and the form. */
export async function showInvites(visit: Visit): Promise<Reply> {
  return ok(await invitesPage(visit, freshForm()));
}

async function invitesPage(visit: Visit, form: InviteForm) {
  const newestFirst = (await visit.deps.inviteIndex.list()).toReversed();
  // Open and damaged invites come first, because they can be withdrawn.
  const isOpen = ({ state }: InviteInfo) => state === 'open' || state === 'damaged';
  const sorted = [...newestFirst.filter(isOpen), ...newestFirst.filter((one) => !isOpen(one))];
  const { part, ...paging } = pageOfList(sorted, visit.query);
  const confirmation = CONFIRMATIONS.get(visit.query.get('said') ?? '') ?? null;
  return inviteList(visit, { invites: part, paging, form, confirmation });
}

/** Makes one invite or several from the form, and shows their links once. */
export async function invite(visit: FormVisit): Promise<Reply> {
  const { deps, form, session, request } = visit;
  const invites = readInvites(form);
  if ('problem' in invites) {
    const problem = asSentence(invites.problem);
    const typed = (form.get('label') ?? '').slice(0, 500);
    const more = optionalTerms(form);
    const given = { label: typed, days: daysIn(form), ...(more && { more }) };
    return { status: 400, page: await invitesPage(visit, { ...freshForm(), ...given, problem }) };
  }
  if (!(await deps.forms.isFirstSubmission(form.get('once') ?? ''))) return sentBefore(visit);
  const { labels, ...terms } = invites;
  const publicUrl = publicUrlFor(request, deps.settings.publicUrl);
  const links: NewInvite[] = [];
  try {
    for (const label of labels) {
      const { token, expiresMs } = await deps.invites.create({ ...terms, label, by: session.by });
      links.push({ label, link: claimLink(publicUrl, token), expiresMs });
    }
  } catch (error) {
    // An error page would not show the links that were made before the error.
    if (links.length === 0) throw error;
  }
  const [first] = links;
  if (first === undefined) return sentBefore(visit);
  return ok(
    labels.length === 1
      ? newInvite(visit, first)
      : newInvites(visit, { links, expiresMs: first.expiresMs, missing: labels.slice(links.length) }),
  );
}

type RequestedInvites = { readonly labels: readonly string[] } & Omit<InviteTerms, 'label' | 'by'>;

/** The invites that a form asks for, or the first problem of the form. */
function readInvites(form: URLSearchParams): RequestedInvites | { readonly problem: string } {
  const people = readPeople(form);
  if ('problem' in people) return people;
  const [perMinute, perDay] = [limitOf(form.get('perMinute') ?? ''), limitOf(form.get('perDay') ?? '')];
  if (perMinute === undefined || perDay === undefined)
    return { problem: 'a limit is a positive whole number of at most 15 digits, or empty for the default' };
  const ends = limitOf(form.get('ends') ?? '');
  if (ends === undefined || (ends ?? 0) > MAX_DAYS)
    return { problem: `the key ends after 1 to ${MAX_DAYS} days, or never if left empty` };
  const note = (form.get('note') ?? '').trim();
  const readNote = note === '' ? { text: null } : parseShortText(note, 'note');
  if ('problem' in readNote) return readNote;
  const endsAfterMs = ends === null ? null : ends * DAY_MS;
  const claimableMs = Number(daysIn(form)) * DAY_MS;
  return { ...people, claimableMs, perMinute, perDay, endsAfterMs, note: readNote.text };
}

/** How long the invite can be claimed, in days. */
const daysIn = (form: URLSearchParams): InviteDays =>
  (Object.keys(INVITE_DAYS) as InviteDays[]).find((days) => days === form.get('days')) ?? '7';

/** The labels of all people in a form. One field has the label of one person. The other has one label per line. */
function readPeople(
  form: URLSearchParams,
): { readonly labels: readonly string[] } | { readonly problem: string } {
  const several = (form.get('people') ?? '').split(/\r?\n/).filter((line) => line.trim() !== '');
  const typed = form.get('label') ?? '';
  const lines = several.length > 0 && typed.trim() === '' ? several : [typed, ...several];
  if (lines.length > MAX_PEOPLE) return { problem: `at most ${MAX_PEOPLE} people at once` };
  const labels: string[] = [];
  for (const line of lines) {
    const read = parseShortText(line);
    if ('problem' in read)
      return { problem: several.length > 0 ? `${read.problem}: “${line.slice(0, 40)}”` : read.problem };
    labels.push(read.text);
  }
  return { labels };
}

const DAY_MS = 86_400_000;
/** The longest life of a key with an end: ten years. */
const MAX_DAYS = 3650;

/**
 * The optional terms, which the form hides at first; undefined when all are empty. Line ends become `\n`, because
 * browsers send `\r\n`.
 */
function optionalTerms(form: URLSearchParams): MoreTerms | undefined {
  const typed = (name: keyof MoreTerms) => (form.get(name) ?? '').replace(/\r\n?/g, '\n');
  const more = {
    people: typed('people'),
    perMinute: typed('perMinute'),
    perDay: typed('perDay'),
    ends: typed('ends'),
    note: typed('note'),
  };
  return Object.values(more).some((text) => text !== '') ? more : undefined;
}

/** Revokes an invite, so that its link makes no key. */
export async function revokeInvite(visit: FormVisit, id: string): Promise<Reply> {
  const outcome = await visit.deps.invites.revoke(id, visit.session.by);
  if (outcome === 'unknown') return noSuch(visit, 'invite');
  return seeOther(`${visit.root}admin/invites?said=${outcome === 'used' ? 'used' : 'withdrawn'}`);
}
