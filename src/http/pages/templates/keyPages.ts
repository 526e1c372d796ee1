// The team's key pages: the list, one key, and a new key, which is shown once.

import type { KeyInfo } from '../../../access/keys.ts';
import type { DayOfUse } from '../../../access/usage.ts';
import { type Html, html } from '../../../html.ts';
import { dataTable } from './dataTable.ts';
import { type InviteForm, inviteForm } from './invitePages.ts';
import type { Page } from './page.ts';
import { grouped, keyShownOnce, moment, shortMoment } from './parts.ts';
import {
  csrfField,
  notice,
  onceField,
  type Paging,
  paging,
  state,
  type TeamVisit,
  teamPage,
  use,
} from './team.ts';

export interface Limits {
  readonly perMinute: number;
  readonly perDay: number;
}

export interface KeyList {
  /** The keys on this page of the list. */
  readonly keys: readonly KeyInfo[];
  /** The number of all keys, whatever was searched for. */
  readonly total: number;
  readonly found: number;
  readonly search: string;
  readonly paging: Paging;
  /** The limits of keys without limits of their own. */
  readonly defaults: Limits;
  readonly form: InviteForm;
  readonly summary: { readonly active: number; readonly today: number };
}

export const keyList = (visit: TeamVisit, list: KeyList): Page =>
  teamPage(visit, {
    title: 'Keys',
    tab: 'Keys',
    main: html`
<div class="sections">
<div class="stack">
<h1>Keys</h1>
<p class="lead">${inNumbers(list.summary)}</p>
</div>
${inviteForm(visit, list.form)}
<section aria-labelledby="all-keys">
<div class="list-head">
<h2 id="all-keys">${list.search === '' ? 'All keys' : `${grouped(list.found)} of ${grouped(list.total)} keys`}</h2>
${list.total > 0 && searchForm(visit, list.search)}
</div>
${list.keys.length > 0 ? keyTable(visit, list) : nothing(list)}
${paging(list.paging)}
</section>
</div>`,
  });

const inNumbers = ({ active, today }: KeyList['summary']) =>
  `${grouped(active)} active ${active === 1 ? 'key' : 'keys'}, ${grouped(today)} ${today === 1 ? 'request' : 'requests'} in the last 24 hours.`;

const searchForm = ({ root }: TeamVisit, search: string) => html`
<form class="search" role="search" action="${root}admin">
<div class="field"><label for="q" class="unseen">Label, id or last four characters</label>
<input id="q" name="q" type="search" value="${search}" placeholder="Label, id or last four" autocomplete="off" spellcheck="false"></div>
<button class="button plain">Search</button>
</form>`;

const nothing = ({ search }: KeyList) => html`
<div class="card empty">${
  search === ''
    ? html`<p><strong>No keys yet.</strong></p><p>Invite somebody above: their click makes the first one.</p>`
    : html`<p><strong>No key matches “<span class="breakable">${search}</span>”.</strong></p><p>Labels, ids and the last four characters of keys are searched. <a href="?">Show all keys</a></p>`
}</div>`;

const keyTable = (visit: TeamVisit, { keys, defaults }: KeyList) =>
  dataTable({
    headings: ['Key', 'State', 'Created (UTC)', 'Last use (UTC)', 'Last 24 hours'],
    rows: keys,
    cells: (key) => html`
<td role="cell" class="first"><a class="label" href="${visit.root}admin/keys/${key.id}">${key.label}</a><span class="quiet">${key.id} · ends in <code>${key.last4}</code></span></td>
<td role="cell" data-label="State"><span>${keyState(key)}</span></td>
<td role="cell" data-label="Created" class="number"><span>${shortMoment(key.created)}</span></td>
<td role="cell" data-label="Last use" class="number"><span>${key.used === null ? html`<span class="quiet">never</span>` : shortMoment(key.used)}</span></td>
<td role="cell" data-label="Last 24 hours">${key.state === 'active' ? use(key.today, key.perDay ?? defaults.perDay) : html`<span class="number quiet">${grouped(key.today)}</span>`}</td>`,
  });

function keyState({ state: is, expires }: KeyInfo): Html {
  if (is === 'revoked') return state('bad', 'Revoked');
  if (is === 'expired') return state('past', 'Expired');
  return expires === null ? state('good', 'Active') : state('good', 'Active, ending');
}

/** The choice of when a rotated key ends, by hours. */
export const GRACES = {
  '0': 'at once',
  '1': 'after 1 hour',
  '24': 'after 24 hours',
  '168': 'after 7 days',
} as const;

export interface KeyView {
  readonly key: KeyInfo;
  /** Newest first. */
  readonly days: readonly DayOfUse[];
  readonly defaults: Limits;
  readonly said: string | null;
  /** What is wrong with the form that was sent. */
  readonly problem: { readonly of: 'limits' | 'revoke'; readonly text: string } | null;
  /** What was typed, when it is refused. */
  readonly typed: { readonly perMinute: string; readonly perDay: string } | null;
  readonly once: string;
}

export const oneKey = (visit: TeamVisit, view: KeyView): Page =>
  teamPage(visit, {
    title: `Key ${view.key.id}`,
    tab: 'Keys',
    main: html`
<div class="sections">
<div class="stack">
<p><a href="${visit.root}admin">All keys</a></p>
<h1 class="breakable">${view.key.label}</h1>
${notice(view.said)}
${terms(view)}
</div>
${view.key.state === 'active' ? acts(visit, view) : html`<p class="note">${OVER[view.key.state]}</p>`}
${useByDay(view.days)}
</div>`,
  });

const OVER = {
  revoked:
    'This key was revoked. Every request with it is refused, and that cannot be undone; invite its holder anew if they are to have another.',
  expired: 'This key has ended. Every request with it is refused.',
} as const;

const terms = ({ key, defaults }: KeyView) => html`
<div class="card">
<dl class="terms">
<div><dt>State</dt><dd>${keyState(key)}</dd></div>
<div><dt>Id</dt><dd><code>${key.id}</code></dd></div>
<div><dt>Ends in</dt><dd><code>${key.last4}</code></dd></div>
<div><dt>Created</dt><dd>${moment(key.created)}</dd></div>
<div><dt>Last use</dt><dd>${key.used === null ? 'never' : moment(key.used)}</dd></div>
${lastMoment(key)}
<div><dt>Limit in any minute</dt><dd>${limitText(key.perMinute, defaults.perMinute)}</dd></div>
<div><dt>Limit in any 24 hours</dt><dd>${limitText(key.perDay, defaults.perDay)}</dd></div>
<div><dt>Requests in the last 24 hours</dt><dd>${use(key.today, key.perDay ?? defaults.perDay)}</dd></div>
</dl>
</div>`;

const useByDay = (days: readonly DayOfUse[]) => html`
<section class="stack" aria-labelledby="use-by-day">
<h2 id="use-by-day">Use by day</h2>
${days.length === 0 ? html`<p class="quiet">No request in the last 31 days.</p>` : dayTable(days)}
</section>`;

const dayTable = (days: readonly DayOfUse[]) =>
  dataTable({
    headings: ['Day (UTC)', 'Requests', 'Refused over a limit'],
    rows: days,
    cells: ({ date, requests, refused }) => html`
<td role="cell" class="first"><time datetime="${date}">${date}</time></td>
<td role="cell" data-label="Requests" class="number"><span>${grouped(requests)}</span></td>
<td role="cell" data-label="Refused" class="number"><span>${refused === 0 ? html`<span class="quiet">0</span>` : grouped(refused)}</span></td>`,
  });

/** When the key ends, or ended. */
function lastMoment({ state: is, expires, ended }: KeyInfo): Html | null {
  const until = is === 'active' ? expires : ended;
  if (until === null) return null;
  return html`<div><dt>${is === 'active' ? 'Works until' : 'Worked until'}</dt><dd>${moment(until)}</dd></div>`;
}

const limitText = (own: number | null, fallback: number) =>
  own === null ? `${grouped(fallback)} (the default)` : `${grouped(own)} of its own`;

const acts = (visit: TeamVisit, view: KeyView) => html`
<div class="split">
${limitsForm(visit, view)}
${rotateForm(visit, view)}
${revokeForm(visit, view)}
</div>`;

function limitsForm(visit: TeamVisit, { key, defaults, problem, typed }: KeyView): Html {
  const isWrong = problem?.of === 'limits';
  const field = (name: keyof Limits, label: string) => html`
<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" inputmode="numeric" autocomplete="off" placeholder="${defaults[name]}" value="${typed?.[name] ?? key[name]}"${isWrong && html` aria-invalid="true" aria-describedby="limits-problem"`}></div>`;
  return html`
<section class="card stack" aria-labelledby="limits">
<h2 id="limits">Limits</h2>
<p class="quiet">They hold from the next request on. Left empty, the server’s default holds.</p>
${isWrong && html`<p class="problem" id="limits-problem" role="alert">${problem.text}</p>`}
<form class="stack" method="post" action="${visit.root}admin/keys/${key.id}/limits">${csrfField(visit)}
${field('perMinute', 'Requests in any minute')}
${field('perDay', 'Requests in any 24 hours')}
<button class="button plain">Change the limits</button>
</form>
</section>`;
}

const rotateForm = (visit: TeamVisit, { key, once }: KeyView) => html`
<section class="card stack" aria-labelledby="rotate">
<h2 id="rotate">Rotate</h2>
<p class="quiet">Makes a new key with the same label and limits, and shows it once. The old one goes on working for a while, so that its holder can change over.</p>
<form class="stack" method="post" action="${visit.root}admin/keys/${key.id}/rotate">${csrfField(visit)}${onceField(once)}
<div class="field"><label for="grace">The old key ends</label>
<select id="grace" name="grace">${Object.entries(GRACES).map(
  ([hours, words]) => html`<option value="${hours}"${hours === '24' && html` selected`}>${words}</option>`,
)}</select></div>
<button class="button plain">Make the new key</button>
</form>
</section>`;

const revokeForm = (visit: TeamVisit, { key, problem }: KeyView) => html`
<section class="card stack" aria-labelledby="revoke">
<h2 id="revoke">Revoke</h2>
<p class="quiet">The next request with this key is refused, on every server. This cannot be undone.</p>
${problem?.of === 'revoke' && html`<p class="problem" id="revoke-problem" role="alert">${problem.text}</p>`}
<form class="stack" method="post" action="${visit.root}admin/keys/${key.id}/revoke">${csrfField(visit)}
<label class="tick"><input type="checkbox" name="sure" value="yes" required${problem?.of === 'revoke' && html` aria-invalid="true" aria-describedby="revoke-problem"`}><span>Yes, refuse this key from now on</span></label>
<button class="button danger">Revoke the key</button>
</form>
</section>`;

export interface NewKey {
  readonly key: string;
  readonly id: string;
  readonly label: string;
  /** When the old key ends, in epoch milliseconds. */
  readonly oldExpires: number;
  readonly oldId: string;
  /** The old key ended at once. */
  readonly oldHasEnded: boolean;
}

export const newKey = (visit: TeamVisit, { key, id, label, oldExpires, oldId, oldHasEnded }: NewKey): Page =>
  teamPage(visit, {
    title: 'New key',
    tab: 'Keys',
    width: 'narrow',
    main: html`
<div class="card stack">
${keyShownOnce('The new key', { label, key })}
<p>Hand it to its holder by a way that others cannot read. The old key <a href="${visit.root}admin/keys/${oldId}">${oldId}</a> ${oldHasEnded ? 'has ended' : html`works until ${moment(oldExpires)}`}.</p>
<p><a href="${visit.root}admin/keys/${id}">See the new key ${id}</a></p>
</div>`,
  });
