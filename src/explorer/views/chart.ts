// The drawn chart and its values: beside the pointer, below the chart, and by keyboard through a slider of years.

import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { drawBars } from '../chart/bars.ts';
import { NARROW } from '../chart/lineLayout.ts';
import { seriesClass } from '../chart/lineMarks.ts';
import { type Drawn, drawLines } from '../chart/lines.ts';
import { drawMultiples } from '../chart/multiples.ts';
import { focusSeries } from '../chart/svgParts.ts';
import { html } from '../html.ts';
import { barYear, type ChartData, drawnSeries, shownSeries, unitOf } from '../model/chart.ts';
import { readable } from '../model/format.ts';
import { colourOf, coloursOf } from '../model/palette.ts';
import type { ChartKind } from '../model/question.ts';
import { lastReported, ranked, type Series } from '../model/series.ts';
import { unitText } from '../model/summary.ts';
import { breakLabel, CHART_NOTES, CHART_TEXTS } from '../texts.ts';
import { seriesLabel } from './chartParts.ts';
import { inputValue } from './inputValue.ts';
import { Readout, readoutText } from './readout.ts';
import { Tip, type TipPlace } from './tip.ts';
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
  /** The dataset and snapshot, as the tip names them. */
  readonly source: string;
}

export function Chart(props: ChartProps): VNode {
  const { data, kind, year, onYear, summary, chosenYear } = props;
  const drawn = useRef<Drawn | null>(null);
  const block = useRef<HTMLDivElement>(null);
  const [tip, setTip] = useState<TipPlace | null>(null);
  const years = yearsOf(data, kind);
  const { box, width } = useDrawing(
    (measured) => {
      drawn.current = draw(props, measured);
      // The slider lies below the axis, with each year under its tick.
      const [from = 0, to = measured - NO_AXIS_ROOM] = hasAxis(kind)
        ? [years[0], years.at(-1)].map((one) => drawn.current?.xOf(one ?? 0) ?? 0)
        : [];
      block.current?.style.setProperty('--from', `${from}px`);
      block.current?.style.setProperty('--to', `${to}px`);
      return drawn.current.svg;
    },
    [data, kind, props.isLog, props.hasOwnScales, chosenYear],
  );
  const shownYear =
    kind === 'bars'
      ? barYear(data, chosenYear)
      : (years.find((one) => one === year) ?? lastReported(shownSeries(data)) ?? years.at(-1) ?? 0);
  useEffect(
    () => drawn.current?.mark(year === null && tip === null ? null : shownYear),
    [shownYear, year, tip === null, data, kind, width, props.isLog, props.hasOwnScales],
  );
  const focused = tip?.name ?? null;
  useEffect(() => {
    const svg = drawn.current?.svg;
    const index = drawnSeries(data, kind).findIndex(({ name }) => name === focused);
    if (svg !== undefined) focusSeries(svg, index < 0 ? null : seriesClass(index));
  }, [focused, data, kind, width]);
  const close = () => setTip(null);
  /** On a touch screen only `click`, the end of a tap, opens the values: opened earlier, the same tap would close them. */
  const point = (event: PointerEvent) => {
    const found = drawn.current;
    const svg = found?.svg.getBoundingClientRect();
    if (found === null || svg === undefined) return;
    const x = event.clientX - svg.left;
    const y = event.clientY - svg.top;
    if (kind !== 'bars') onYear(found.yearAt(x, y));
    const name = found.nameAt(x, y);
    const isDocked = event.pointerType === 'touch' || width < NARROW;
    setTip(isDocked ? { kind: 'docked', name } : { kind: 'beside', x, y, width, height: svg.height, name });
  };
  /** By keyboard the values appear at the year of the slider. */
  const showAt = (chosen: number) => {
    // In a narrow chart the list below is near enough, and a tip would cover the slider.
    if (hasAxis(kind) && width >= NARROW)
      setTip({
        kind: 'beside',
        x: drawn.current?.xOf(chosen) ?? 0,
        y: 40,
        width,
        height: HEIGHT.wide,
        name: null,
      });
  };
  return html`<div class="chart-block" ref=${block} onKeyDown=${(event: KeyboardEvent) => event.key === 'Escape' && close()}>
    <div class="chart-box">
      <div class="chart" role="img" aria-label=${summary} ref=${box} onPointerMove=${point} onClick=${point}
        onPointerLeave=${() => tip?.kind === 'beside' && close()}></div>
      ${tip !== null && html`<${Tip} data=${data} kind=${kind} year=${shownYear} place=${tip} source=${props.source} onClose=${close} />`}
    </div>
    ${years.length > 1 && html`<${YearSlider} ...${{ data, kind, years, onYear, showAt, close }} year=${shownYear} />`}
    <${Readout} data=${data} kind=${kind} year=${shownYear} />
  </div>`;
}

const hasAxis = (kind: ChartKind): boolean => kind === 'lines' || kind === 'areas';

/** Room for the year beside the slider where there is no axis, in pixels. */
const NO_AXIS_ROOM = 64;

/** Bars show one year of all; the other kinds show the years of the period. */
const yearsOf = (data: ChartData, kind: ChartKind): readonly number[] =>
  ((kind === 'bars' ? data.series : shownSeries(data))[0]?.points ?? []).map(({ year }) => year);

interface SliderProps {
  readonly data: ChartData;
  readonly kind: ChartKind;
  readonly years: readonly number[];
  readonly year: number;
  readonly onYear: (year: number) => void;
  readonly showAt: (year: number) => void;
  readonly close: () => void;
}

function YearSlider({ data, kind, years, year, onYear, showAt, close }: SliderProps): VNode {
  const change = (event: Event) => {
    const chosen = Number(inputValue(event));
    onYear(chosen);
    showAt(chosen);
  };
  return html`<div class="year-slider">
    <output>${year}</output>
    <input type="range" aria-label=${CHART_TEXTS.year} min=${years[0]} max=${years.at(-1)} value=${year} aria-valuetext=${readoutText(data, kind, year)}
      onInput=${change} onFocus=${(event: FocusEvent) => (event.currentTarget as HTMLElement).matches(':focus-visible') && showAt(year)} onBlur=${close} />
  </div>`;
}

const HEIGHT = { narrow: 330, wide: 460 };

export function draw(
  props: Omit<ChartProps, 'year' | 'onYear' | 'summary' | 'source'>,
  width: number,
): Drawn {
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
    forecastLabel: CHART_NOTES.forecast,
    unit: unitText(unit),
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
      const height = width < NARROW ? HEIGHT.narrow : HEIGHT.wide;
      const isStacked = kind === 'areas';
      return drawLines(series, { ...common, height, isStacked, domain: null, isSmall: false });
    }
  }
}
