// The team's pages of one key, and of a new key, which is shown once.

import type { AuditEntry } from '../../../access/audit.ts';
import type { DayOfUse } from '../../../access/keys/dailyUsage.ts';
import type { KeyInfo } from '../../../access/keys/keyRecords.ts';
import { mayActAs } from '../../../access/people/people.ts';
import { type Html, html } from '../../../text/html.ts';
import { entryTable } from './auditPage.ts';
import { dataTable } from './dataTable.ts';
import type { Page } from './pageFrame.ts';
import { choice, grouped, keyShownOnce, moment } from './parts.ts';
import { csrfField, notice, onceField, stateMark, type TeamVisit, teamPage, usageBar } from './teamPage.ts';

export interface Limits {
  readonly perMinute: number;
  readonly perDay: number;
}

/** The state of a key as a word with a mark. A key with an end is `Active, ending`. */
export function keyState({ state, expiresMs }: KeyInfo): Html {
  if (state === 'revoked') return stateMark('bad', 'Revoked');
  if (state === 'damaged') return stateMark('bad', 'Damaged');
  if (state === 'expired') return stateMark('past', 'Expired');
  return expiresMs === null ? stateMark('good', 'Active') : stateMark('good', 'Active, ending');
}

/** The text in place of the time of the last use, for a key that was never used or is damaged. */
export const noUseText = ({ state }: KeyInfo): string => (state === 'damaged' ? 'unknown' : 'never');

/** The times at which a rotated key can end, in words, by the number of hours until then. */
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
  /** The day on which the page is shown, such as `2026-11-22`, UTC. */
  readonly lastDay: string;
  /** Admissions in the last minute. */
  readonly minuteUse: number;
  /** The entries of the audit log about the key, newest first. */
  readonly acts: readonly AuditEntry[];
  readonly defaults: Limits;
  readonly confirmation: string | null;
  /** The problem of a refused form; null without one. */
  readonly problem: { readonly form: 'limits' | 'revoke'; readonly text: string } | null;
  /** What the person typed into a form that is refused. */
  readonly typed: { readonly perMinute: string; readonly perDay: string } | null;
  readonly once: string;
}

/** The page of one key: its state, use, limits, and forms to change it. */
export const keyPage = (visit: TeamVisit, view: KeyView): Page =>
  teamPage(visit, {
    title: `Key ${view.key.id}`,
    tab: 'Keys',
    main: html`
<div class="sections">
<div class="stack">
<p class="links"><a href="${visit.root}admin">All keys</a></p>
<h1 class="breakable">${view.key.label || view.key.id}</h1>
${notice(view.confirmation)}
${factsList(view)}
</div>
${view.key.state !== 'active' && html`<p class="note">${ENDED_NOTES[view.key.state]}</p>`}
${useByDay(view)}
${view.key.state === 'active' && (mayActAs(visit.person.role, 'manager') ? changeForms(visit, view) : html`<p class="note">Your role is ${visit.person.role}. To limit, rotate or revoke keys takes the role manager, which an owner can give you.</p>`)}
${auditOf(visit, view.acts)}
</div>`,
  });

const auditOf = (visit: TeamVisit, entries: readonly AuditEntry[]) => html`
<section class="stack" aria-labelledby="audit-of">
<h2 id="audit-of">What was done to it</h2>
${entries.length === 0 ? html`<p class="quiet">The last 20,000 entries of the log do not name this key.</p>` : entryTable(visit, entries)}
</section>`;

const ENDED_NOTES = {
  revoked:
    'This key was revoked. Every request with it is refused, and that cannot be undone; invite its holder anew if they are to have another.',
  expired: 'This key has ended. Every request with it is refused.',
  damaged:
    'Redis does not have a valid record of this key. Every request with it is refused. Choose the key in the list of ended keys and revoke it. This writes a whole record. Then invite its holder anew.',
} as const;

const factsList = ({ key, defaults, minuteUse, days }: KeyView) => html`
<div class="card">
<dl class="terms">
<div><dt>State</dt><dd>${keyState(key)}</dd></div>
<div><dt>Id</dt><dd><code>${key.id}</code></dd></div>
<div><dt>Ends in</dt><dd><code>${key.last4}</code></dd></div>
<div><dt>Created</dt><dd>${key.createdMs === 0 ? 'unknown' : moment(key.createdMs)}</dd></div>
<div><dt>Last use</dt><dd>${key.usedMs === null ? noUseText(key) : moment(key.usedMs)}</dd></div>
${lastMoment(key)}
${key.note !== null && html`<div><dt>Note</dt><dd class="breakable">${key.note}</dd></div>`}
<div><dt>Used of the minute’s limit</dt><dd>${usageBar(minuteUse, key.perMinute ?? defaults.perMinute)}<span class="quiet small">${limitText(key.perMinute)}</span></dd></div>
<div><dt>Used of the day’s limit</dt><dd>${usageBar(key.dayUse, key.perDay ?? defaults.perDay)}<span class="quiet small">${limitText(key.perDay)}</span></dd></div>
<div><dt>Refused in the last 31 days</dt><dd>${grouped(days.reduce((sum, { refused }) => sum + refused, 0))}</dd></div>
</dl>
</div>`;

const useByDay = ({ days, lastDay }: KeyView) => html`
<section class="stack" aria-labelledby="use-by-day">
<h2 id="use-by-day">Use by day</h2>
${days.length === 0 ? html`<p class="quiet">No request in the last 31 days.</p>` : html`${dayChart(days, lastDay)}${dayTable(days)}`}
</section>`;

const CHART_DAYS = 31;
const DAY_MS = 86_400_000;

/** A chart with a column for each day that has requests. Refused requests are stacked on admitted ones. */
function dayChart(days: readonly DayOfUse[], lastDay: string): Html {
  const byDate = new Map(days.map((day) => [day.date, day]));
  const dates = Array.from({ length: CHART_DAYS }, (_, i) =>
    new Date(Date.parse(lastDay) - (CHART_DAYS - 1 - i) * DAY_MS).toISOString().slice(0, 10),
  );
  const most = Math.max(1, ...days.map(({ requests, refused }) => requests + refused));
  const height = (count: number) => (count === 0 ? 0 : Math.max(1.5, (100 * count) / most));
  const column = (kind: string | null, i: number, top: number, high: number) =>
    high > 0 &&
    html`<rect${kind !== null && html` class="${kind}"`} x="${10 * i + 1}" y="${top.toFixed(1)}" width="8" height="${high.toFixed(1)}"/>`;
  const columns = dates.map((date, i) => {
    const { requests = 0, refused = 0 } = byDate.get(date) ?? {};
    const [admittedHigh, refusedHigh] = [height(requests), height(refused)];
    const top = Math.max(0, 100 - admittedHigh - refusedHigh);
    return html`${column('refused', i, top, refusedHigh)}${column(null, i, top + refusedHigh, Math.min(admittedHigh, 100 - refusedHigh))}`;
  });
  const busiest = days.reduce((a, b) => (b.requests + b.refused > a.requests + a.refused ? b : a));
  const busiestText = `The most on one day: ${grouped(busiest.requests + busiest.refused)}, on ${busiest.date}`;
  return html`<figure>
<p class="small quiet">Requests a day. ${busiestText}.<svg class="swatch" viewBox="0 0 1 1" aria-hidden="true" focusable="false"><rect width="1" height="1"/></svg>admitted<svg class="swatch refused" viewBox="0 0 1 1" aria-hidden="true" focusable="false"><rect width="1" height="1"/></svg>refused over a limit</p>
<svg class="days" viewBox="0 0 ${10 * CHART_DAYS} 100" preserveAspectRatio="none" role="img" aria-label="Requests on each of the last ${CHART_DAYS} days. ${busiestText}. The table below has all numbers.">${columns}</svg>
<p class="days-ends small quiet"><span>${dates[0] ?? ''}</span><span>${lastDay}</span></p>
</figure>`;
}

const dayTable = (days: readonly DayOfUse[]) => html`<details><summary>Numbers by day</summary>
${dataTable({
  label: 'Requests by day',
  isCompact: true,
  headings: ['Day (UTC)', 'Requests', 'Refused over a limit'],
  rows: days,
  cells: ({ date, requests, refused }) => html`
<td role="cell" class="first"><time datetime="${date}">${date}</time></td>
<td role="cell" data-label="Requests" class="number"><span>${grouped(requests)}</span></td>
<td role="cell" data-label="Refused" class="number"><span>${refused === 0 ? html`<span class="quiet">0</span>` : grouped(refused)}</span></td>`,
})}</details>`;

/** The end of the key, in the future or in the past; null without one. */
function lastMoment({ state, expiresMs, endedMs }: KeyInfo): Html | null {
  const until = state === 'active' ? expiresMs : endedMs;
  if (until === null) return null;
  return html`<div><dt>${state === 'active' ? 'Works until' : 'Worked until'}</dt><dd>${moment(until)}</dd></div>`;
}

const limitText = (limit: number | null) => (limit === null ? 'the server’s default' : 'a limit of its own');

const changeForms = (visit: TeamVisit, view: KeyView) => html`
<div class="split">
${limitsForm(visit, view)}
${rotateForm(visit, view)}
${revokeForm(visit, view)}
${view.key.usedMs === null && replaceForm(visit, view)}
</div>`;

const replaceForm = (visit: TeamVisit, { key, once }: KeyView) => html`
<section class="card stack" aria-labelledby="replace">
<h2 id="replace">Never used: invite anew</h2>
<p class="quiet">Use this if its holder never saw the key, such as after two quick clicks. It revokes the key and makes a new invite with the same label, limits and note.</p>
<form method="post" action="${visit.root}admin/keys/${key.id}/replace">${csrfField(visit)}${onceField(once)}<button class="button plain">Replace it by a new invite</button></form>
</section>`;

function limitsForm(visit: TeamVisit, { key, defaults, problem, typed }: KeyView): Html {
  const isWrong = problem?.form === 'limits';
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
${choice('grace', GRACES, '24')}</div>
<button class="button plain">Make the new key</button>
</form>
</section>`;

const revokeForm = (visit: TeamVisit, { key, problem }: KeyView) => html`
<section class="card stack" aria-labelledby="revoke">
<h2 id="revoke">Revoke</h2>
<p class="quiet">The next request with this key is refused, on every server. This cannot be undone.</p>
${problem?.form === 'revoke' && html`<p class="problem" id="revoke-problem" role="alert">${problem.text}</p>`}
<form class="stack" method="post" action="${visit.root}admin/keys/${key.id}/revoke">${csrfField(visit)}
<label class="tick"><input type="checkbox" name="sure" value="yes" required${problem?.form === 'revoke' && html` aria-invalid="true" aria-describedby="revoke-problem"`}><span>Yes, refuse this key from now on</span></label>
<button class="button danger">Revoke the key</button>
</form>
</section>`;

export interface NewKey {
  readonly key: string;
  readonly id: string;
  readonly label: string;
  /** When the old key ends, in epoch milliseconds. */
  readonly oldExpiresMs: number;
  readonly oldId: string;
  /** Whether the old key ended at once. */
  readonly oldHasEnded: boolean;
}

/** The page with a new key, which is shown once. */
export const newKey = (
  visit: TeamVisit,
  { key, id, label, oldExpiresMs, oldId, oldHasEnded }: NewKey,
): Page =>
  teamPage(visit, {
    title: 'New key',
    tab: 'Keys',
    width: 'narrow',
    main: html`
<div class="card stack">
${keyShownOnce('The new key', { label, key })}
<p>Hand it to its holder by a way that others cannot read. The old key <a href="${visit.root}admin/keys/${oldId}">${oldId}</a> ${oldHasEnded ? 'has ended' : html`works until ${moment(oldExpiresMs)}`}.</p>
<p class="links"><a href="${visit.root}admin/keys/${id}">See the new key ${id}</a></p>
</div>`,
  });
