// Shows the changes of a dataset: its rows, values of dimensions, totals, revisions, rows new and gone.

import { type DatasetName, datasetOf, metricNames } from '../../../src/catalog/datasets.ts';
import { type Html, html } from '../../../src/text/html.ts';
import type { MetricChanges } from '../../compare/comparisonTypes.ts';
import { count, counted, listed, signed } from '../../messages/numbers.ts';
import type { DatasetReport, Report } from '../reportTypes.ts';
import { dimensionsInFull } from './dimensionsSection.ts';
import { withNonBreakingNumbers } from './nonBreakingNumbers.ts';
import { revisionsSection } from './revisionsSection.ts';
import { rowsNewAndGone } from './rowsSection.ts';
import { tableHtml } from './sectionTable.ts';
import { totalsMoved, totalsSection } from './totalsSection.ts';

/** The part of the page about one dataset. */
export function changesSection(name: DatasetName, report: Report): Html {
  const dataset = report.datasets[name];
  const changed = dataset.rows.before !== null && !dataset.same;
  return html`<p>${withNonBreakingNumbers(inWords(dataset, report))}</p>
${definitions(name)}
${changed ? html`${dimensions(dataset)}${metrics(name, dataset)}` : null}
${totalsSection(name, dataset)}
${changed ? html`${totalsMoved(dataset)}${dimensionsInFull(dataset)}${revisionsSection(name, dataset, report)}${rowsNewAndGone(dataset, report)}` : null}`;
}

/** The title of the part about a dataset. While the part is collapsed, only the title is visible. */
export const titleOfDataset = (name: DatasetName): Html =>
  html`${name} <span class="soft">${datasetOf(name).description}</span>`;

/** The list of the metrics, with their meanings and units. */
function definitions(name: DatasetName): Html | null {
  const metrics = Object.entries(datasetOf(name).metrics);
  if (metrics.length === 0) return null;
  return html`<ul class="small soft">${metrics.map(([metric, { description, unit }]) => html`<li><code>${metric}</code> ${description}; unit: ${unit}</li>`)}</ul>`;
}

function inWords(
  { rows, same, carried, revised, emptied, filled }: DatasetReport,
  { comparedWith }: Report,
): string {
  const carriedOver =
    carried === null ? '' : ` They were carried over from ${carried}, for the month brought no source.`;
  if (rows.before === null) return `${counted(rows.after, 'row')}.${carriedOver}`;
  if (same)
    return `Nothing changed: ${counted(rows.after, 'row')}, each as it was in ${comparedWith}.${carriedOver}`;
  const values = [
    revised.count === 0 ? '' : `${count(revised.count)} revised`,
    emptied.count === 0 ? '' : `${count(emptied.count)} emptied`,
    filled.count === 0 ? '' : `${count(filled.count)} filled`,
  ].filter((part) => part !== '');
  const clauses = [
    `${counted(rows.before, 'row')} became ${count(rows.after)} (${signed(rows.after - rows.before)}): ${count(rows.added - rows.arrived)} new, ${count(rows.removed - rows.arrived)} gone`,
    rows.arrived === 0 ? '' : `${counted(rows.arrived, 'forecast')} became reported figures`,
    values.length === 0 ? 'no value was revised' : `of their values ${listed(values)}`,
  ];
  return `${clauses.filter((part) => part !== '').join('; ')}.${carriedOver}`;
}

/** How many new values of a dimension are named, and how many vanished ones. */
const MOST_NAMED = 12;

function dimensions({ dimensions: changed }: DatasetReport): Html | null {
  if (changed.length === 0) return null;
  const values = ({ count: all, shown }: DatasetReport['dimensions'][number]['appeared']) => {
    const names = shown
      .slice(0, MOST_NAMED)
      .map(({ value, rows }) => `${value === '' ? '(empty)' : value} (${count(rows)})`);
    const more = all > names.length ? ` and ${count(all - names.length)} more` : '';
    return all === 0 ? '–' : `${names.join(', ')}${more}`;
  };
  return html`<h4>Values new and gone, with their rows</h4>
${tableHtml({
  label: 'Values new and gone',
  columns: [{ heading: 'dimension' }, { heading: 'new' }, { heading: 'gone' }],
  rows: changed.map(({ dimension, appeared, vanished }) => [dimension, values(appeared), values(vanished)]),
})}`;
}

const METRIC_COLUMNS = {
  revised: 'revised',
  filled: 'filled',
  emptied: 'emptied',
  nullsBefore: 'empty before',
  nullsAfter: 'empty now',
} as const satisfies Partial<Record<keyof MetricChanges, string>>;

function metrics(name: DatasetName, { metrics: changed }: DatasetReport): Html | null {
  if (metricNames(name).length < 2) return null;
  return html`<h4>Values by metric</h4>
${tableHtml({
  label: 'Values by metric',
  columns: [
    { heading: 'metric' },
    ...Object.values(METRIC_COLUMNS).map((heading) => ({ heading, number: true })),
  ],
  rows: Object.entries(changed).map(([metric, counts]) => [
    metric,
    ...(Object.keys(METRIC_COLUMNS) as (keyof typeof METRIC_COLUMNS)[]).map((key) => count(counts[key])),
  ]),
})}`;
}
