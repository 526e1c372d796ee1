// The team's audit log page: who did what to which key or invite.

import type { Act, AuditEntry } from '../../../access/audit.ts';
import { type Html, html } from '../../../text/html.ts';
import { dataTable } from './dataTable.ts';
import type { Page } from './pageFrame.ts';
import { counted, grouped, shortMoment } from './parts.ts';
import { type TeamVisit, teamPage } from './teamPage.ts';

export interface AuditView {
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  /** The id of the last entry on the page, after which the next page begins; null on the last page. */
  readonly older: string | null;
  readonly isNewest: boolean;
}

/** The page of the log, with links to older entries and back to the newest. */
export const auditPage = (visit: TeamVisit, { entries, older, isNewest }: AuditView): Page =>
  teamPage(visit, {
    title: 'Audit log',
    tab: 'Audit log',
    main: html`
<div class="sections">
<div class="stack">
<h1>Audit log</h1>
<p class="lead">Who did what, and when; newest first. It never holds a key, a link or a cookie.</p>
</div>
<section aria-label="Entries">
${entries.length > 0 ? entryTable(visit, entries) : html`<div class="card empty"><p><strong>Nothing here.</strong></p></div>`}
${
  (older !== null || !isNewest) &&
  html`<nav class="paging" aria-label="Pages of the log">${!isNewest && html`<a class="button plain slight" href="?">Newest</a>`}${older !== null && html`<a class="button plain slight" rel="next" href="?before=${older}">Older</a>`}</nav>`
}
</section>
</div>`,
  });

/** A table of entries, newest first. */
export const entryTable = (visit: TeamVisit, entries: readonly AuditEntry[]) =>
  dataTable({
    label: 'Audit log',
    headings: ['When (UTC)', 'Who', 'What', 'Which', 'Details'],
    rows: entries,
    cells: ({ atMs, by, act, keyId, inviteId, details }) => html`
<td role="cell" data-label="When" class="number"><span>${shortMoment(atMs)}</span></td>
<td role="cell" data-label="Who"><span class="breakable">${by}</span></td>
<td role="cell" data-label="What"><span>${Object.hasOwn(ACTS, act) ? ACTS[act] : act}</span></td>
<td role="cell" data-label="Which"><span>${subjectOf(visit, keyId, inviteId)}</span></td>
<td role="cell" data-label="Details"><span class="breakable">${Object.entries(details).map(([name, value]) => html`<span class="detail">${DETAILS.get(name)?.(value, visit) ?? named(name, value)}</span>`)}</span></td>`,
  });

const ACTS: Readonly<Record<Act, string>> = {
  issue: 'Issued a key',
  invite: 'Invited',
  claim: 'Claimed a key',
  limits: 'Changed limits',
  revoke: 'Revoked a key',
  rotate: 'Rotated a key',
  'revoke-invite': 'Withdrew an invite',
  'signin-link': 'Made a sign-in link',
  signin: 'Signed in',
  signout: 'Signed out',
  'end-session': 'Ended a session',
  role: 'Changed a role',
};

/** How some details are shown. All others are shown as they were recorded. */
const DETAILS = new Map<string, (value: string, visit: TeamVisit) => Html>(
  Object.entries({
    label: (value: string) => named('label', value),
    newKeyId: (value: string, { root }: TeamVisit) =>
      named('new key', html`<a href="${root}admin/keys/${value}">${value}</a>`),
    graceSeconds: (value: string) =>
      named('old key ends', Number(value) === 0 ? 'at once' : `${inHours(value)} later`),
    perMinute: (value: string) => named('per minute', inGroups(value)),
    perDay: (value: string) => named('per day', inGroups(value)),
    endsAfterMs: (value: string) =>
      named('key ends after', counted(Math.round(Number(value) / 864e5), 'day')),
    link: (value: string) => named('by the link of', value),
    provider: (value: string) => named('by the identity provider', value),
  }),
);

const named = (name: string, value: string | Html) => html`<span class="quiet">${name}</span> ${value}`;

/** A limit with its digits in groups. A text that is no number stays as it is. */
const inGroups = (limit: string) => (/^\d+$/.test(limit) ? grouped(Number(limit)) : limit);

const inHours = (seconds: string) => `${Math.round(Number(seconds) / 36) / 100} h`;

function subjectOf({ root }: TeamVisit, keyId: string | undefined, inviteId: string | undefined): Html {
  const key = keyId !== undefined && html`<a href="${root}admin/keys/${keyId}">${keyId}</a>`;
  const invite = inviteId !== undefined && html`<span>invite ${inviteId}</span>`;
  if (!key && !invite) return html`<span class="quiet">–</span>`;
  return html`${key}${key && invite && ', '}${invite}`;
}
