// A line chart of the sums of two snapshots. The older one is grey.

import type { VNode } from 'preact';
import type { ComparedLines } from '../api/compareSnapshots.ts';
import { drawLines } from '../chart/lines.ts';
import { inSentence } from '../labels.ts';
import { readableText, withNonBreakingNumbers, yearsText } from '../model/numberFormats.ts';
import { lastReportedYear, valueAt } from '../model/series.ts';
import { unitInSentence, unitText } from '../model/summary.ts';
import { CHART_NOTES, READOUT } from '../texts/chartTexts.ts';
import { COMPARE, differenceText } from '../texts/viewTexts.ts';
import { useDrawing } from './useDrawing.ts';

interface CompareChartProps {
  readonly lines: ComparedLines;
  /** The title of the selection, with its filters. */
  readonly title: string;
  readonly since: string;
  readonly until: string;
}

/** The chart with its sentence, which screen readers read in its place. */
export function CompareChart(props: CompareChartProps): VNode {
  const { lines, since, until } = props;
  const summary = sentence(props);
  const draw = (width: number) =>
    drawLines([lines.after, lines.before], {
      width,
      height: 300,
      isStacked: false,
      isLog: false,
      isSmall: false,
      breaks: [],
      unit: unitText(lines.unit),
      colour: (one) => (one === lines.after ? 'var(--s1)' : 'var(--grey)'),
      label: (one) => (one === lines.after ? until : since),
      breakLabel: () => '',
      forecastLabel: CHART_NOTES.forecast,
      domain: null,
    }).svg;
  const { box } = useDrawing(draw, [lines]);
  return (
    <div>
      <div class="chart" role="img" aria-label={summary} ref={box}></div>
      <p class="summary">{withNonBreakingNumbers(summary)}</p>
    </div>
  );
}

function sentence({ lines: { before, after, unit }, title, since, until }: CompareChartProps): string {
  const year = lastReportedYear([before]) ?? after.points.at(-1)?.year ?? 0;
  const [older, newer] = [valueAt(before, year), valueAt(after, year)];
  const textOf = (value: number | null) =>
    value === null ? READOUT.noValueSpoken : readableText(value, unit);
  const size = older === null || newer === null ? null : newer - older;
  return COMPARE.summary({
    title: inSentence(title),
    unit: unitInSentence(unit),
    years: yearsText(after.points[0]?.year ?? year, after.points.at(-1)?.year ?? year),
    year,
    since,
    until,
    older: textOf(older),
    newer: textOf(newer),
    difference: size === null ? null : differenceText(size, textOf(Math.abs(size))),
  });
}
