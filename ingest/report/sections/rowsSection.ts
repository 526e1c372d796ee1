// Shows new rows, rows that are gone, and forecasts that became reported figures, grouped by series.

import { type Html, type HtmlContent, html } from '../../../src/text/html.ts';
import type { RowDimensions } from '../../compare/revision.ts';
import { count, counted, listed, yearSpans } from '../../messages/numbers.ts';
import type { BySeries, DatasetReport, Report } from '../reportTypes.ts';
import type { RowSeries } from '../rowSeries.ts';
import { type SectionColumn, tableHtml } from './sectionTable.ts';

/** How many series a table lists. */
const MOST_SERIES = 12;

/** The part of the page about rows that were added, removed, or became reported. */
export function rowsNewAndGone({ arrived, added, removed }: DatasetReport, report: Report): Html {
  const tableOf = (title: string, values: BySeries<RowSeries>) =>
    seriesTable({
      title,
      heading: `${title}: ${counted(values.count, 'row')}`,
      values,
      most: MOST_SERIES,
      report,
    });
  return html`${tableOf('Forecasts now reported', arrived)}${tableOf('New', added)}${tableOf('Gone', removed)}`;
}

export interface SeriesColumn<Series> extends SectionColumn {
  readonly cell: (series: Series) => HtmlContent;
}

interface SeriesTable<Series extends RowSeries> {
  readonly title: string;
  /** The heading above the table, if it is not the title. */
  readonly heading?: string;
  readonly values: BySeries<Series>;
  /** The most series in the table. */
  readonly most: number;
  /** What is counted in each series: `rows`, if undefined. */
  readonly noun?: string;
  /** The columns between the name of the series and its years. */
  readonly middle?: readonly SeriesColumn<Series>[];
  readonly last?: readonly SeriesColumn<Series>[];
  readonly report: Report;
}

/** The first series of rows or values; null when there are none. */
export function seriesTable<Series extends RowSeries>({
  title,
  heading = title,
  values,
  most,
  noun = 'rows',
  middle = [],
  last = [],
  report,
}: SeriesTable<Series>): Html | null {
  if (values.count === 0) return null;
  const shownSeries = values.series.shown.slice(0, most);
  const columns: readonly SeriesColumn<Series>[] = [
    { heading: 'series', cell: ({ key }) => seriesName(key) },
    ...middle,
    ...(shownSeries.some(({ years }) => years.length > 0) ? [{ heading: 'years', cell: yearsOf }] : []),
    ...(shownSeries.some(({ currencies }) => currencies.length > 0)
      ? [{ heading: 'currencies', cell: ({ currencies }: Series) => listed(currencies, 4) }]
      : []),
    { heading: noun, number: true, cell: ({ rows }) => count(rows) },
    ...last,
  ];
  return html`<h4>${heading}</h4>
${tableHtml({
  label: title,
  columns,
  rows: shownSeries.map((one) => columns.map(({ cell }) => cell(one))),
  more: noteOnRest(values, shownSeries, report),
})}`;
}

/** The name of a series: `Italy Gaming · Gaming Machines · Land · Venue`. */
export function seriesName({ country, state, region: _, ...rest }: RowDimensions): Html {
  const place = [country, state].filter((part) => (part ?? '') !== '').join(' › ');
  return html`${place} <span class="soft">${Object.values(rest).join(' · ')}</span>`;
}

/** The years of a series: `1970–1989, 1996`. A line may break between two spans, but not within one. */
export const yearsOf = ({ years }: RowSeries): Html =>
  html`${yearSpans(years)
    .split(', ')
    .map((span, i) => html`${i === 0 ? '' : ', '}<span class="keep">${span}</span>`)}`;

/** The note on how many rows are not shown, and the command that lists them; null when all rows are shown. */
function noteOnRest(
  { count: all, of: inSeries, series }: BySeries<RowSeries>,
  shown: readonly RowSeries[],
  { comparedWith, snapshot, status }: Report,
): Html | null {
  const shownRows = shown.reduce((sum, { rows }) => sum + rows, 0);
  if (shownRows === all) return null;
  const missing =
    inSeries < all
      ? `${count(all)} in all; of the first ${count(inSeries)}, brought together as ${count(series.count)} series, ${count(shown.length)} series are shown.`
      : `${count(all - shownRows)} in ${count(series.count - shown.length)} more series are not shown.`;
  // `diff` can only compare a month that was published.
  const command =
    status === 'published'
      ? `diff ${comparedWith} ${snapshot} --limit 1000 --json`
      : 'publish … --report more.json';
  return html`${missing} More of them: <code>npm run --silent ingest -- ${command}</code>`;
}
