// The page of all months: publications and rollbacks, by whom, what guards found, what was accepted and why.

import type { AnyManifest } from '../../../catalog/manifest.ts';
import { type Html, html } from '../../../text/html.ts';
import { dataTable } from './dataTable.ts';
import type { Page } from './pageFrame.ts';
import { counted, grouped, shortMoment } from './parts.ts';
import { type Paging, paging, stateMark, type TeamVisit, teamPage } from './teamPage.ts';

export interface MonthEvent {
  readonly event: string;
  readonly id: string;
  readonly at: string;
  readonly from?: string | undefined;
  readonly by?: string | undefined;
  readonly isRetained: boolean;
  /** Null for a snapshot that is gone or damaged. */
  readonly verdict: {
    readonly headline: string | null;
    readonly warnings: number;
    /** Whether the guards compared it with another snapshot. The first snapshot was not compared. */
    readonly isCompared: boolean;
    readonly accepted: AnyManifest['accepted'];
    readonly sources: AnyManifest['sources'];
    readonly hasReport: boolean;
  } | null;
}

export interface MonthsView {
  /** Newest first. */
  readonly events: readonly MonthEvent[];
  readonly current: string | null;
  /** The snapshots that can be compared, the latest month and revision first. */
  readonly retained: readonly string[];
  readonly paging: Paging;
}

/** The page of all months, with a form that compares two snapshots. */
export const monthsPage = (visit: TeamVisit, view: MonthsView): Page =>
  teamPage(visit, {
    title: 'Months',
    tab: 'Months',
    main: html`
<div class="sections">
<div class="stack">
<h1>Months</h1>
<p class="lead">Every publication and rollback, newest first.${view.current !== null && html` Served now: <strong>${view.current}</strong>.`}</p>
</div>
${view.retained.length > 1 && compareForm(visit, view.retained)}
<section aria-labelledby="history"><div class="list-head"><h2 id="history">History</h2></div>
${
  view.events.length === 0
    ? html`<div class="card empty"><p><strong>Nothing was published yet.</strong></p></div>`
    : dataTable({
        label: 'Publications and rollbacks',
        headings: ['Snapshot', 'What', 'When (UTC)', 'By', 'Verdict'],
        rows: view.events,
        cells: (event) => html`
<td role="cell" class="first"><span class="label">${event.id}</span>${event.id === view.current && html`<span class="quiet">current</span>`}</td>
<td role="cell" data-label="What"><span>${eventName(event)}</span></td>
<td role="cell" data-label="When" class="number"><span>${momentOf(event.at)}</span></td>
<td role="cell" data-label="By"><span class="breakable">${event.by ?? html`<span class="quiet">not recorded</span>`}</span></td>
<td role="cell" data-label="Verdict"><div>${event.event === 'published' ? verdictCell(visit, event) : html`<span class="quiet">–</span>`}</div></td>`,
      })
}
${paging(view.paging)}
</section>
</div>`,
  });

const compareForm = ({ root }: TeamVisit, retained: readonly string[]) => html`
<form class="card filters" action="${root}admin/months/difference">
<div class="field"><label for="a">Compare</label>${choice('a', retained, retained[1])}</div>
<div class="field"><label for="b">with</label>${choice('b', retained, retained[0])}</div>
<button class="button plain">Show the difference</button>
</form>`;

const choice = (name: string, ids: readonly string[], chosen: string | undefined) =>
  html`<select id="${name}" name="${name}">${ids.map((id) => html`<option${id === chosen && html` selected`}>${id}</option>`)}</select>`;

const momentOf = (at: string): Html | string => {
  const ms = Date.parse(at);
  return Number.isNaN(ms) ? at : shortMoment(ms);
};

function eventName({ event, from }: MonthEvent): Html {
  if (event === 'published') return stateMark('good', 'Published');
  if (event !== 'rolled-back') return html`${event}`;
  return html`${stateMark('past', 'Made current again')}${from !== undefined && html`<span class="detail quiet">was ${from}</span>`}`;
}

function verdictCell({ root }: TeamVisit, { id, isRetained, verdict }: MonthEvent): Html {
  if (!isRetained) return html`<span class="quiet">pruned since</span>`;
  if (verdict === null) return stateMark('bad', 'Its manifest cannot be read');
  const { headline, accepted, warnings, sources, isCompared, hasReport } = verdict;
  const objections = [
    accepted.length === 0 ? '' : `${grouped(accepted.length)} accepted by hand`,
    warnings === 0 ? '' : counted(warnings, 'warning'),
  ].filter((part) => part !== '');
  const withoutObjection = isCompared ? 'No objection' : 'Not compared';
  return html`<strong>${objections.join(', ') || withoutObjection}</strong>
${headline !== null && html`<p class="small quiet">${headline}</p>`}
${accepted.map(({ rule, dataset, country, reason }) => html`<p class="small">${[rule, dataset, country].filter((part) => part !== undefined).join(' · ')}: “${reason}”</p>`)}
<p class="small links">${hasReport && html`<a href="${root}admin/months/${id}/report">Report<span class="unseen"> of ${id}</span></a>`}</p>
<details><summary class="small">${counted(sources.length, 'source')}<span class="unseen"> of ${id}</span></summary><ul class="small">${sources.map(({ file, bytes, sha256 }) => html`<li>${file}, ${grouped(bytes)} bytes, <code title="${sha256}">${sha256.slice(0, 12)}…</code></li>`)}</ul></details>`;
}
