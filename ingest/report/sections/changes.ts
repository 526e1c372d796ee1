// What changed in a dataset: rows, values of dimensions, totals by year, the largest revisions.

import { type DatasetName, datasetOf, metricNames } from '../../../src/catalog/datasets.ts';
import type { Key, MetricChanges, Total } from '../../compare/types.ts';
import { changeBar } from '../charts/bar.ts';
import { changeOf, totalsChart } from '../charts/totals.ts';
import { type Html, html, type Piece } from '../html.ts';
import type { RevisedSeries, RowSeries } from '../series.ts';
import { distance, pointsOf, titleOf } from '../totals.ts';
import type { DatasetReport, Report, RowsBySeries } from '../types.ts';
import { change, count, counted, exact, listed, signed, spans } from '../words.ts';
import { table } from './table.ts';

const SHOWN = { charts: 6, totals: 12, series: 15, values: 12 } as const;

/** The part of one dataset. */
export function changesOf(name: DatasetName, report: Report): Html {
  const dataset = report.datasets[name];
  const compared = dataset.rows.before !== null;
  return html`<h3 id="${name}">${name} <span class="soft">${datasetOf(name).description}</span></h3>
<p>${inWords(dataset, report)}</p>
${compared && !dataset.same ? html`${dimensions(dataset)}${metrics(name, dataset)}` : null}
${charts(name, dataset)}
${compared && !dataset.same ? html`${totals(dataset)}${revisions(name, dataset, report)}${rowsOf('Forecasts now reported', dataset.arrived, report)}${rowsOf('New', dataset.added, report)}${rowsOf('Gone', dataset.removed, report)}` : null}`;
}

function inWords(
  { rows, same, carried, revisions: { count: values } }: DatasetReport,
  report: Report,
): string {
  if (rows.before === null) return `${counted(rows.after, 'row')}.`;
  const kept =
    carried === null ? '' : ` They were carried over from ${carried}, for the month brought no source.`;
  if (same)
    return `Nothing changed: ${counted(rows.after, 'row')}, each as it was in ${report.comparedWith}.${kept}`;
  const said = [
    `${counted(rows.before, 'row')} became ${count(rows.after)} (${signed(rows.after - rows.before)}): ${count(rows.added - rows.arrived)} new, ${count(rows.removed - rows.arrived)} gone`,
    rows.arrived === 0 ? '' : `${counted(rows.arrived, 'forecast')} became reported figures`,
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
  const shown = [...groups].sort((a, b) => weight(b, dataset) - weight(a, dataset)).slice(0, SHOWN.charts);
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

/** The currency of most rows comes first, then what moved most, reported figures before forecasts. */
function weight({ totals }: Group, { mainCurrency }: DatasetReport): number {
  if (totals[0]?.fx === mainCurrency && mainCurrency !== null) return Number.MAX_VALUE;
  const most = Math.max(...totals.map((total) => (total.forecast ? distance(total) / 100 : distance(total))));
  return most * 1e6 + totals.length / 1e6;
}

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

function revisions(name: DatasetName, dataset: DatasetReport, report: Report): Html | null {
  const { series, revisions: all } = dataset;
  if (all.count === 0) return null;
  const some = series.shown.slice(0, SHOWN.series);
  const sizes = some.map(({ relative }) => Math.max(...(relative ?? [0]).map(Math.abs)));
  const most = Math.max(0, ...sizes);
  const told = some.reduce((sum, { rows }) => sum + rows, 0);
  const hasFx = some.some(({ currencies }) => currencies.length > 0);
  const cells = (one: RevisedSeries) => [
    nameOf(one.key),
    ...(metricNames(name).length > 1 ? [one.metric] : []),
    spans(one.years),
    ...(hasFx ? [listed(one.currencies, 4)] : []),
    count(one.rows),
    rangeOf(one),
    changeBar(one.largest.relative, most),
    `${exact(one.largest.from)} → ${exact(one.largest.to)} in ${[one.largest.key.fx, one.largest.key.year].filter((part) => part !== undefined).join(' ')}`,
  ];
  return html`<h4>Largest revisions</h4>
${table({
  label: 'Largest revisions',
  columns: [
    { heading: 'series' },
    ...(metricNames(name).length > 1 ? [{ heading: 'metric' }] : []),
    { heading: 'years' },
    ...(hasFx ? [{ heading: 'currencies' }] : []),
    { heading: 'values', number: true },
    { heading: 'change', number: true },
    { heading: '' },
    { heading: 'the largest', long: true },
  ],
  rows: some.map(cells),
  more: html`${shareOf(dataset, some.length, told)} ${allOf(report)}`,
})}`;
}

/** How much of all revisions the table holds. */
function shareOf({ series, revisions: { count: all } }: DatasetReport, shown: number, told: number): string {
  const complete = series.of === all;
  if (complete && series.count === shown) return `These are all ${counted(all, 'revision')}.`;
  const rest = complete
    ? `${counted(series.count - shown, 'more series')} with ${counted(all - told, 'smaller revision')} are not shown.`
    : `${counted(all, 'value was', 'values were')} revised; the ${count(series.of)} largest were brought together, ${count(series.count)} series, ${count(shown)} of them shown.`;
  return rest;
}

/** `+21.4 % to +27.6 %` */
function rangeOf({ relative, largest }: RevisedSeries): string {
  if (relative === null)
    return largest.from === null ? 'filled' : largest.to === null ? 'emptied' : change(null);
  const [near, far] = [...relative].sort((a, b) => Math.abs(a) - Math.abs(b)).map(change);
  return near === far ? `${far}` : `${near} to ${far}`;
}

/** How to get at what is not shown; a month that is no snapshot yet can only be printed. */
function allOf({ comparedWith, snapshot, status }: Report): Html {
  const command =
    status === 'published' ? `diff ${comparedWith} ${snapshot} --json` : 'publish … --dry-run --json';
  return html`For programs: <code>npm run --silent ingest -- ${command}</code>`;
}

const nameOf = (key: Key): Html => html`${placeOf(key)} <span class="soft">${restOf(key)}</span>`;

const placeOf = ({ country, state }: Key): string =>
  [country, state].filter((part) => (part ?? '') !== '').join(' › ');

/** What tells the row apart but place and year. */
const restOf = ({ year: _, region: __, country: ___, state: ____, ...rest }: Key): string =>
  Object.values(rest).join(' · ');

function rowsOf(title: string, { count: all, of, series }: RowsBySeries, report: Report): Html | null {
  if (all === 0) return null;
  const some = series.shown.slice(0, SHOWN.series);
  const told = some.reduce((sum, { rows }) => sum + rows, 0);
  const columns = [
    { heading: 'series', cell: ({ key }: RowSeries): Piece => nameOf(key) },
    { heading: 'years', cell: ({ years }: RowSeries) => spans(years) },
    { heading: 'currencies', cell: ({ currencies }: RowSeries) => listed(currencies, 4) },
    { heading: 'rows', number: true, cell: ({ rows }: RowSeries) => count(rows) },
  ].filter(({ heading }) => heading !== 'currencies' || some.some(({ currencies }) => currencies.length > 0));
  const more = `${of < all ? `The first ${count(of)} were brought together. ` : ''}${count(all - told)} more rows are not shown.`;
  return html`<h4>${title}: ${counted(all, 'row')}</h4>
${table({
  label: title,
  columns,
  rows: some.map((one) => columns.map(({ cell }) => cell(one))),
  ...(told < all && { more: html`${more} ${allOf(report)}` }),
})}`;
}
