// A line chart of the sums of two snapshots, the older one in grey.

import type { VNode } from 'preact';
import type { ComparedLines } from '../api/comparison.ts';
import { drawLines } from '../chart/lines.ts';
import { html } from '../html.ts';
import { readable, type Unit } from '../model/format.ts';
import { lastReported, valueAt } from '../model/series.ts';
import { unitText } from '../model/summary.ts';
import { CHART_NOTES } from '../texts.ts';
import { useDrawing } from './useDrawing.ts';

interface CompareChartProps {
  readonly lines: ComparedLines;
  readonly since: string;
  readonly until: string;
}

export function CompareChart({ lines, since, until }: CompareChartProps): VNode {
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
  return html`<div><div class="chart" role="img" aria-label=${sentence(lines, since, until)} ref=${box}></div><p class="summary">${sentence(lines, since, until)}</p></div>`;
}

function sentence({ before, after, unit }: ComparedLines, since: string, until: string): string {
  const year = lastReported([before]) ?? after.points.at(-1)?.year ?? 0;
  const [older, newer] = [valueAt(before, year), valueAt(after, year)];
  const say = (value: number | null, one: Unit) => (value === null ? 'no value' : readable(value, one));
  const difference =
    older === null || newer === null ? '' : `, a difference of ${readable(newer - older, unit)}`;
  return `Line chart of both snapshots, ${after.points[0]?.year}–${after.points.at(-1)?.year}: ${say(older, unit)} in ${year} by ${since}, ${say(newer, unit)} by ${until}${difference}.`;
}
