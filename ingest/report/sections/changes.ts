// What changed in a dataset: rows, values of dimensions, totals by year, the largest revisions.

import { type DatasetName, datasetOf, metricNames } from '../../../src/catalog/datasets.ts';
import type { Key, MetricChanges, Revision, Total } from '../../compare/types.ts';
import { changeBar } from '../charts/bar.ts';
import { changeOf, totalsChart } from '../charts/totals.ts';
import { type Html, html } from '../html.ts';
import type { DatasetReport, Report } from '../report.ts';
import { distance, pointsOf, titleOf } from '../totals.ts';
import { change, count, counted, exact, listed, signed } from '../words.ts';
import { table } from './table.ts';

const SHOWN = { charts: 6, totals: 20, revisions: 25, keys: 10, values: 12 } as const;

/** The part of one dataset. */
export function changesOf(name: DatasetName, report: Report): Html {
  const dataset = report.datasets[name];
  const compared = dataset.rows.before !== null;
  return html`<h3 id="${name}">${name} <span class="soft">${datasetOf(name).description}</span></h3>
<p>${inWords(dataset, report)}</p>
${compared && !dataset.same ? html`${dimensions(dataset)}${metrics(name, dataset)}` : null}
${charts(name, dataset)}
${compared && !dataset.same ? html`${totals(dataset)}${revisions(dataset, report)}${keys('New rows', dataset.added, report)}${keys('Rows gone', dataset.removed, report)}` : null}`;
}

function inWords(
  { rows, same, carried, revisions: { count: values } }: DatasetReport,
  report: Report,
): string {
  if (rows.before === null)
    return `${counted(rows.after, 'row')}; the first snapshot has nothing to compare with.`;
  const kept =
    carried === null ? '' : ` They were carried over from ${carried}, for the month brought no source.`;
  if (same)
    return `Nothing changed: ${counted(rows.after, 'row')}, each as it was in ${report.comparedWith}.${kept}`;
  const said = [
    `${counted(rows.before, 'row')} became ${count(rows.after)} (${signed(rows.after - rows.before)}): ${count(rows.added)} new, ${count(rows.removed)} gone`,
    rows.arrived === 0 ? '' : `${counted(rows.arrived, 'forecast')} among them became a reported figure`,
    values === 0
      ? 'no value was revised'
      : `${counted(values, 'value was', 'values were')} revised in ${counted(rows.revised, 'row')}`,
  ];
  return `${said.filter((part) => part !== '').join('; ')}.${kept}`;
}

function dimensions({ dimensions: changed }: DatasetReport): Html | null {
  if (changed.length === 0) return null;
  const values = ({ count: all, shown }: DatasetReport['dimensions'][number]['appeared']) => {
    const names = shown
      .slice(0, SHOWN.values)
      .map(({ value, rows }) => `${value === '' ? '(empty)' : value} (${count(rows)})`);
    return all === 0
      ? '–'
      : `${names.join(', ')}${all > names.length ? ` and ${count(all - names.length)} more` : ''}`;
  };
  return html`<h4>Values new and gone, with their rows</h4>
${table({
  label: 'Values new and gone',
  columns: [{ heading: 'dimension' }, { heading: 'new' }, { heading: 'gone' }],
  rows: changed.map((dimension) => [
    dimension.dimension,
    values(dimension.appeared),
    values(dimension.vanished),
  ]),
})}`;
}

function metrics(name: DatasetName, dataset: DatasetReport): Html | null {
  const changed = metricNames(name).flatMap((metric): [string, MetricChanges][] => {
    const found = dataset.metrics[metric];
    return found === undefined ? [] : [[metric, found]];
  });
  if (changed.length < 2) return null;
  return html`<h4>Values by metric</h4>
${table({
  label: 'Values by metric',
  columns: ['metric', 'revised', 'filled', 'emptied', 'empty before', 'empty now'].map((heading, i) => ({
    heading,
    number: i > 0,
  })),
  rows: changed.map(([metric, m]) => [
    metric,
    ...[m.revised, m.filled, m.emptied, m.nullsBefore, m.nullsAfter].map(count),
  ]),
})}`;
}

/** The totals of a metric in one currency, as they are drawn. */
interface Group {
  readonly title: string;
  readonly totals: readonly Total[];
}

function charts(name: DatasetName, dataset: DatasetReport): Html | null {
  const groups = groupsOf(dataset.totals.shown);
  if (groups.length === 0) return null;
  const shown = [...groups].sort((a, b) => weight(b) - weight(a)).slice(0, SHOWN.charts);
  const rest = groups.length - shown.length;
  const compared = dataset.rows.before !== null;
  return html`<h4>Totals by year</h4>
${compared ? LEGEND : null}
<div class="charts">
${shown.map(({ title, totals: of }) => totalsChart({ title, unit: unitOf(name, of[0]), points: pointsOf(of), compared }))}</div>
${
  rest === 0
    ? null
    : html`<p class="small soft">${counted(rest, 'more total')} by currency: ${listed(
        groups.filter((group) => !shown.includes(group)).map(({ title }) => title.replace(/^.* in /, '')),
        40,
      )}. All are in report.json.</p>`
}`;
}

const LEGEND = html`<ul class="legend"><li><svg viewBox="0 0 28 12" aria-hidden="true"><path class="before" d="M0 6H28"/></svg>before</li><li><svg viewBox="0 0 28 12" aria-hidden="true"><path class="after" d="M0 6H28"/></svg>now</li><li><svg viewBox="0 0 28 12" aria-hidden="true"><rect class="bar" x="4" y="0" width="6" height="6"/><rect class="bar down" x="16" y="6" width="6" height="6"/><path class="axis" d="M0 6H28"/></svg>change of the year, up and down</li></ul>`;

function groupsOf(totals: readonly Total[]): Group[] {
  const groups = new Map<string, Total[]>();
  for (const total of totals) {
    const title = titleOf(total);
    const group = groups.get(title);
    if (group === undefined) groups.set(title, [total]);
    else group.push(total);
  }
  return [...groups].map(([title, of]) => ({ title, totals: of }));
}

/** What moved comes first; among what did not, the longest series. */
const weight = ({ totals }: Group) =>
  Math.max(...totals.map((total) => (total.forecast ? distance(total) / 10 : distance(total)))) * 1e6 +
  totals.length;

const unitOf = (name: DatasetName, total: Total | undefined): string =>
  total === undefined || total.fx !== null ? '' : (datasetOf(name).metrics[total.metric]?.unit ?? '');

function totals({ totals: { shown, count: all } }: DatasetReport): Html | null {
  const moved = shown.filter((total) => total.before !== total.after);
  if (moved.length === 0) return all === 0 ? null : html`<p>No total moved.</p>`;
  // What is reported first: forecasts are meant to move.
  const sorted = [...moved].sort(
    (a, b) => Number(a.forecast) - Number(b.forecast) || distance(b) - distance(a),
  );
  const listedTotals = sorted.slice(0, SHOWN.totals);
  const rest = moved.length - listedTotals.length;
  const most = Math.max(...listedTotals.map(({ relative }) => Math.abs(relative ?? 0)));
  return html`<h4>Totals that moved most</h4>
${table({
  label: 'Totals that moved most',
  columns: [
    { heading: 'total' },
    { heading: 'year' },
    { heading: 'before', number: true },
    { heading: 'now', number: true },
    { heading: 'change', number: true },
    { heading: '' },
  ],
  rows: listedTotals.map((total) => [
    titleOf(total),
    `${total.year}${total.forecast ? ' forecast' : total.closed ? ' closed' : ''}`,
    exact(total.before),
    exact(total.after),
    changeOf(total),
    changeBar(total.relative, most),
  ]),
  more:
    rest === 0
      ? 'Reported figures first, then forecasts.'
      : `Reported figures first, then forecasts; ${count(rest)} more moved, all in report.json.`,
})}`;
}

function revisions({ revisions: { shown, count: all } }: DatasetReport, report: Report): Html | null {
  if (all === 0) return null;
  const some = shown.slice(0, SHOWN.revisions);
  const most = Math.max(0, ...some.map(({ relative }) => Math.abs(relative ?? 0)));
  const rest = all - some.length;
  const cells = ({ key, metric, from, to, relative }: Revision) => [
    html`${placeOf(key)} <span class="soft">${restOf(key)}</span>`,
    String(key.year ?? ''),
    metric,
    exact(from),
    exact(to),
    from === null ? 'filled' : to === null ? 'emptied' : change(relative),
    changeBar(relative, most),
  ];
  return html`<h4>Largest revisions</h4>
${table({
  label: 'Largest revisions',
  columns: [
    { heading: 'row' },
    { heading: 'year' },
    { heading: 'metric' },
    { heading: 'before', number: true },
    { heading: 'now', number: true },
    { heading: 'change', number: true },
    { heading: '' },
  ],
  rows: some.map(cells),
  ...(rest > 0 && { more: html`${count(rest)} smaller revisions are not shown. ${allOf(report)}` }),
})}`;
}

/** How to get at what is not shown. */
function allOf({ comparedWith, snapshot }: Report): Html {
  return html`List them: <code>npm run --silent ingest -- diff ${comparedWith} ${snapshot} --json</code>`;
}

const placeOf = ({ country, state }: Key): string =>
  [country, state].filter((part) => (part ?? '') !== '').join(' › ');

/** What tells the row apart but place and year. */
const restOf = ({ year: _, region: __, country: ___, state: ____, ...rest }: Key): string =>
  Object.values(rest).join(' · ');

function keys(title: string, { count: all, shown }: DatasetReport['added'], report: Report): Html | null {
  if (all === 0) return null;
  const some = shown.slice(0, SHOWN.keys);
  const rest = all - some.length;
  return html`<h4>${title}</h4>
${table({
  label: title,
  columns: [{ heading: 'row' }, { heading: 'year' }],
  rows: some.map((key) => [
    html`${placeOf(key)} <span class="soft">${restOf(key)}</span>`,
    String(key.year ?? ''),
  ]),
  ...(rest > 0 && { more: html`${count(rest)} more. ${allOf(report)}` }),
})}`;
}
