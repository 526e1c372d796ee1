// The drawn chart with its readout: under the pointer, by touch, and by keyboard through a slider of years.

import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { drawBars } from '../chart/bars.ts';
import { element } from '../chart/element.ts';
import { type Drawn, drawLines } from '../chart/lines.ts';
import { drawMultiples } from '../chart/multiples.ts';
import { html } from '../html.ts';
import {
  barYear,
  type ChartData,
  drawnSeries,
  type NamedBreak,
  shownSeries,
  unitOf,
} from '../model/chart.ts';
import { grouped, readable } from '../model/format.ts';
import { colourOf, coloursOf } from '../model/palette.ts';
import type { ChartKind } from '../model/question.ts';
import { lastReported, ranked, type Series } from '../model/series.ts';
import { seriesLabel } from './chartParts.ts';
import { Readout, readoutText } from './readout.ts';
import { useDrawing } from './useDrawing.ts';

export interface ChartProps {
  readonly data: ChartData;
  readonly kind: ChartKind;
  readonly isLog: boolean;
  readonly hasOwnScales: boolean;
  /** The year of bars, when it was chosen. */
  readonly chosenYear: number | null;
  /** The year of the readout; null until somebody points at one. */
  readonly year: number | null;
  readonly onYear: (year: number) => void;
  readonly summary: string;
}

export function Chart(props: ChartProps): VNode {
  const { data, kind, year, onYear, summary, chosenYear } = props;
  const drawn = useRef<Drawn | null>(null);
  const { box, width } = useDrawing(
    (measured) => {
      drawn.current = draw(props, measured);
      return drawn.current.svg;
    },
    [data, kind, props.isLog, props.hasOwnScales, chosenYear],
  );
  const series = shownSeries(data);
  const years = series[0]?.points.map((point) => point.year) ?? [];
  const shownYear =
    kind === 'bars'
      ? barYear(data, chosenYear)
      : (years.find((one) => one === year) ?? lastReported(series) ?? years.at(-1) ?? 0);
  useEffect(
    () => mark(drawn.current, kind, year === null ? null : shownYear),
    [shownYear, year, data, kind, width],
  );
  const point = (event: PointerEvent) => {
    const found = drawn.current;
    const svg = found?.svg.getBoundingClientRect();
    if (found === null || svg === undefined || kind === 'bars') return;
    onYear(found.yearAt((event.clientX - svg.left) * (width / svg.width)));
  };
  return html`<div class="chart-block">
    <div class="chart" role="img" aria-label=${summary} ref=${box} onPointerMove=${point} onPointerDown=${point}></div>
    ${kind !== 'bars' && years.length > 0 && html`<${YearSlider} ...${{ data, years, year: shownYear, onYear }} />`}
    <${Readout} data=${data} year=${shownYear} hasSwatches=${kind !== 'bars'} />
  </div>`;
}

interface SliderProps {
  readonly data: ChartData;
  readonly years: readonly number[];
  readonly year: number;
  readonly onYear: (year: number) => void;
}

function YearSlider({ data, years, year, onYear }: SliderProps): VNode {
  return html`<div class="year-slider">
    <span aria-hidden="true">Year</span>
    <input type="range" aria-label="Year" min=${years[0]} max=${years.at(-1)} value=${year} aria-valuetext=${readoutText(data, year)}
      onInput=${(event: Event) => onYear(Number((event.currentTarget as HTMLInputElement).value))} />
    <output>${year}</output>
  </div>`;
}

const HEIGHT = { narrow: 330, wide: 440 };

export function draw(props: ChartProps, width: number): Drawn {
  const { data, kind, isLog, hasOwnScales, chosenYear } = props;
  const series = drawnSeries(data, kind);
  const colours = coloursOf(shownSeries(data), data.names);
  const unit = unitOf(data);
  const common = {
    width,
    isLog,
    breaks: data.breaks,
    colour: (one: Series) => colourOf(colours, one),
    label: seriesLabel(data),
    breakLabel,
    forecastLabel: 'Forecast',
  };
  switch (kind) {
    case 'bars': {
      const year = barYear(data, chosenYear);
      return drawBars(ranked(series, year), {
        ...common,
        colour: () => 'var(--s1)',
        year,
        value: (value) => readable(value, unit),
      });
    }
    case 'multiples':
      return drawMultiples(series, { ...common, hasOwnScales });
    default: {
      const height = width < 520 ? HEIGHT.narrow : HEIGHT.wide;
      const isStacked = kind === 'areas';
      return drawLines(series, { ...common, height, isStacked, domain: null, isSmall: false });
    }
  }
}

const breakLabel = ({ year, began, ended }: NamedBreak): string => {
  if (began.length > 0)
    return `${grouped(began.length)} ${began.length === 1 ? 'country begins' : 'countries begin'} in ${year}`;
  if (ended.length > 0)
    return `${grouped(ended.length)} ${ended.length === 1 ? 'country ends' : 'countries end'} in ${year}`;
  return `Coverage changes in ${year}`;
};

/** A line at the year that is read out. */
function mark(drawn: Drawn | null, kind: ChartKind, year: number | null): void {
  const svg = drawn?.svg;
  if (drawn === null || svg === undefined || kind === 'bars' || kind === 'multiples') return;
  svg.querySelector('.year-mark')?.remove();
  if (year === null) return;
  const x = drawn.xOf(year);
  const line = element('line', {
    x1: x,
    x2: x,
    y1: 22,
    y2: Number(svg.getAttribute('height')) - 26,
    stroke: 'var(--ink)',
    'stroke-opacity': 0.45,
  });
  line.setAttribute('class', 'year-mark');
  svg.append(line);
}
