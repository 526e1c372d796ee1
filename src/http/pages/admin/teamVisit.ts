// A visit to the team's page: finds its session, checks its forms and role. Also has replies that several pages share.

import type { Request } from 'express';
import { mayActAs, type Role } from '../../../access/people/people.ts';
import { isCsrf, type SignedInSession } from '../../../access/people/sessions.ts';
import { type Html, html } from '../../../text/html.ts';
import { rawQuery } from '../../server/requestUrl.ts';
import type { PageDeps } from '../deps.ts';
import { readForm, typedIn } from '../form.ts';
import { isOwnOrigin } from '../origin.ts';
import { type Handler, type Reply, rootFrom, seeOther } from '../reply.ts';
import { sessionOf } from '../signin.ts';
import type { Page } from '../templates/pageFrame.ts';
import { lacksRole, pleaseSignIn, refusedForm } from '../templates/signinPages.ts';
import { type TeamVisit, teamMessage } from '../templates/teamPage.ts';

export interface Visit extends TeamVisit, SignedInSession {
  readonly request: Request;
  readonly deps: PageDeps;
  readonly query: URLSearchParams;
}

export interface FormVisit extends Visit {
  readonly form: URLSearchParams;
}

export type ShowPage = (visit: Visit, id: string) => Promise<Reply>;
export type HandleForm = (visit: FormVisit, id: string) => Promise<Reply>;

/** Makes the handler of a page that everybody of the team may see. */
export const viewHandler =
  (deps: PageDeps, show: ShowPage): Handler =>
  async (request, id = '') => {
    const visit = await visitOf(request, deps);
    return 'status' in visit ? visit : show(visit, id);
  };

/**
 * Makes the handler of a form. It refuses a form without the token of its session, a form from another site, and a form
 * from a person whose role does not have the needed rights at this moment.
 */
export const formHandler =
  (deps: PageDeps, needed: Role, perform: HandleForm): Handler =>
  async (request, id = '') => {
    // Nothing of a form from another site is shown, because a page could then say what that site wants.
    const isOwn = isOwnOrigin(request, deps.settings.publicUrl);
    const visit = await visitOf(request, deps, async () => (isOwn ? typedIn(await readForm(request)) : ''));
    if ('status' in visit) return visit;
    // An empty link opens the address of the form itself. A GET of it leads back to the page with the form.
    const refused = (typed: string): Reply => ({ status: 403, page: refusedForm('', typed) });
    if (!isOwn) return refused('');
    const form = await readForm(request);
    if (!isCsrf(visit.session, form.get('csrf') ?? '')) return refused(typedIn(form));
    if (!mayActAs(visit.session.role, needed)) return roleMissing(visit, needed, typedIn(form));
    return perform({ ...visit, form }, id);
  };

/** The 403 for a person whose role does not have the needed rights. `typed` has the texts of the form, one a line. */
export async function roleMissing(visit: Visit, needed: Role, typed = ''): Promise<Reply> {
  const owners = (await visit.deps.people.list()).filter(({ role }) => role === 'owner');
  return { status: 403, page: lacksRole(visit, { needed, owners, typed }) };
}

/**
 * The visit, or the page that asks to sign in. That page has the texts that `readTyped` gives, so that they are not lost.
 */
async function visitOf(
  request: Request,
  deps: PageDeps,
  readTyped: () => Promise<string> = async () => '',
): Promise<Visit | Reply> {
  const found = await sessionOf(request, deps);
  if (typeof found === 'string') {
    const oidcRoot = deps.settings.oidc ? rootFrom(request) : null;
    return { status: 401, page: pleaseSignIn(found, oidcRoot, await readTyped()) };
  }
  const query = new URLSearchParams(rawQuery(request));
  const { csrf, name, role } = found.session;
  return { request, deps, query, root: rootFrom(request), csrf, person: { name, role }, ...found };
}

/** Makes the handler of GET for an address that only receives forms. It leads back to the page with the form. */
export const backTo =
  (path: string): Handler =>
  async (request, id = '') =>
    seeOther(`${rootFrom(request)}admin${path && '/'}${path}${path.endsWith('/') ? id : ''}`);

const PER_PAGE = 50;

/**
 * The part of a list that a page shows, and the addresses of the other pages. The addresses also have the parameters in
 * `filters`.
 */
export function pageOfList<Item>(
  items: readonly Item[],
  query: URLSearchParams,
  filters: Record<string, string> = {},
) {
  const pages = Math.max(1, Math.ceil(items.length / PER_PAGE));
  const requestedPage = /^[1-9][0-9]{0,5}$/.test(query.get('page') ?? '') ? Number(query.get('page')) : 1;
  const page = Math.min(requestedPage, pages);
  return {
    part: items.slice((page - 1) * PER_PAGE, page * PER_PAGE),
    page,
    pages,
    filters,
    to: (other: number) => `?${new URLSearchParams({ ...filters, page: String(other) })}`,
  };
}

/** The reply 200 with a page. */
export const ok = (page: Page): Reply => ({ status: 200, page });

const listLinks = ({ root }: Visit): Html =>
  html`<a href="${root}admin">All keys</a> · <a href="${root}admin/invites">All invites</a>`;

/** The reply 404 for an id that names nothing. */
export const noSuch = (visit: Visit, what: 'key' | 'invite' | 'session' | 'person' | 'month'): Reply => ({
  status: 404,
  page: teamMessage(visit, {
    title: `There is no such ${what}`,
    text: 'Nothing was changed.',
    advice: listLinks(visit),
  }),
});

/**
 * The reply to a form that was sent a second time, such as by a reload. Whether the first time succeeded is not known.
 */
export const sentBefore = (visit: FormVisit): Reply => ({
  status: 409,
  page: teamMessage(visit, {
    typed: typedIn(visit.form),
    title: 'This form was sent before',
    text: 'Nothing was done this time. The first answer cannot be shown again. If it was an error, the lists show whether the form took effect.',
    advice: listLinks(visit),
  }),
});

/** The problem with a capital letter and a full stop. */
export const asSentence = (problem: string): string =>
  `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`;

/** Reads a limit that was typed: null for an empty text, which means the default; undefined when it is not a limit. */
export function limitOf(text: string): number | null | undefined {
  const written = text.replace(/[\s,]/g, '');
  if (written === '') return null;
  return /^[0-9]{1,15}$/.test(written) && Number(written) > 0 ? Number(written) : undefined;
}
