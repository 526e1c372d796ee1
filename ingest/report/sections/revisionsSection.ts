// Shows the revised values of a dataset: the sizes of the changes, and the series that were revised, emptied or filled.

import { type DatasetName, metricNames } from '../../../src/catalog/datasets.ts';
import { type Html, html } from '../../../src/text/html.ts';
import { changeText, exact } from '../../messages/numbers.ts';
import { changeBar } from '../charts/changeBar.ts';
import { sizesChart } from '../charts/sizesChart.ts';
import type { BySeries, DatasetReport, Report } from '../reportTypes.ts';
import type { RevisedSeries } from '../rowSeries.ts';
import { type SeriesColumn, seriesTable } from './rowsSection.ts';

/** The most series in the table of revisions, and in the tables of emptied and filled values. */
const MOST_SERIES = 15;
const MOST_SERIES_OF_EMPTY = 8;

/** The part of the page about the revised values of a dataset. */
export function revisionsSection(name: DatasetName, dataset: DatasetReport, report: Report): Html {
  const { revised, emptied, filled } = dataset;
  const most = Math.max(
    0,
    ...revised.series.shown
      .slice(0, MOST_SERIES)
      .map(({ relative }) => Math.max(...(relative ?? [0]).map(Math.abs))),
  );
  const moved: readonly RevisedColumn[] = [
    { heading: 'change', number: true, cell: rangeOf },
    { heading: '', cell: ({ largest }) => changeBar(largest.relative, most) },
    {
      heading: 'the largest',
      long: true,
      cell: ({ largest: { from, to, key } }) =>
        `${exact(from)} → ${exact(to)} in ${[key.fx, key.year].filter((part) => part !== undefined).join(' ')}`,
    },
  ];
  const middle: readonly RevisedColumn[] =
    metricNames(name).length > 1 ? [{ heading: 'metric', cell: ({ metric }) => metric }] : [];
  const common = { noun: 'values', middle, report };
  const ofEmpty = (title: string, values: BySeries<RevisedSeries>, end: 'from' | 'to') => {
    const cell = ({ largest }: RevisedSeries) => `${exact(largest[end])} in ${largest.key.year}`;
    const last = [{ heading: 'the first', long: true, cell }];
    return seriesTable({ title, values, most: MOST_SERIES_OF_EMPTY, last, ...common });
  };
  return html`${revised.count === 0 ? null : html`<h4>Revisions by size</h4>\n${sizesChart(name, Object.values(dataset.metrics))}`}
${seriesTable({ title: 'Largest revisions', values: revised, most: MOST_SERIES, last: moved, ...common })}
${ofEmpty('Emptied: values that were there before', emptied, 'from')}
${ofEmpty('Filled: values that were empty before', filled, 'to')}`;
}

type RevisedColumn = SeriesColumn<RevisedSeries>;

/** The smallest and largest change: `+21.4 % to +27.6 %`. A change from 0 has no relative size and is written `from 0`. */
function rangeOf({ relative }: RevisedSeries): string {
  if (relative === null) return 'from 0';
  const [near, far] = [...relative].sort((a, b) => Math.abs(a) - Math.abs(b)).map(changeText);
  return near === far ? `${far}` : `${near} to ${far}`;
}
