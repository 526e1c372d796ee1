// The routes under /admin: the team invites people, and lists, limits, rotates and revokes keys (contract §5 rule 6).

import type { Request } from 'express';
import type { AuditEntry } from '../../access/audit.ts';
import type { Forms } from '../../access/idempotentForms.ts';
import type { InviteInfo, Invites } from '../../access/invites.ts';
import { claimLink } from '../../access/invites.ts';
import type { KeyInfo, Keys } from '../../access/keys.ts';
import { readLabel } from '../../access/label.ts';
import { mintSecret } from '../../access/secret.ts';
import { isCsrf } from '../../access/sessions.ts';
import { html } from '../../html.ts';
import { rawQuery } from '../server/url.ts';
import { readForm } from './form.ts';
import { addressFor, isOwnOrigin } from './origin.ts';
import { type Handler, type Reply, type Route, rootFrom, seeOther } from './reply.ts';
import type { PagesSettings } from './settings.ts';
import { type SignedIn, type SigninDeps, sessionOf, signOut } from './signin.ts';
import { auditPage } from './templates/auditPage.ts';
import { INVITE_DAYS, type InviteForm, inviteList, newInvite } from './templates/invitePages.ts';
import { GRACES, type KeyView, keyList, newKey, oneKey } from './templates/keyPages.ts';
import { pleaseSignIn, refusedForm } from './templates/signinPages.ts';
import { type TeamVisit, teamMessage } from './templates/team.ts';

export interface AdminDeps extends SigninDeps {
  readonly keys: Pick<Keys, 'list' | 'find' | 'usage' | 'revoke' | 'rotate' | 'limit'>;
  readonly invites: Pick<Invites, 'list' | 'create' | 'revoke'>;
  readonly forms: Forms;
  readonly audit: { read(part: AuditPart): Promise<readonly AuditEntry[]> };
  readonly settings: PagesSettings;
}

export interface AuditPart {
  readonly count: number;
  readonly before?: string;
}

export const adminRoutes = (deps: AdminDeps): readonly Route[] => {
  const view = (show: Show) => viewHandler(deps, show);
  const act = (perform: Act) => formHandler(deps, perform);
  const key = (end: string) => new RegExp(`^/admin/keys/([0-9A-Za-z]+)${end}$`);
  return [
    { path: /^\/admin$/, GET: view(showKeys) },
    { path: key(''), GET: view(showKey) },
    { path: key('/limits'), GET: backTo('keys/'), POST: act(changeLimits) },
    { path: key('/rotate'), GET: backTo('keys/'), POST: act(rotate) },
    { path: key('/revoke'), GET: backTo('keys/'), POST: act(revokeKey) },
    { path: /^\/admin\/invites$/, GET: view(showInvites), POST: act(invite) },
    { path: /^\/admin\/invites\/([0-9A-Za-z]+)\/revoke$/, GET: backTo('invites'), POST: act(withdraw) },
    { path: /^\/admin\/audit$/, GET: view(showAudit) },
    { path: /^\/admin\/signout$/, GET: backTo(''), POST: act(leave) },
  ];
};

/** A request with a session. */
interface Visit extends TeamVisit, SignedIn {
  readonly request: Request;
  readonly deps: AdminDeps;
  readonly query: URLSearchParams;
}

interface FormVisit extends Visit {
  readonly form: URLSearchParams;
}

type Show = (visit: Visit, id: string) => Promise<Reply>;
type Act = (visit: FormVisit, id: string) => Promise<Reply>;

const viewHandler =
  (deps: AdminDeps, show: Show): Handler =>
  async (request, id = '') => {
    const visit = await visitOf(request, deps);
    return 'status' in visit ? visit : show(visit, id);
  };

/** Refuses a form without its session's token, and one from a page that is not ours. */
const formHandler =
  (deps: AdminDeps, perform: Act): Handler =>
  async (request, id = '') => {
    const visit = await visitOf(request, deps);
    if ('status' in visit) return visit;
    const refused: Reply = { status: 403, page: refusedForm(`${visit.root}admin`) };
    if (!isOwnOrigin(request, deps.settings.publicUrl)) return refused;
    const form = await readForm(request);
    if (!isCsrf(visit.session, form.get('csrf') ?? '')) return refused;
    return perform({ ...visit, form }, id);
  };

async function visitOf(request: Request, deps: AdminDeps): Promise<Visit | Reply> {
  const found = await sessionOf(request, deps);
  if (typeof found === 'string') return { status: 401, page: pleaseSignIn(found === 'ended') };
  const query = new URLSearchParams(rawQuery(request));
  return { request, deps, query, root: rootFrom(request), csrf: found.session.csrf, ...found };
}

/** An address that takes forms has no page of its own: opened or reloaded, it leads back to the page with the form. */
const backTo =
  (path: string): Handler =>
  async (request, id = '') =>
    seeOther(`${rootFrom(request)}admin${path && '/'}${path}${path.endsWith('/') ? id : ''}`);

const PER_PAGE = 50;

async function showKeys(visit: Visit): Promise<Reply> {
  const { deps, query } = visit;
  const all = await deps.keys.list();
  const search = (query.get('q') ?? '').trim().slice(0, 100);
  const found = all
    .filter(matching(search))
    .sort(byState(['active']))
    .reverse();
  const { part, ...paging } = pageOf(found, query, search === '' ? {} : { q: search });
  const active = all.filter(({ state }) => state === 'active').length;
  const today = all.reduce((sum, key) => sum + key.today, 0);
  return ok(
    keyList(visit, {
      keys: part,
      total: all.length,
      found: found.length,
      search,
      paging,
      defaults: deps.settings.rateLimits,
      form: freshForm(),
      summary: { active, today },
    }),
  );
}

function matching(search: string): (key: KeyInfo) => boolean {
  const wanted = plain(search);
  return ({ id, label, last4 }) => id === search || last4 === search || plain(label).includes(wanted);
}

/** The text without case, accents and widths of letters, for comparison. */
const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Sorts the given states last and keeps the order within each group; reversed, they come first, the newest first. */
const byState =
  (good: readonly string[]) =>
  (a: { readonly state: string }, b: { readonly state: string }): number =>
    Number(good.includes(a.state)) - Number(good.includes(b.state));

function pageOf<Item>(items: readonly Item[], query: URLSearchParams, kept: Record<string, string>) {
  const pages = Math.max(1, Math.ceil(items.length / PER_PAGE));
  const asked = /^[1-9][0-9]{0,5}$/.test(query.get('page') ?? '') ? Number(query.get('page')) : 1;
  const page = Math.min(asked, pages);
  return {
    part: items.slice((page - 1) * PER_PAGE, page * PER_PAGE),
    page,
    pages,
    to: (other: number) => `?${new URLSearchParams({ ...kept, page: String(other) })}`,
  };
}

const freshForm = (): InviteForm => ({ once: mintSecret(), label: '', problem: null });

async function showKey(visit: Visit, id: string): Promise<Reply> {
  return keyReply(visit, id, {});
}

/**
 * The confirmation after a redirect, by the word in its address. Anybody can write another word there, so these are maps,
 * without inherited names, and the confirmation of a revocation is shown only for a revoked key.
 */
const SAID_OF_KEY = new Map([
  ['limits', 'The limits are changed. They hold from the next request on.'],
  ['same-limits', 'The key had these limits already. Nothing was changed.'],
]);
const SAID_OF_REVOKED_KEY = new Map([['revoked', 'The key is revoked. Its next request is refused.']]);
const SAID_OF_INVITES = new Map([
  ['withdrawn', 'The invite is withdrawn. Its link does not work any more.'],
  ['used', 'That invite was used before it could be withdrawn: revoke the key it became.'],
]);

async function keyReply(visit: Visit, id: string, shown: Partial<KeyView>, status = 200): Promise<Reply> {
  const key = await visit.deps.keys.find(id);
  if (key === null) return noSuch(visit, 'key');
  const days = await visit.deps.keys.usage(id);
  const defaults = visit.deps.settings.rateLimits;
  const saidOf = key.state === 'revoked' ? SAID_OF_REVOKED_KEY : SAID_OF_KEY;
  // The answer to a refused form says only what is wrong with it.
  const said = shown.problem ? null : (saidOf.get(visit.query.get('said') ?? '') ?? null);
  const blank = { said, problem: null, typed: null, once: mintSecret() };
  return { status, page: oneKey(visit, { key, days, defaults, ...blank, ...shown }) };
}

async function changeLimits(visit: FormVisit, id: string): Promise<Reply> {
  const { deps, form, session, root } = visit;
  const typed = { perMinute: form.get('perMinute') ?? '', perDay: form.get('perDay') ?? '' };
  const perMinute = limitOf(typed.perMinute);
  const perDay = limitOf(typed.perDay);
  if (perMinute === undefined || perDay === undefined) {
    const text = 'A limit is a positive whole number, or empty for the default. Nothing was changed.';
    return keyReply(visit, id, { typed, problem: { of: 'limits', text } }, 400);
  }
  const outcome = await deps.keys.limit(id, { perMinute, perDay }, session.by);
  if (outcome === 'unknown') return noSuch(visit, 'key');
  return seeOther(`${root}admin/keys/${id}?said=${outcome === 'same' ? 'same-limits' : 'limits'}`);
}

/** `null` for no limit of its own; `undefined` for a text that is no limit. */
function limitOf(text: string): number | null | undefined {
  const written = text.replace(/[\s,]/g, '');
  if (written === '') return null;
  return /^[0-9]{1,15}$/.test(written) && Number(written) > 0 ? Number(written) : undefined;
}

async function rotate(visit: FormVisit, id: string): Promise<Reply> {
  const { deps, form, session, root } = visit;
  const hours = Object.keys(GRACES).find((grace) => grace === form.get('grace')) ?? '24';
  if (!(await deps.forms.isFirst(form.get('once') ?? ''))) return sentBefore(visit);
  const rotated = await deps.keys.rotate(id, { graceMs: Number(hours) * 3_600_000, by: session.by });
  if (rotated.outcome === 'unknown') return noSuch(visit, 'key');
  if (rotated.outcome !== 'rotated') return seeOther(`${root}admin/keys/${id}`);
  return ok(newKey(visit, { ...rotated, oldId: id, oldHasEnded: hours === '0' }));
}

async function revokeKey(visit: FormVisit, id: string): Promise<Reply> {
  const { deps, form, session, root } = visit;
  if (form.get('sure') !== 'yes') {
    const text = 'Tick the box to say that you mean it. Nothing was changed.';
    return keyReply(visit, id, { problem: { of: 'revoke', text } }, 400);
  }
  const outcome = await deps.keys.revoke(id, session.by);
  return outcome === 'unknown' ? noSuch(visit, 'key') : seeOther(`${root}admin/keys/${id}?said=revoked`);
}

async function showInvites(visit: Visit): Promise<Reply> {
  return ok(await invitesPage(visit, freshForm()));
}

async function invitesPage(visit: Visit, form: InviteForm) {
  const all: readonly InviteInfo[] = await visit.deps.invites.list();
  const sorted = [...all].sort(byState(['open'])).reverse();
  const { part, ...paging } = pageOf(sorted, visit.query, {});
  const said = SAID_OF_INVITES.get(visit.query.get('said') ?? '') ?? null;
  return inviteList(visit, { invites: part, paging, form, said });
}

async function invite(visit: FormVisit): Promise<Reply> {
  const { deps, form, session, request } = visit;
  const typed = form.get('label') ?? '';
  const read = readLabel(typed);
  if ('problem' in read) {
    const problem = `${read.problem.charAt(0).toUpperCase()}${read.problem.slice(1)}.`;
    return {
      status: 400,
      page: await invitesPage(visit, { ...freshForm(), label: typed.slice(0, 500), problem }),
    };
  }
  const days = Object.keys(INVITE_DAYS).find((count) => count === form.get('days')) ?? '7';
  if (!(await deps.forms.isFirst(form.get('once') ?? ''))) return sentBefore(visit);
  const { label } = read;
  const made = await deps.invites.create({ label, expiresMs: Number(days) * 86_400_000, by: session.by });
  const link = claimLink(addressFor(request, deps.settings.publicUrl), made.token);
  return ok(newInvite(visit, { link, label, expires: made.expires }));
}

async function withdraw(visit: FormVisit, id: string): Promise<Reply> {
  const outcome = await visit.deps.invites.revoke(id, visit.session.by);
  if (outcome === 'unknown') return noSuch(visit, 'invite');
  return seeOther(`${visit.root}admin/invites?said=${outcome === 'used' ? 'used' : 'withdrawn'}`);
}

async function showAudit(visit: Visit): Promise<Reply> {
  const asked = visit.query.get('before') ?? '';
  const before = /^[0-9]{1,16}-[0-9]{1,10}$/.test(asked) ? { before: asked } : {};
  const entries = await visit.deps.audit.read({ count: PER_PAGE + 1, ...before });
  const part = entries.slice(0, PER_PAGE);
  const older = entries.length > PER_PAGE ? (part.at(-1)?.entry ?? null) : null;
  return ok(auditPage(visit, { entries: part, older, isNewest: !('before' in before) }));
}

const leave: Act = (visit) => signOut(visit.request, visit, visit.deps);

const ok = (page: Reply['page']): Reply => ({ status: 200, page });

const noSuch = (visit: Visit, what: 'key' | 'invite'): Reply => ({
  status: 404,
  page: teamMessage(visit, {
    title: `There is no such ${what}`,
    said: 'Nothing was changed.',
    advice: html`<a href="${visit.root}admin">All keys</a> · <a href="${visit.root}admin/invites">All invites</a>`,
  }),
});

/** A form that shows a secret was sent a second time, such as by reloading its answer. */
const sentBefore = (visit: Visit): Reply => ({
  status: 409,
  page: teamMessage(visit, {
    title: 'That was done already',
    said: 'This form was sent before, and nothing was done again. What it showed then cannot be shown again.',
    advice: html`<a href="${visit.root}admin">All keys</a> · <a href="${visit.root}admin/invites">All invites</a>`,
  }),
});
