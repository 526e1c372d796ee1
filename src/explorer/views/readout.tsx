// The values of one year below a chart, as lines and as one text for screen readers.

import type { VNode } from 'preact';
import {
  type ChartData,
  listedSeries,
  seriesInPeriod,
  shareOfCountry,
  totalAt,
  unitOf,
} from '../model/chartData.ts';
import { exactText, isReadExactly, readableText, shareText } from '../model/numberFormats.ts';
import { colourNumbersByName, colourOf } from '../model/palette.ts';
import type { ChartKind } from '../model/question.ts';
import { type Point, type Series, sortedByValue } from '../model/series.ts';
import { listText, seriesLabel, unitText } from '../model/summary.ts';
import { READOUT } from '../texts/chartTexts.ts';

export interface ReadoutLine {
  /** The name of the series; `total` for the sum of all series. */
  readonly id: string;
  readonly label: string;
  /** The colour in CSS; null when the line has none in the chart. */
  readonly colour: string | null;
  /** The value in short form. `exact` has all digits; `isExact` says whether the short form already has them. */
  readonly short: string;
  readonly exact: string;
  readonly isExact: boolean;
  /** A note such as `9.0 % forecast` or `28.7 % of Canada`; '' without one. */
  readonly note: string;
}

/** The lines for a year: the total, then the series from the largest to the smallest, then the series `other`. */
export function readoutLines(data: ChartData, kind: ChartKind, year: number): ReadoutLine[] {
  const unit = unitOf(data);
  const label = seriesLabel(data);
  const colours = colourNumbersByName(seriesInPeriod(data), data.names);
  const total = totalAt(data, year);
  // Adding doubles may change the last digits, so the total is shown only in short form.
  const short = total === null ? '' : readableText(total, unit);
  const first: ReadoutLine[] =
    total === null
      ? []
      : [{ id: 'total', label: READOUT.total, colour: null, short, exact: short, isExact: true, note: '' }];
  const lines = sortedByValue(listedSeries(data, kind), year).map((one): ReadoutLine => {
    const point = one.points.find((candidate) => candidate.year === year);
    const value = point?.value ?? null;
    return {
      id: one.name,
      label: label(one),
      colour: kind === 'bars' ? null : colourOf(colours, one),
      short: value === null ? READOUT.noValue : readableText(value, unit),
      exact: value === null ? READOUT.noValue : exactText(value),
      isExact: value === null || isReadExactly(value, unit),
      note: noteOf(data, one, point),
    };
  });
  return [...first, ...lines];
}

function noteOf(data: ChartData, series: Series, point: Point | undefined): string {
  if (point === undefined || point.value === null) return '';
  const country = data.selection.filters.country?.[0];
  const part = shareOfCountry(data, series, point.year);
  const ofCountry = part === null ? '' : READOUT.ofCountry(shareText(part), country);
  return listText(
    [ofCountry, forecastText(point)].filter((text) => text !== ''),
    'and',
  );
}

/** A text such as `forecast` or `9.0 % forecast`; '' for a reported value. */
export const forecastText = ({ forecastShare }: Point): string =>
  forecastShare === 0
    ? ''
    : forecastShare >= 1
      ? READOUT.forecast
      : `${shareText(forecastShare)} ${READOUT.forecast}`;

interface ReadoutProps {
  readonly data: ChartData;
  readonly kind: ChartKind;
  readonly year: number;
}

/** The lines of one year, with swatches in the colours of the chart. */
export function Readout({ data, kind, year }: ReadoutProps): VNode {
  return (
    <div class={kind === 'bars' ? 'readout is-plain' : 'readout'}>
      <p class="readout-year">
        <strong>{year}</strong> <span class="quiet">{unitText(unitOf(data))}</span>
      </p>
      <ul>
        {readoutLines(data, kind, year).map(({ id, label, colour, short, exact, isExact, note }) => (
          <li key={id} class={id === 'total' ? 'is-total' : ''}>
            <Swatch colour={colour} />
            <bdi class="readout-name">{label}</bdi>
            <span class="readout-value">{short}</span>
            {(!isExact || note !== '') && (
              <span class="readout-exact">
                {note}
                {note !== '' && !isExact ? ' · ' : ''}
                {isExact ? '' : exact}
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A square in the colour of a series; an empty place without a colour. */
export function Swatch({ colour }: { readonly colour: string | null }): VNode {
  if (colour === null) return <span></span>;
  return (
    <svg class="swatch" viewBox="0 0 8 8" aria-hidden="true">
      <rect width="8" height="8" rx="1.5" fill={colour} />
    </svg>
  );
}

/** The text of a year for screen readers. */
export function readoutText(data: ChartData, kind: ChartKind, year: number): string {
  const parts = readoutLines(data, kind, year).map(
    ({ label, short, note }) =>
      `${label} ${short === READOUT.noValue ? READOUT.noValueSpoken : short}${note === '' ? '' : ` (${note})`}`,
  );
  return `${year}: ${parts.join(', ')}`;
}
