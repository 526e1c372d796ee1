// Shows the revised values of a dataset: the sizes of the changes, and the series that were revised most, emptied or filled.

import { type DatasetName, metricNames } from '../../../src/catalog/datasets.ts';
import { type Html, html, type Piece } from '../../../src/html.ts';
import { change, count, exact, listed } from '../../messages/numbers.ts';
import { changeBar } from '../charts/bar.ts';
import { sizesChart } from '../charts/sizes.ts';
import type { RevisedSeries } from '../series.ts';
import type { BySeries, DatasetReport, Report } from '../types.ts';
import { nameOf, remainder, yearsOf } from './rows.ts';
import { type Column, table } from './table.ts';

/** The most series in the table of revisions, and in the tables of emptied and filled values. */
const SERIES = 15;
const SERIES_OF_EMPTY = 8;

/** The part of the page about the revised values of a dataset. */
export function revisions(name: DatasetName, dataset: DatasetReport, report: Report): Html {
  const { revised, emptied, filled } = dataset;
  const most = Math.max(
    0,
    ...revised.series.shown
      .slice(0, SERIES)
      .map(({ relative }) => Math.max(...(relative ?? [0]).map(Math.abs))),
  );
  const moved: readonly SeriesColumn[] = [
    { heading: 'change', number: true, cell: rangeOf },
    { heading: '', cell: ({ largest }) => changeBar(largest.relative, most) },
    {
      heading: 'the largest',
      long: true,
      cell: ({ largest: { from, to, key } }) =>
        `${exact(from)} → ${exact(to)} in ${[key.fx, key.year].filter((part) => part !== undefined).join(' ')}`,
    },
  ];
  return html`${revised.count === 0 ? null : html`<h4>Revisions by size</h4>\n${sizesChart(name, Object.values(dataset.metrics))}`}
${seriesTable({ title: 'Largest revisions', name, values: revised, most: SERIES, more: moved, report })}
${seriesTable({ title: 'Emptied: values that were there before', name, values: emptied, most: SERIES_OF_EMPTY, more: [{ heading: 'the first', long: true, cell: ({ largest }) => `${exact(largest.from)} in ${largest.key.year}` }], report })}
${seriesTable({ title: 'Filled: values that were empty before', name, values: filled, most: SERIES_OF_EMPTY, more: [{ heading: 'the first', long: true, cell: ({ largest }) => `${exact(largest.to)} in ${largest.key.year}` }], report })}`;
}

interface SeriesColumn extends Column {
  readonly cell: (series: RevisedSeries) => Piece;
}

interface SeriesTable {
  readonly title: string;
  readonly name: DatasetName;
  readonly values: BySeries<RevisedSeries>;
  readonly most: number;
  /** The last columns, after those that name the series. */
  readonly more: readonly SeriesColumn[];
  readonly report: Report;
}

function seriesTable({ title, name, values, most, more, report }: SeriesTable): Html | null {
  if (values.count === 0) return null;
  const shownSeries = values.series.shown.slice(0, most);
  const hasFx = shownSeries.some(({ currencies }) => currencies.length > 0);
  const columns: readonly SeriesColumn[] = [
    { heading: 'series', cell: ({ key }) => nameOf(key) },
    ...(metricNames(name).length > 1
      ? [{ heading: 'metric', cell: ({ metric }: RevisedSeries) => metric }]
      : []),
    { heading: 'years', cell: yearsOf },
    ...(hasFx
      ? [{ heading: 'currencies', cell: ({ currencies }: RevisedSeries) => listed(currencies, 4) }]
      : []),
    { heading: 'values', number: true, cell: ({ rows }) => count(rows) },
    ...more,
  ];
  return html`<h4>${title}</h4>
${table({
  label: title,
  columns,
  rows: shownSeries.map((one) => columns.map(({ cell }) => cell(one))),
  more: remainder(values, shownSeries, report),
})}`;
}

/** The smallest and largest change: `+21.4 % to +27.6 %`. A change from 0 has no relative size and is written `from 0`. */
function rangeOf({ relative }: RevisedSeries): string {
  if (relative === null) return 'from 0';
  const [near, far] = [...relative].sort((a, b) => Math.abs(a) - Math.abs(b)).map(change);
  return near === far ? `${far}` : `${near} to ${far}`;
}
