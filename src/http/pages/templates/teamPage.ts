// Parts of the team's pages: the frame with its links, fields of forms, states, use and paging.

import type { Role } from '../../../access/people/people.ts';
import { type Html, html } from '../../../text/html.ts';
import { type Message, message, typedTexts } from './message.ts';
import type { Page } from './pageFrame.ts';
import { grouped } from './parts.ts';

/** The facts about a visit that every page of the team uses. */
export interface TeamVisit {
  /** The relative link to the root of the service, such as `../`. A proxy may serve it below a path of its own. */
  readonly root: string;
  /** The token of the session, which every form contains. */
  readonly csrf: string;
  readonly person: { readonly name: string; readonly role: Role };
}

type Tab = 'Keys' | 'Invites' | 'Months' | 'People' | 'Audit log';

const TABS: Readonly<Record<Tab, string>> = {
  Keys: 'admin',
  Invites: 'admin/invites',
  Months: 'admin/months',
  People: 'admin/people',
  'Audit log': 'admin/audit',
};

export interface TeamPage {
  readonly title: string;
  readonly main: Html;
  /** The tab that is marked as current. */
  readonly tab: Tab;
  readonly width?: 'narrow' | 'wide';
}

/** A page in the frame of the team's pages: the links to all of them, the person, and the button to sign out. */
export const teamPage = (visit: TeamVisit, { title, main, tab, width = 'wide' }: TeamPage): Page => ({
  title,
  main,
  width,
  navigation: html`
<nav aria-label="Team"><ul class="tabs">${Object.entries(TABS).map(
    ([name, path]) =>
      html`<li><a href="${visit.root}${path}"${name === tab && html` aria-current="page"`}>${name}</a></li>`,
  )}</ul></nav>
<form class="signout" method="post" action="${visit.root}admin/signout">${csrfField(visit)}<span class="quiet small breakable">${visit.person.name}, ${visit.person.role}</span> <button class="button plain slight">Sign out</button></form>`,
});

/** The hidden field with the token that every form of the session sends. */
export const csrfField = ({ csrf }: TeamVisit): Html =>
  html`<input type="hidden" name="csrf" value="${csrf}">`;

/** The hidden field that makes a form take effect only once. */
export const onceField = (once: string): Html => html`<input type="hidden" name="once" value="${once}">`;

/** A page of the team with a single message, and below it the texts of a form, one a line. */
export const teamMessage = (
  visit: TeamVisit,
  { typed = '', ...shown }: Pick<Message, 'title' | 'text' | 'advice'> & { readonly typed?: string },
): Page => {
  const { main } = message({ ...shown, below: typedTexts(typed) });
  return teamPage(visit, { title: shown.title, tab: 'Keys', width: 'narrow', main });
};

/** A note at the top of a page on what was just done. */
export const notice = (text: string | null): Html | null =>
  text === null ? null : html`<p class="note" role="status">${text}</p>`;

const MARKS = {
  good: html`<circle cx="6" cy="6" r="5"/>`,
  bad: html`<path d="M2 2l8 8M10 2l-8 8" stroke-width="2.2" fill="none"/>`,
  past: html`<circle cx="6" cy="6" r="4.4" stroke-width="1.6" fill="none"/>`,
} as const;

/** A state as a word with a mark. The marks differ in shape, so that people can tell them apart without colours. */
export const stateMark = (kind: keyof typeof MARKS, word: string): Html =>
  html`<span class="state ${kind}"><svg viewBox="0 0 12 12" aria-hidden="true" focusable="false">${MARKS[kind]}</svg>${word}</span>`;

/** The use of a limit, in words and as a bar. */
export function usageBar(count: number, limit: number): Html {
  const percent = Math.min(100, (100 * count) / limit);
  // Even the smallest use must be visible.
  const width = count === 0 ? 0 : Math.max(1.5, percent);
  return html`<span class="bar-with-text"><span class="number">${grouped(count)} of ${grouped(limit)}</span><svg class="bar${count >= limit && ' full'}" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="track" width="100" height="4"/><rect class="filled" width="${width.toFixed(1)}" height="4"/></svg></span>`;
}

export interface Paging {
  readonly page: number;
  readonly pages: number;
  /** Gives the address of another page of the same list. */
  readonly to: (page: number) => string;
  /** The parameters other than `page` in the address of each page of the list. */
  readonly filters: Readonly<Record<string, string>>;
}

/** The links to the pages of a list; null when there is only one. */
export const paging = ({ page, pages, to, filters }: Paging): Html | null =>
  pages < 2
    ? null
    : html`
<nav class="paging" aria-label="Pages of the list">
${page > 1 && html`<a class="button plain slight" rel="prev" href="${to(page - 1)}">Previous</a>`}
<span class="number">Page ${page} of ${pages}</span>
${page < pages && html`<a class="button plain slight" rel="next" href="${to(page + 1)}">Next</a>`}
${pages > 3 && html`<form class="jump">${Object.entries(filters).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<label for="jump">Go to page</label><input id="jump" name="page" inputmode="numeric" pattern="[0-9]*" size="4" value="${page}"><button class="button plain slight">Go</button></form>`}
</nav>`;
