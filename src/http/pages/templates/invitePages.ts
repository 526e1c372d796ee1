// The team's invite pages: the form, the new link, which is shown once, and the list.

import type { InviteInfo } from '../../../access/invites/inviteRecords.ts';
import { type Html, html } from '../../../text/html.ts';
import { dataTable } from './dataTable.ts';
import type { Page } from './pageFrame.ts';
import { choice, copyable, counted, moment, shortMoment } from './parts.ts';
import {
  csrfField,
  notice,
  onceField,
  type Paging,
  paging,
  stateMark,
  type TeamVisit,
  teamPage,
} from './teamPage.ts';

/** How long an invite can be claimed, in days. */
export const INVITE_DAYS = { '1': '1 day', '7': '7 days', '30': '30 days' } as const;

export type InviteDays = keyof typeof INVITE_DAYS;

export interface InviteForm {
  readonly once: string;
  /** What the person typed into a form that is refused. */
  readonly label: string;
  readonly problem: string | null;
  /** How long the invite can be claimed, in days. Left out, a week. */
  readonly days?: InviteDays;
  readonly more?: MoreTerms;
}

/** The texts that were typed below "Several people, limits, an end or a note". */
export interface MoreTerms {
  readonly people: string;
  readonly perMinute: string;
  readonly perDay: string;
  readonly ends: string;
  readonly note: string;
}

const NO_MORE: MoreTerms = { people: '', perMinute: '', perDay: '', ends: '', note: '' };

/** The most people that one form invites. */
export const MAX_PEOPLE = 50;

/** The form for one invite or several. */
export const inviteForm = (
  visit: TeamVisit,
  { once, label, problem, days = '7', more = NO_MORE }: InviteForm,
): Html => html`
<section class="card stack" aria-labelledby="invite">
<h2 id="invite">Invite somebody</h2>
${problem !== null && html`<p class="problem" id="label-problem" role="alert">${problem}</p>`}
<form method="post" action="${visit.root}admin/invites">${csrfField(visit)}${onceField(once)}
<div class="fields">
<div class="field grows"><label for="label">Who is it for?</label>
<input id="label" name="label" maxlength="100" autocomplete="off" placeholder="Acme Research, Jane Doe" value="${label}"${problem !== null && html` aria-invalid="true" aria-describedby="label-problem" autofocus`}></div>
<div class="field"><label for="days">Link works for</label>
${choice('days', INVITE_DAYS, days)}</div>
</div>
<details class="more"${more !== NO_MORE && html` open`}><summary>Several people, limits, an end or a note</summary>
<div class="fields">
<div class="field grows"><label for="people">Several people <span class="hint">one a line, each gets a link; at most ${MAX_PEOPLE}</span></label>
<textarea id="people" name="people" rows="4" spellcheck="false" autocomplete="off">${more.people}</textarea></div>
<div class="field"><label for="perMinute">Requests in any minute</label><input id="perMinute" name="perMinute" inputmode="numeric" autocomplete="off" placeholder="default" value="${more.perMinute}"></div>
<div class="field"><label for="perDay">Requests in any 24 hours</label><input id="perDay" name="perDay" inputmode="numeric" autocomplete="off" placeholder="default" value="${more.perDay}"></div>
<div class="field"><label for="ends">The key ends after <span class="hint">days</span></label><input id="ends" name="ends" inputmode="numeric" autocomplete="off" placeholder="never" value="${more.ends}"></div>
<div class="field grows"><label for="note">Note <span class="hint">only the team sees it</span></label><input id="note" name="note" maxlength="100" autocomplete="off" value="${more.note}"></div>
</div></details>
<p class="send"><button class="button">Make the invite link</button></p>
</form>
</section>`;

export interface NewInvite {
  readonly link: string;
  readonly label: string;
  /** Epoch milliseconds. */
  readonly expiresMs: number;
}

/** The page with the link of a new invite, which is shown once. */
export const newInvite = (visit: TeamVisit, { link, label, expiresMs }: NewInvite): Page =>
  teamPage(visit, {
    title: 'New invite',
    tab: 'Invites',
    width: 'narrow',
    main: html`
<div class="card stack">
<p class="eyebrow breakable">${label}</p>
<h1>The invite link</h1>
<p class="note"><strong>Copy it now.</strong> This is the only time it is shown. If it is lost, withdraw the invite and make another.</p>
${copyable({ id: 'link', text: link, what: 'the link', isKey: true })}
<p>Send it to the person it is for. It makes one key, for whoever opens it and presses the button first, until ${moment(expiresMs)}.</p>
<p class="links"><a href="${visit.root}admin">Invite somebody else</a> · <a href="${visit.root}admin/invites">All invites</a></p>
</div>`,
  });

export interface InviteList {
  readonly invites: readonly InviteInfo[];
  readonly paging: Paging;
  readonly form: InviteForm;
  readonly confirmation: string | null;
}

/** The page with the form and the list of invites. */
export const inviteList = (
  visit: TeamVisit,
  { invites, paging: pages, form, confirmation }: InviteList,
): Page =>
  teamPage(visit, {
    title: 'Invites',
    tab: 'Invites',
    main: html`
<div class="sections">
<div class="stack">
<h1>Invites</h1>
<p class="lead">A link that becomes one key. The link itself is not stored: to send it again, make a new one.</p>
${notice(confirmation)}
</div>
${inviteForm(visit, form)}
<section aria-labelledby="all-invites">
<div class="list-head"><h2 id="all-invites">All invites</h2></div>
${
  invites.length > 0
    ? inviteTable(visit, invites)
    : html`<div class="card empty"><p><strong>No invites yet.</strong></p><p>The form above makes the first one.</p></div>`
}
${paging(pages)}
</section>
</div>`,
  });

const inviteTable = (visit: TeamVisit, invites: readonly InviteInfo[]) =>
  dataTable({
    label: 'Invites',
    headings: ['Invite', 'State', 'Created (UTC)', 'Works until (UTC)', 'Key'],
    isCompact: true,
    rows: invites,
    cells: (invite) => html`
<td role="cell" class="first"><span class="label">${invite.label}</span> <span class="quiet">${invite.id}</span></td>
<td role="cell" data-label="State"><span>${STATES[invite.state]}</span></td>
<td role="cell" data-label="Created" class="number"><span>${momentOf(invite, 'createdMs')}</span></td>
<td role="cell" data-label="Works until" class="number"><span>${momentOf(invite, 'expiresMs')}</span></td>
<td role="cell" data-label="Key"><span>${outcome(visit, invite)}</span></td>`,
  });

const momentOf = (invite: InviteInfo, event: 'createdMs' | 'expiresMs') =>
  invite.state === 'damaged' ? 'unknown' : shortMoment(invite[event]);

const STATES: Readonly<Record<InviteInfo['state'], Html>> = {
  open: stateMark('good', 'Open'),
  used: stateMark('past', 'Used'),
  expired: stateMark('past', 'Expired'),
  revoked: stateMark('bad', 'Withdrawn'),
  damaged: stateMark('bad', 'Damaged'),
};

/**
 * The key that the invite became; for an open or damaged invite, the button that revokes it after a second click; for any
 * other invite, `none`.
 */
function outcome(visit: TeamVisit, { id, label, state, keyId }: InviteInfo): Html {
  if (keyId !== null) return html`<a href="${visit.root}admin/keys/${keyId}">${keyId}</a>`;
  if (state !== 'open' && state !== 'damaged') return html`<span class="quiet">none</span>`;
  return html`<details><summary>Withdraw<span class="unseen"> the invite for ${label || id}</span></summary>
<form class="stack" method="post" action="${visit.root}admin/invites/${id}/revoke">${csrfField(visit)}
<p class="small">The link stops working at once.</p>
<button class="button danger slight">Withdraw it</button>
</form></details>`;
}

export interface NewInvites {
  readonly links: readonly { readonly label: string; readonly link: string }[];
  /** Epoch milliseconds. */
  readonly expiresMs: number;
  /** The people who got no link because Redis failed. Redis may have stored the invite of the first of them. */
  readonly missing: readonly string[];
}

const withoutLinks = (visit: TeamVisit, missing: readonly string[]): Html => html`
<div role="alert">
<p class="problem">${missing.length} of the people have no link, because Redis failed. Invite them again:</p>
${copyable({ id: 'missing', text: missing.join('\n'), what: 'the names' })}
<p class="small">If <a href="${visit.root}admin/invites">all invites</a> shows one for ${missing[0] ?? ''} already, withdraw it: nobody has its link.</p>
</div>`;

/** One link for each person, as a table to copy into a spreadsheet or a mail merge. */
export const newInvites = (visit: TeamVisit, { links, expiresMs, missing }: NewInvites): Page =>
  teamPage(visit, {
    title: 'New invites',
    tab: 'Invites',
    main: html`
<div class="card stack">
<h1>${counted(links.length, 'invite link')}</h1>
${missing.length > 0 && withoutLinks(visit, missing)}
<p class="note"><strong>Copy them now.</strong> This is the only time they are shown.</p>
${copyable({ id: 'links', text: links.map(({ label, link }) => `${label}\t${link}`).join('\n'), what: 'the table' })}
<p>A row for each person: label and link, separated by a tab. Each link makes one key, once, until ${moment(expiresMs)}.</p>
<p class="links"><a href="${visit.root}admin">Invite somebody else</a> · <a href="${visit.root}admin/invites">All invites</a></p>
</div>`,
  });
