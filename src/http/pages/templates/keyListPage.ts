// The list of keys: search, filters, sorting by every column, and boxes to choose several keys.

import type { KeyInfo } from '../../../access/keys/keyRecords.ts';
import { mayActAs } from '../../../access/people/people.ts';
import { type Html, html } from '../../../text/html.ts';
import { inviteForm } from './invitePages.ts';
import { keyState, type Limits, noUseText } from './keyPages.ts';
import type { Page } from './pageFrame.ts';
import { choice, counted, grouped, shortMoment } from './parts.ts';
import { csrfField, notice, type Paging, paging, type TeamVisit, teamPage, usageBar } from './teamPage.ts';

export const STATES = {
  active: 'Active',
  ending: 'Active, ending',
  ended: 'Ended',
  revoked: 'Revoked',
  expired: 'Expired',
  all: 'All',
} as const;
export type StateFilter = keyof typeof STATES;

export const USES = {
  any: 'Any use',
  today: 'Used in the last 24 hours',
  near: 'At 80 % of the day’s limit or more',
  idle: 'Not used for 30 days',
  never: 'Never used',
} as const;
export type UseFilter = keyof typeof USES;

/** The columns. The list can be sorted by each of them. */
export const SORTS = {
  label: 'Key',
  state: 'State',
  created: 'Created (UTC)',
  used: 'Last use (UTC)',
  today: 'Last 24 hours',
} as const;
export type SortName = keyof typeof SORTS;

export interface KeyListQuery {
  readonly q: string;
  readonly state: StateFilter;
  readonly use: UseFilter;
  readonly sort: SortName;
  readonly isDescending: boolean;
}

export interface KeyList {
  readonly keys: readonly KeyInfo[];
  /** The number of all keys, not only of those that were found. */
  readonly total: number;
  readonly found: number;
  readonly listQuery: KeyListQuery;
  /** The link to the same list with other filters or order, on its first page. */
  readonly linkTo: (changed: Partial<KeyListQuery>) => string;
  readonly paging: Paging;
  readonly defaults: Limits;
  readonly once: string;
  readonly summary: { readonly active: number; readonly ended: number; readonly today: number };
  readonly confirmation: string | null;
}

/** The page of all keys, with a form that revokes those that are ticked. */
export const keyList = (visit: TeamVisit, list: KeyList): Page =>
  teamPage(visit, {
    title: 'Keys',
    tab: 'Keys',
    main: html`
<div class="sections">
<div class="stack">
<div class="page-head"><div><h1>Keys</h1>
<p class="lead">${summaryText(list.summary)}</p></div>
${mayActAs(visit.person.role, 'manager') && inviteAbove(visit, list)}</div>
${notice(list.confirmation)}
</div>
<section aria-labelledby="all-keys">
<div class="list-head">
<h2 id="all-keys">${heading(list)}</h2>
${list.total > 0 && tabs(list)}
</div>
${list.total > 0 && filterForm(visit, list)}
${list.keys.length > 0 ? keyTable(visit, list) : emptyList(list)}
${paging(list.paging)}
</section>
</div>`,
  });

/** The form for an invite. It is folded so that the list comes first, and open when there is no key yet. */
const inviteAbove = (visit: TeamVisit, { once, total }: KeyList) => html`
<details class="invite"${total === 0 && html` open`}><summary class="button">Invite somebody</summary>
${inviteForm(visit, { once, label: '', problem: null })}
</details>`;

const summaryText = ({ active, today }: KeyList['summary']) =>
  `${counted(active, 'active key')}, ${counted(today, 'request')} in the last 24 hours.`;

const heading = ({ found, total, listQuery: { q, use, state } }: KeyList) =>
  q === '' && use === 'any' && state !== 'all' && found > 0
    ? `${STATES[state]} keys`
    : `${grouped(found)} of ${grouped(total)} keys`;

const tabs = ({ listQuery, linkTo, summary }: KeyList) => html`
<nav aria-label="State of keys"><ul class="tabs">${(
  [
    ['active', `Active ${grouped(summary.active)}`],
    ['ended', `Ended ${grouped(summary.ended)}`],
    ['all', 'All'],
  ] as const
).map(
  ([state, words]) =>
    html`<li><a href="${linkTo({ state })}"${state === listQuery.state && html` aria-current="true"`}>${words}</a></li>`,
)}</ul></nav>`;

const filterForm = ({ root }: TeamVisit, { listQuery }: KeyList) => html`
<form class="filters" role="search" action="${root}admin">
<div class="field grows"><label for="q">Search</label>
<input id="q" name="q" type="search" value="${listQuery.q}" placeholder="Label, id, last four, “revoked”" autocomplete="off" spellcheck="false"></div>
<div class="field"><label for="state">State</label>${choice('state', STATES, listQuery.state)}</div>
<div class="field"><label for="use">Use</label>${choice('use', USES, listQuery.use)}</div>
${(listQuery.sort !== 'created' || !listQuery.isDescending) && html`<input type="hidden" name="sort" value="${listQuery.sort}"><input type="hidden" name="dir" value="${listQuery.isDescending ? 'desc' : 'asc'}">`}
<button class="button plain">Show</button>
</form>`;

const emptyList = ({ listQuery: { q }, total }: KeyList) => html`
<div class="card empty">${
  total === 0
    ? html`<p><strong>No keys yet.</strong></p><p>Invite somebody: their click makes the first one.</p>`
    : html`<p><strong>${q === '' ? 'No key is like that.' : html`No key matches “<span class="breakable">${q}</span>”.`}</strong></p><p>Labels, ids, states and the last four characters of keys are searched. <a href="?state=all">Show all keys</a></p>`
}</div>`;

function keyTable(visit: TeamVisit, { keys, defaults, listQuery, linkTo }: KeyList): Html {
  const mayRevoke = mayActAs(visit.person.role, 'manager');
  const heads = Object.entries(SORTS) as [SortName, string][];
  const direction = listQuery.isDescending ? 'descending' : 'ascending';
  const sorted = (name: SortName) => (name === listQuery.sort ? direction : 'none');
  const table = html`
<div class="card table-card">
<table role="table" aria-label="Keys" class="compact">
<thead role="rowgroup"><tr role="row">${mayRevoke && html`<th role="columnheader" scope="col" class="box"><span class="unseen">Choose</span></th>`}${heads.map(
    ([name, words]) =>
      html`<th role="columnheader" scope="col" aria-sort="${sorted(name)}"><a href="${linkTo({ sort: name, isDescending: name === listQuery.sort ? !listQuery.isDescending : name !== 'label' })}">${words}<span aria-hidden="true">${{ ascending: ' ↑', descending: ' ↓', none: '' }[sorted(name)]}</span></a></th>`,
  )}</tr></thead>
<tbody role="rowgroup">${keys.map(
    (key) => html`
<tr role="row">${mayRevoke && html`<td role="cell" class="box">${key.state === 'revoked' ? null : html`<label><input type="checkbox" name="id" value="${key.id}" aria-label="Choose ${key.label || key.id}, ends in ${key.last4}"></label>`}</td>`}
<td role="cell" class="first"><a class="label" href="${visit.root}admin/keys/${key.id}">${key.label || key.id}</a> <span class="quiet">…<code>${key.last4}</code></span></td>
<td role="cell" data-label="State"><span>${keyState(key)}</span></td>
<td role="cell" data-label="Created" class="number"><span>${key.createdMs === 0 ? html`<span class="quiet">unknown</span>` : shortMoment(key.createdMs)}</span></td>
<td role="cell" data-label="Last use" class="number"><span>${key.usedMs === null ? html`<span class="quiet">${noUseText(key)}</span>` : shortMoment(key.usedMs)}</span></td>
<td role="cell" data-label="Last 24 hours">${key.state === 'active' ? usageBar(key.dayUse, key.perDay ?? defaults.perDay) : html`<span class="number quiet">${grouped(key.dayUse)}</span>`}</td></tr>`,
  )}
</tbody>
</table>
</div>`;
  if (!mayRevoke) return table;
  return html`<form method="post" action="${visit.root}admin/revoke">${csrfField(visit)}${table}
<p class="chosen"><button class="button plain slight">Revoke the chosen keys …</button> <span class="quiet small">You confirm the list first.</span></p></form>`;
}
