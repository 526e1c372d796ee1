// The exact values of one year: for the eye as a list, for screen readers as a text.

import type { VNode } from 'preact';
import { html } from '../html.ts';
import { type ChartData, shownSeries, unitOf } from '../model/chart.ts';
import { exact, readable, share } from '../model/format.ts';
import { colourOf, coloursOf } from '../model/palette.ts';
import { type Point, ranked, type Series } from '../model/series.ts';
import { unitText } from '../model/summary.ts';
import { seriesLabel } from './chartParts.ts';

interface ReadoutProps {
  readonly data: ChartData;
  readonly year: number;
  /** Bars all have one colour. */
  readonly hasSwatches: boolean;
}

export function Readout({ data, year, hasSwatches }: ReadoutProps): VNode {
  const series = shownSeries(data);
  const colours = coloursOf(series, data.names);
  const unit = unitOf(data);
  const label = seriesLabel(data);
  return html`<div class="readout">
    <p class="readout-year"><strong>${year}</strong> <span class="quiet">${unitText(unit)}</span></p>
    <ul>${inOrder(series, year).map((one) => {
      const point = pointAt(one, year);
      const value = point?.value ?? null;
      return html`<li key=${one.name}>
        ${hasSwatches ? html`<svg class="swatch" viewBox="0 0 8 8" aria-hidden="true"><rect width="8" height="8" rx="1.5" fill=${colourOf(colours, one)} /></svg>` : html`<span></span>`}
        <bdi class="readout-name">${label(one)}</bdi>
        <span class="readout-value" title=${value === null ? 'No value' : exact(value)}>${value === null ? '–' : readable(value, unit)}${flag(point)}</span>
        ${value !== null && exact(value) !== readable(value, unit) && html`<span class="readout-exact">${exact(value)}</span>`}
      </li>`;
    })}</ul>
  </div>`;
}

/** What a screen reader says of a year. */
export function readoutText(data: ChartData, year: number): string {
  const unit = unitOf(data);
  const label = seriesLabel(data);
  const parts = inOrder(shownSeries(data), year).map((one) => {
    const point = pointAt(one, year);
    const value = point?.value ?? null;
    return `${label(one)} ${value === null ? 'no value' : `${readable(value, unit)}${flag(point)}`}`;
  });
  return `${year}: ${parts.join(', ')}`;
}

const inOrder = (series: readonly Series[], year: number): Series[] => [
  ...ranked(
    series.filter(({ kind }) => kind !== 'other'),
    year,
  ),
  ...series.filter(({ kind }) => kind === 'other'),
];

const pointAt = ({ points }: Series, year: number): Point | undefined =>
  points.find((point) => point.year === year);

function flag(point: Point | undefined): string {
  if (point === undefined || point.forecast === 0) return '';
  return point.forecast >= 1 ? ' forecast' : `, ${share(point.forecast)} forecast`;
}
