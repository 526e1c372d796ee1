// A chart and its values, which are shown beside the pointer and below the chart. The keyboard uses a slider of years.

import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { NARROW_WIDTH } from '../chart/lineLayout.ts';
import { type ChartData, listedSeries } from '../model/chartData.ts';
import type { ChartKind } from '../model/question.ts';
import { lastReportedYear, yearsIn } from '../model/series.ts';
import { CHART_TEXTS } from '../texts/chartTexts.ts';
import { CHART_HEIGHT_PX, type ChartContent, hasYearAxis, useDrawnChart } from './drawChart.ts';
import { Readout, readoutText } from './readout.tsx';
import { Tooltip, type TooltipPosition } from './tooltip.tsx';

export interface ChartProps extends ChartContent {
  /** The year whose values are shown; null for the last reported one. Bars show `onlyYear` instead. */
  readonly year: number | null;
  readonly onYear: (year: number) => void;
  readonly summary: string;
  /** The dataset and the snapshot, for the tip. */
  readonly source: string;
}

/** The chart, the tip at the pointer, the slider, and the values of one year. */
export function Chart(props: ChartProps): VNode {
  const { data, kind, year, onYear, summary, onlyYear } = props;
  const [tip, setTip] = useState<TooltipPosition | null>(null);
  const series = listedSeries(data, kind);
  const years = yearsIn(series);
  const currentYear =
    onlyYear ?? years.find((one) => one === year) ?? lastReportedYear(series) ?? years.at(-1) ?? 0;
  const { drawn, block, box, width } = useDrawnChart(props, years, {
    markedYear: year === null && tip === null ? null : currentYear,
    focusedSeries: tip?.name ?? null,
  });
  const close = () => setTip(null);
  /**
   * Shows the values at the pointer, while it moves and at a click. A tap shows them only at its click. If its
   * `pointerdown` showed them, the tip could be under the finger, and the click would close it.
   */
  const point = (event: MouseEvent & { readonly pointerType?: string }) => {
    const found = drawn.current;
    const svg = found?.svg.getBoundingClientRect();
    if (found === null || svg === undefined) return;
    const x = event.clientX - svg.left;
    const y = event.clientY - svg.top;
    if (kind !== 'bars') onYear(found.yearAt(x, y));
    const name = found.seriesNameAt(x, y);
    const isDocked = event.pointerType === 'touch' || width < NARROW_WIDTH;
    setTip(isDocked ? { kind: 'docked', name } : { kind: 'beside', x, y, width, height: svg.height, name });
  };
  /** Shows the values of the year that is chosen with the keyboard on the slider. */
  const showAt = (chosen: number) => {
    // In a narrow chart a tip would cover the slider. The list below the chart shows the same values.
    if (hasYearAxis(kind) && width >= NARROW_WIDTH)
      setTip({
        kind: 'beside',
        x: drawn.current?.xOf(chosen) ?? 0,
        y: 40,
        width,
        height: CHART_HEIGHT_PX.wide,
        name: null,
      });
  };
  return (
    <div class="chart-block" ref={block} onKeyDown={(event) => event.key === 'Escape' && close()}>
      <div class="chart-box">
        <div
          class="chart"
          role="img"
          aria-label={summary}
          ref={box}
          onPointerMove={point}
          onClick={point}
          onPointerLeave={() => tip?.kind === 'beside' && close()}
        ></div>
        {tip !== null && (
          <Tooltip
            data={data}
            kind={kind}
            year={currentYear}
            position={tip}
            source={props.source}
            onClose={close}
          />
        )}
      </div>
      {years.length > 1 && (
        <YearSlider
          data={data}
          kind={kind}
          years={years}
          onYear={onYear}
          showAt={showAt}
          close={close}
          year={currentYear}
        />
      )}
      <Readout data={data} kind={kind} year={currentYear} />
    </div>
  );
}

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
  const change = (chosen: number) => {
    onYear(chosen);
    showAt(chosen);
  };
  return (
    <div class="year-slider">
      <output aria-hidden="true">{year}</output>
      <input
        type="range"
        aria-label={CHART_TEXTS.year}
        min={years[0]}
        max={years.at(-1)}
        value={year}
        aria-valuetext={readoutText(data, kind, year)}
        onInput={(event) => change(Number(event.currentTarget.value))}
        onFocus={(event) => event.currentTarget.matches(':focus-visible') && showAt(year)}
        onBlur={close}
      />
    </div>
  );
}
