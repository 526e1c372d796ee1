// Draws a chart into the page. Marks the year and highlights the series at which people point.

import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { drawBars } from '../chart/bars.ts';
import { NARROW } from '../chart/lineLayout.ts';
import { type Drawing, drawLines } from '../chart/lines.ts';
import { drawMultiples } from '../chart/multiples.ts';
import { focusSeries } from '../chart/svgElements.ts';
import {
  barYear,
  type ChartData,
  drawnChart,
  drawnSeries,
  isLogPossible,
  shownSeries,
  unitOf,
  usuallyOwnScales,
} from '../model/chartData.ts';
import { readable } from '../model/numberFormats.ts';
import { colourOf, coloursOf } from '../model/palette.ts';
import type { ChartKind } from '../model/question.ts';
import { ranked, type Series } from '../model/series.ts';
import { seriesLabel, unitText } from '../model/summary.ts';
import { breakLabel, CHART_NOTES, CHART_TEXTS } from '../texts/chartTexts.ts';
import { chosenEnd } from './chartParts.ts';
import type { ViewProps } from './props.ts';
import { useDrawing } from './useDrawing.ts';

export interface ChartContent {
  readonly data: ChartData;
  readonly kind: ChartKind;
  readonly isLog: boolean;
  readonly hasOwnScales: boolean;
  /** The year that somebody chose for bars; null for the last reported one. */
  readonly chosenYear: number | null;
}

/** The chart of an answer, with the kind and the scales that the question chooses. */
export function contentOf(props: ViewProps, data: ChartData): ChartContent {
  const { scale, scales } = props.question;
  const kind = drawnChart(data, data.selection.chart);
  return {
    data,
    kind,
    isLog: scale === 'log' && isLogPossible(data, kind),
    hasOwnScales: scales === '' ? usuallyOwnScales(data) : scales === 'own',
    chosenYear: chosenEnd(props, data),
  };
}

/** The year and the series at which people point. */
interface PointedAt {
  readonly markedYear: number | null;
  /** The name of the series; the other series are muted. Null mutes none. */
  readonly focused: string | null;
}

interface DrawnChart {
  readonly drawn: RefObject<Drawing | null>;
  /** The element around the chart and its slider. */
  readonly block: RefObject<HTMLDivElement | null>;
  /** The element that the chart is drawn into, and its width in pixels. */
  readonly box: RefObject<HTMLDivElement | null>;
  readonly width: number;
}

/**
 * Draws the chart, and draws it again when its content or its width changes.
 *
 * @param years the years of the slider below the chart.
 */
export function useDrawnChart(
  content: ChartContent,
  years: readonly number[],
  { markedYear, focused }: PointedAt,
): DrawnChart {
  const { data, kind, isLog, hasOwnScales, chosenYear } = content;
  const drawn = useRef<Drawing | null>(null);
  const block = useRef<HTMLDivElement>(null);
  const { box, width } = useDrawing(
    (measured) => {
      drawn.current = draw(content, measured);
      // The slider is aligned with the axis above it, so that each year is below its tick.
      const xOf = (year = 0) => `${drawn.current?.xOf(year) ?? 0}px`;
      block.current?.style.setProperty('--from', hasAxis(kind) ? xOf(years[0]) : '0px');
      block.current?.style.setProperty('--to', hasAxis(kind) ? xOf(years.at(-1)) : NO_AXIS_END);
      return drawn.current.svg;
    },
    [data, kind, isLog, hasOwnScales, chosenYear],
  );
  useEffect(() => drawn.current?.mark(markedYear), [markedYear, data, kind, width, isLog, hasOwnScales]);
  useEffect(() => {
    const svg = drawn.current?.svg;
    const index = drawnSeries(data, kind).findIndex(({ name }) => name === focused);
    if (svg !== undefined) focusSeries(svg, index);
  }, [focused, data, kind, width]);
  return { drawn, block, box, width };
}

/** Whether a chart of this kind has an axis of years. */
export const hasAxis = (kind: ChartKind): boolean => kind === 'lines' || kind === 'areas';

/** The end of the slider when there is no axis. The rest is the room for the year beside it. */
const NO_AXIS_END = 'calc(100% - 4rem)';

/** The heights of charts with axes, in pixels. */
export const CHART_HEIGHT = { narrow: 330, wide: 460 };

/** Draws a chart at a width in pixels. */
export function draw({ data, kind, isLog, hasOwnScales, chosenYear }: ChartContent, width: number): Drawing {
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
      return drawMultiples(series, { ...common, hasOwnScales, blankLabel: CHART_TEXTS.noValues });
    default: {
      const height = width < NARROW ? CHART_HEIGHT.narrow : CHART_HEIGHT.wide;
      const isStacked = kind === 'areas';
      return drawLines(series, { ...common, height, isStacked, domain: null, isSmall: false });
    }
  }
}
