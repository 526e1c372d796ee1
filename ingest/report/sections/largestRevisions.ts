// Shows the series of every dataset whose values were revised most.

import { DATASET_NAMES, type DatasetName, metricUnit } from '../../../src/catalog/datasets.ts';
import { type Html, html } from '../../../src/text/html.ts';
import { changeText, exact, listed } from '../../messages/numbers.ts';
import { changeBar } from '../charts/changeBar.ts';
import type { Report } from '../reportTypes.ts';
import type { RevisedSeries } from '../rowSeries.ts';
import { seriesName, yearsOf } from './rowsSection.ts';
import { tableHtml } from './sectionTable.ts';

/** How many series of a dataset the report lists above its collapsed details. */
const SERIES_SHOWN: Readonly<Partial<Record<DatasetName, number>>> = { ggr: 4, turnover: 3 };
const SERIES_SHOWN_OF_OTHERS = 2;

/** The table of the series that were revised most; null when nothing was compared. */
export function largestRevisions(report: Report): Html | null {
  if (report.comparedWith === null) return null;
  const shownSeries = DATASET_NAMES.flatMap((dataset) =>
    report.datasets[dataset].revised.series.shown
      .slice(0, SERIES_SHOWN[dataset] ?? SERIES_SHOWN_OF_OTHERS)
      .map((series) => ({ dataset, series })),
  );
  if (shownSeries.length === 0) return html`<p>No value was revised.</p>`;
  const largestChange = Math.max(
    0,
    ...shownSeries.map(({ series }) => Math.abs(series.largest.relative ?? 0)),
  );
  return tableHtml({
    label: 'Largest revisions',
    named: true,
    columns: [
      { heading: 'series' },
      { heading: 'metric and unit' },
      { heading: 'years' },
      { heading: 'before', number: true },
      { heading: 'now', number: true },
      { heading: 'change', number: true },
      { heading: '' },
    ],
    rows: shownSeries.map(({ dataset, series }) => cellsOf(dataset, series, largestChange)),
    more: 'Of each dataset the series with the largest relative revisions, and in each its largest one. A series is one market or country over all its years and currencies.',
  });
}

function cellsOf(dataset: DatasetName, series: RevisedSeries, largestChange: number) {
  const { from, to, relative, key } = series.largest;
  const shownYear = key.year === undefined ? null : html` <span class="soft">shown: ${key.year}</span>`;
  return [
    seriesName(series.key),
    html`<a href="#${dataset}">${series.metric}</a> <span class="soft">${unitOf(dataset, series)}</span>`,
    series.years.length < 2 ? yearsOf(series) : html`${yearsOf(series)}${shownYear}`,
    exact(from),
    exact(to),
    { shown: relative === null ? 'from 0' : changeText(relative), value: relative },
    changeBar(relative, largestChange),
  ];
}

function unitOf(dataset: DatasetName, { metric, currencies, largest }: RevisedSeries): string {
  if (currencies.length === 0) return metricUnit(dataset, metric);
  const fx = String(largest.key.fx);
  return currencies.length === 1 ? fx : `${fx}, also ${listed(currencies.filter((one) => one !== fx))}`;
}
