// Shows the totals of a dataset: charts by year, and a table of the totals that moved most.

import { groupBy } from '../../../src/basics/lists.ts';
import { DATASET_NAMES, type DatasetName, datasetOf, metricUnit } from '../../../src/catalog/datasets.ts';
import { type Html, html } from '../../../src/text/html.ts';
import type { Total } from '../../compare/totalTypes.ts';
import { count, counted, exact, listed } from '../../messages/numbers.ts';
import { changeBar } from '../charts/changeBar.ts';
import { changeOf, totalsChart } from '../charts/totalsChart.ts';
import type { DatasetReport, Report } from '../reportTypes.ts';
import { pointsOf, titleOf, totalMoveSize, yearTitle } from '../totalsForReport.ts';
import { tableHtml } from './sectionTable.ts';

/** The most charts of a dataset, and the most totals in its table. */
const MOST_CHARTS = 6;
const MOST_ROWS = 12;

/** The totals of a metric in one currency. They are drawn in one chart. */
interface Group {
  readonly title: string;
  readonly totals: readonly Total[];
}

/** The charts before the details: one for every dataset with totals, in the currency with most rows. */
export function mainTotals(report: Report): Html | null {
  const charts = DATASET_NAMES.flatMap((name) => {
    const dataset = report.datasets[name];
    const [main] = groupsByWeight(dataset);
    return main === undefined ? [] : [chartOf(name, dataset, main, { isMain: true })];
  });
  if (charts.length === 0) return null;
  return html`${report.comparedWith === null ? null : LEGEND}
<div class="charts">
${charts}</div>`;
}

/** The charts of the totals that matter most. The other totals are only named. */
export function totalsSection(name: DatasetName, dataset: DatasetReport): Html | null {
  const groups = groupsByWeight(dataset);
  if (groups.length === 0) return null;
  const shown = groups.slice(0, MOST_CHARTS);
  const others = groups.slice(MOST_CHARTS).map(({ totals: [first] }) => first?.fx ?? '');
  return html`<h4>Totals by year</h4>
${dataset.rows.before === null ? null : LEGEND}
<div class="charts">
${shown.map((group, i) => chartOf(name, dataset, group, { isMain: i === 0 }))}</div>
${others.length === 0 ? null : html`<p class="small soft">${counted(others.length, 'more total')} by currency, in report.json: ${listed(others, 40)}.</p>`}`;
}

const chartOf = (
  name: DatasetName,
  dataset: DatasetReport,
  { title, totals: ofGroup }: Group,
  { isMain }: { readonly isMain: boolean },
) =>
  totalsChart({
    title,
    unit: unitOf(name, ofGroup[0]),
    points: pointsOf(ofGroup),
    compared: dataset.rows.before !== null,
    countries: isMain ? countriesByYear(dataset) : null,
  });

/** How many countries have rows in each year; null when the report does not list all countries. */
function countriesByYear({ coverage: { years, countries } }: DatasetReport): Map<number, number> | null {
  if (countries.count > countries.shown.length) return null;
  return new Map(
    years.map((year, i) => [year, countries.shown.filter(({ rows }) => (rows[i] ?? 0) > 0).length]),
  );
}

const LEGEND = html`<ul class="legend"><li><svg viewBox="0 0 28 12" aria-hidden="true"><rect class="bar" x="4" y="0" width="8" height="6"/><rect class="bar down" x="16" y="6" width="8" height="6"/><path class="axis" d="M0 6H28"/></svg>change of the year’s total, up and down</li><li><svg viewBox="0 0 28 12" aria-hidden="true"><rect class="bar joined" x="8" y="1" width="12" height="11"/></svg>of it countries that are new in the year: coverage, not growth</li><li><svg viewBox="0 0 28 12" aria-hidden="true"><path class="after" d="M0 9H12M16 3H28"/><path class="break" d="M14 0V12"/></svg>level now; a rule where countries begin or end</li></ul>`;

function groupsByWeight(dataset: DatasetReport): Group[] {
  return groupsOf(dataset.totals.shown)
    .map((group) => ({ group, weight: weight(group, dataset) }))
    .sort((a, b) => (a.weight === b.weight ? 0 : b.weight - a.weight))
    .map(({ group }) => group);
}

const groupsOf = (all: readonly Total[]): Group[] =>
  [...groupBy(all, titleOf)].map(([title, ofGroup]) => ({ title, totals: ofGroup }));

/**
 * The weight by which totals are sorted. The currency with most rows comes first, then the totals that moved most. Moves of
 * forecasts count a hundredth, because forecasts are expected to move. When nothing is compared, totals are sorted by the
 * number of rows of their currency.
 */
function weight({ totals: ofGroup }: Group, { mainCurrencies, rows }: DatasetReport): number {
  const place = mainCurrencies.indexOf(ofGroup[0]?.fx ?? '');
  if (place === 0) return Number.POSITIVE_INFINITY;
  if (rows.before === null) return place < 0 ? Number.NEGATIVE_INFINITY : -place;
  return Math.max(
    ...ofGroup.map((total) => (total.forecast ? totalMoveSize(total) / 100 : totalMoveSize(total))),
  );
}

const unitOf = (name: DatasetName, total: Total | undefined): string =>
  total === undefined || total.fx !== null
    ? (datasetOf(name).description.split(':')[0] ?? '')
    : metricUnit(name, total.metric);

/** The table of totals that moved: reported figures before forecasts, and in both the largest moves first. */
export function totalsMoved({ totals: { shown, count: all } }: DatasetReport): Html | null {
  const moved = shown.filter((total) => totalMoveSize(total) > 0);
  if (moved.length === 0) return all === 0 ? null : html`<p>No total moved.</p>`;
  const shownTotals = [...moved]
    .sort((a, b) => Number(a.forecast) - Number(b.forecast) || totalMoveSize(b) - totalMoveSize(a))
    .slice(0, MOST_ROWS);
  const unshown = moved.length - shownTotals.length;
  const largestChange = Math.max(...shownTotals.map(({ relative }) => Math.abs(relative ?? 0)));
  return html`<h4>Totals that moved most</h4>
${tableHtml({
  label: 'Totals that moved most',
  columns: [
    { heading: 'total' },
    { heading: 'year' },
    { heading: 'before', number: true },
    { heading: 'now', number: true },
    { heading: 'change', number: true },
    { heading: '' },
  ],
  rows: shownTotals.map((total) => [
    titleOf(total),
    yearTitle(total),
    exact(total.before),
    exact(total.after),
    changeOf(total),
    changeBar(total.relative, largestChange),
  ]),
  more: `Reported figures first, then forecasts${unshown === 0 ? '' : `; ${count(unshown)} more moved, all in report.json`}. A forecast’s total has the figures that are reported for the first time now, so that both sides are about the same rows. A closed year had ended before the previous month.`,
})}`;
}
