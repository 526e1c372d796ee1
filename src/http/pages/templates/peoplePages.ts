// The page of the team's people: who may do what, their sessions, and links to sign in.

import { mayActAs, type Person, ROLES, type Role } from '../../../access/people/people.ts';
import type { SessionInfo } from '../../../access/people/sessions.ts';
import { type Html, html } from '../../../text/html.ts';
import { dataTable } from './dataTable.ts';
import type { Page } from './pageFrame.ts';
import { copyable, moment, shortMoment } from './parts.ts';
import { csrfField, notice, onceField, type TeamVisit, teamPage } from './teamPage.ts';

const ROLE_WORDS: Readonly<Record<Role, string>> = {
  viewer: 'sees everything and changes nothing',
  manager: 'also invites, and limits, rotates and revokes keys',
  owner: 'also names roles and ends sessions',
};

export interface PeopleView {
  readonly people: readonly Person[];
  readonly sessions: readonly SessionInfo[];
  /** The id of the session that sees the page. */
  readonly ownSession: string;
  readonly confirmation: string | null;
  readonly problem: string | null;
  /** What was typed into a form for a link that was refused; null if none was. `role` is null if none was chosen. */
  readonly typed: { readonly name: string; readonly role: Role | null } | null;
  readonly once: string;
}

/** The page for a person’s role: only an owner sees the forms for links and roles. */
export function peoplePage(visit: TeamVisit, view: PeopleView): Page {
  const isOwner = mayActAs(visit.person.role, 'owner');
  return teamPage(visit, {
    title: 'People',
    tab: 'People',
    main: html`
<div class="sections">
<div class="stack">
<h1>People</h1>
<p class="lead">A ${ROLES.map((role, i) => html`${i === 0 ? '' : i === 2 ? '; an ' : '; a '}<strong>${role}</strong> ${ROLE_WORDS[role]}`)}.</p>
${notice(view.confirmation)}
${view.problem !== null && html`<p class="problem" id="people-problem" role="alert">${view.problem}</p>`}
</div>
${isOwner && linkForm(visit, view)}
<section aria-labelledby="roles"><div class="list-head"><h2 id="roles">Roles</h2></div>
${dataTable({
  label: 'Roles',
  headings: ['Name', 'Role'],
  isCompact: true,
  rows: view.people,
  cells: (person) => html`
<td role="cell" class="first"><span class="label">${person.name}</span></td>
<td role="cell" data-label="Role"><span>${isOwner ? roleForm(visit, person) : person.role}${person.isByClaim && html` <span class="quiet small">named by your organisation’s account</span>`}</span></td>`,
})}
</section>
<section aria-labelledby="sessions"><div class="list-head"><h2 id="sessions">Sessions</h2></div>
${dataTable({
  label: 'Sessions',
  headings: ['Who', 'Since (UTC)', 'Ends at the latest (UTC)', 'Let in by', 'End'],
  isCompact: true,
  rows: view.sessions,
  cells: ({ id, name, role, beganMs, endsMs, invitedBy }) => html`
<td role="cell" class="first"><span class="label">${name}</span> <span class="quiet">${role}${id === view.ownSession && ' · this one'}</span></td>
<td role="cell" data-label="Since" class="number"><span>${shortMoment(beganMs)}</span></td>
<td role="cell" data-label="Ends" class="number"><span>${shortMoment(endsMs)}</span></td>
<td role="cell" data-label="Let in by"><span class="breakable">${invitedBy}</span></td>
<td role="cell" data-label="End"><span>${isOwner || name === visit.person.name ? endForm(visit, { id, name, beganMs }) : html`<span class="quiet">–</span>`}</span></td>`,
})}
</section>
</div>`,
  });
}

const linkForm = (visit: TeamVisit, { once, typed, problem }: PeopleView) => html`
<section class="card stack" aria-labelledby="link-form">
<h2 id="link-form">Let somebody sign in</h2>
<form method="post" action="${visit.root}admin/people/link">${csrfField(visit)}${onceField(once)}
<div class="fields">
<div class="field grows"><label for="name">Name</label>
<input id="name" name="name" required maxlength="100" autocomplete="off" placeholder="Jane Doe" value="${typed?.name ?? ''}"${problem !== null && html` aria-invalid="true" aria-describedby="people-problem"`}></div>
<div class="field"><label for="role">Role</label>${roleChoice('role', typed?.role ?? 'viewer')}</div>
<button class="button">Make the sign-in link</button>
</div>
</form>
</section>`;

const roleChoice = (id: string, chosen: Role): Html =>
  html`<select id="${id}" name="role">${ROLES.map(
    (role) => html`<option value="${role}"${role === chosen && html` selected`}>${role}</option>`,
  )}</select>`;

const roleForm = (visit: TeamVisit, { name, role }: Person) => html`
<form class="inline" method="post" action="${visit.root}admin/people/role">${csrfField(visit)}<input type="hidden" name="person" value="${name}">
<label class="unseen" for="role-of-${name}">Role of ${name}</label>${roleChoice(`role-of-${name}`, role)}
<button class="button plain slight">Change<span class="unseen"> the role of ${name}</span></button></form>`;

const endForm = (
  visit: TeamVisit,
  { id, name, beganMs }: Pick<SessionInfo, 'id' | 'name' | 'beganMs'>,
) => html`
<form method="post" action="${visit.root}admin/sessions/${id}/end">${csrfField(visit)}<button class="button plain slight">End<span class="unseen"> the session of ${name} since ${shortMoment(beganMs)}</span></button></form>`;

export interface NewSigninLink {
  readonly link: string;
  readonly name: string;
  readonly role: Role;
  /** Epoch milliseconds. */
  readonly expiresMs: number;
}

/** The page with a new sign-in link, which is shown once. */
export const newSigninLink = (visit: TeamVisit, { link, name, role, expiresMs }: NewSigninLink): Page =>
  teamPage(visit, {
    title: 'New sign-in link',
    tab: 'People',
    width: 'narrow',
    main: html`
<div class="card stack">
<p class="eyebrow breakable">${name}, ${role}</p>
<h1>The sign-in link</h1>
<p class="note"><strong>Copy it now.</strong> This is the only time it is shown.</p>
${copyable({ id: 'link', text: link, what: 'the link', isKey: true })}
<p>It signs ${name} in once, until ${moment(expiresMs)}.</p>
<p class="links"><a href="${visit.root}admin/people">People</a></p>
</div>`,
  });
