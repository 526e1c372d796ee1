// Draws a chart into the page. Marks the year and highlights the series at which people point.

import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { drawBars } from '../chart/bars.ts';
import type { Drawing } from '../chart/drawing.ts';
import { NARROW_WIDTH } from '../chart/lineLayout.ts';
import { drawLines } from '../chart/lines.ts';
import { drawMultiples } from '../chart/multiples.ts';
import { focusSeries } from '../chart/svgElements.ts';
import {
  type ChartData,
  drawnKind,
  drawnSeries,
  hasOwnScalesByDefault,
  isLogPossible,
  seriesInPeriod,
  unitOf,
  yearOfBars,
} from '../model/chartData.ts';
import { readableText } from '../model/numberFormats.ts';
import { colourNumbersByName, colourOf } from '../model/palette.ts';
import type { ChartKind } from '../model/question.ts';
import { type Series, sortedByValue, yearsIn } from '../model/series.ts';
import { seriesLabel, unitText } from '../model/summary.ts';
import { breakLabel, CHART_NOTES, CHART_TEXTS, legendText } from '../texts/chartTexts.ts';
import type { ViewProps } from './props.ts';
import { useDrawing } from './useDrawing.ts';

export interface ChartContent {
  readonly data: ChartData;
  readonly kind: ChartKind;
  readonly isLog: boolean;
  readonly hasOwnScales: boolean;
  /** The year that bars show; null for all other kinds of charts. */
  readonly onlyYear: number | null;
}

/** The chart of an answer, with the kind and the scales that the question chooses. */
export function chartContentOf(props: ViewProps, data: ChartData): ChartContent {
  const { axisScale, panelScales } = props.question;
  const kind = drawnKind(data, data.selection.chartKind);
  return {
    data,
    kind,
    isLog: axisScale === 'log' && isLogPossible(data, kind),
    hasOwnScales: panelScales === '' ? hasOwnScalesByDefault(data) : panelScales === 'own',
    onlyYear: yearOfBars(data, kind, chosenEnd(props, data)),
  };
}

/**
 * The chosen end of the period, which is the year that bars show; null when none was chosen. While a new question waits
 * for its answer, bars already show the new year, if the previous answer has it. If the new question is refused, they
 * show the year of the previous question.
 */
function chosenEnd({ question, answer, openState }: ViewProps, { series }: ChartData): number | null {
  const { lastYear } = question;
  const isThere = lastYear === null || yearsIn(series).includes(lastYear);
  return openState.progress.kind === 'stopped' || !isThere ? answer.question.lastYear : lastYear;
}

/** Says how the chart shows forecasts and missing values; '' when it has none. */
export const legendOf = ({ data, kind, onlyYear }: ChartContent): string =>
  legendText(kind, drawnSeries(data, kind), onlyYear);

/** The year and the series at which people point. */
interface Highlight {
  readonly markedYear: number | null;
  /** The name of the series; the other series are muted. Null mutes none. */
  readonly focusedSeries: string | null;
}

interface ChartRefs {
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
  { markedYear, focusedSeries }: Highlight,
): ChartRefs {
  const { data, kind, isLog, hasOwnScales, onlyYear } = content;
  const drawn = useRef<Drawing | null>(null);
  const block = useRef<HTMLDivElement>(null);
  const { box, width } = useDrawing(
    (measured) => {
      drawn.current = drawChart(content, measured);
      // The slider is aligned with the axis above it, so that each year is below its tick.
      const xOf = (year = 0) => `${drawn.current?.xOf(year) ?? 0}px`;
      block.current?.style.setProperty('--from', hasYearAxis(kind) ? xOf(years[0]) : '0px');
      block.current?.style.setProperty('--to', hasYearAxis(kind) ? xOf(years.at(-1)) : NO_AXIS_END);
      return drawn.current.svg;
    },
    [data, kind, isLog, hasOwnScales, onlyYear],
  );
  useEffect(() => drawn.current?.markYear(markedYear), [markedYear, data, kind, width, isLog, hasOwnScales]);
  useEffect(() => {
    const svg = drawn.current?.svg;
    const index = drawnSeries(data, kind).findIndex(({ name }) => name === focusedSeries);
    if (svg !== undefined) focusSeries(svg, index);
  }, [focusedSeries, data, kind, width]);
  return { drawn, block, box, width };
}

/** Whether a chart of this kind has an axis of years. */
export const hasYearAxis = (kind: ChartKind): boolean => kind === 'lines' || kind === 'areas';

/** The end of the slider when there is no axis. The rest is the room for the year beside it. */
const NO_AXIS_END = 'calc(100% - 4rem)';

/** The heights of charts with axes, in pixels. */
export const CHART_HEIGHT_PX = { narrow: 330, wide: 460 };

/** Draws a chart at a width in pixels. */
export function drawChart(
  { data, kind, isLog, hasOwnScales, onlyYear }: ChartContent,
  width: number,
): Drawing {
  const series = drawnSeries(data, kind);
  const colours = colourNumbersByName(seriesInPeriod(data), data.names);
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
  if (onlyYear !== null)
    return drawBars(sortedByValue(series, onlyYear), {
      ...common,
      colour: () => 'var(--s1)',
      year: onlyYear,
      value: (value) => readableText(value, unit),
    });
  if (kind === 'multiples')
    return drawMultiples(series, { ...common, hasOwnScales, blankLabel: CHART_TEXTS.noValues });
  const height = width < NARROW_WIDTH ? CHART_HEIGHT_PX.narrow : CHART_HEIGHT_PX.wide;
  return drawLines(series, { ...common, height, isStacked: kind === 'areas', domain: null, isSmall: false });
}
