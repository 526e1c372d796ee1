// Draws a grid of small charts, one for each series. They share a scale, or each has its own.

import { isWithoutValues, type Series } from '../model/series.ts';
import type { Drawing } from './drawing.ts';
import { type LineOptions, valueRange } from './lineLayout.ts';
import { drawLines } from './lines.ts';
import { shortenToFit } from './shortenToFit.ts';
import { addText, seriesClass, svgElement } from './svgElements.ts';

export interface MultiplesOptions extends Omit<LineOptions, 'height' | 'isSmall' | 'domain' | 'isStacked'> {
  readonly hasOwnScales: boolean;
  /** The text in the chart of a series without values. */
  readonly blankLabel: string;
}

/** The least width of a small chart and the gap beside it, in pixels. Two fit on a phone. */
const LEAST_PANEL = 170;

// In pixels.
const PANEL_HEIGHT = 150;
const TITLE_HEIGHT = 24;
const GAP = 18;
const ROW_HEIGHT = PANEL_HEIGHT + TITLE_HEIGHT + GAP;

const TITLE_WEIGHT = 600;

/** Draws all small charts into one SVG, so that they can be saved as one picture. */
export function drawMultiples(series: readonly Series[], options: MultiplesOptions): Drawing {
  const { width, hasOwnScales, isLog } = options;
  const columns = Math.max(1, Math.min(series.length, Math.floor((width + GAP) / LEAST_PANEL), 4));
  const panelWidth = (width - GAP * (columns - 1)) / columns;
  const rows = Math.ceil(series.length / columns);
  const height = rows * ROW_HEIGHT - GAP;
  const svg = svgElement('svg', {
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    class: 'plot',
  }) as SVGSVGElement;
  const domain = hasOwnScales ? null : valueRange(series, { isStacked: false, isLog });
  const titles = shortenToFit(series.map(options.label), panelWidth, { weight: TITLE_WEIGHT });
  const panels = series.map((one, i): Panel => {
    const x = (i % columns) * (panelWidth + GAP);
    const y = Math.floor(i / columns) * ROW_HEIGHT;
    const size = { width: panelWidth, height: PANEL_HEIGHT };
    const drawn = drawLines([one], { ...options, ...size, isSmall: true, isStacked: false, domain });
    if (isWithoutValues(one)) addBlankLabel(drawn.svg, options.blankLabel);
    const group = svgElement('g', { class: seriesClass(i) });
    addPanel(group, drawn.svg, { x, y, title: titles[i] ?? '' });
    svg.append(group);
    return { drawn, x, y };
  });
  const panelAt = (x: number, y: number) =>
    panels.find(
      (panel) => x >= panel.x - GAP / 2 && x < panel.x + panelWidth + GAP / 2 && y < panel.y + ROW_HEIGHT,
    ) ?? panels[0];
  return {
    svg,
    xOf: (year) => panels[0]?.drawn.xOf(year) ?? 0,
    yearAt(x, y) {
      const panel = panelAt(x, y);
      return panel?.drawn.yearAt(x - panel.x, 0) ?? 0;
    },
    seriesNameAt: (x, y) => panelAt(x, y)?.drawn.seriesNameAt(0, 0) ?? null,
    markYear: (year) => panels.forEach(({ drawn }) => void drawn.markYear(year)),
  };
}

/** A small chart, and its place in the grid. */
interface Panel {
  readonly drawn: Drawing;
  readonly x: number;
  readonly y: number;
}

function addBlankLabel(svg: SVGSVGElement, label: string): void {
  addText(svg, label, { x: 28, y: PANEL_HEIGHT / 2, 'font-size': 12, fill: 'var(--quiet)' });
}

interface TitledPlace {
  readonly x: number;
  readonly y: number;
  readonly title: string;
}

/** Adds a chart at its place, below its title. */
function addPanel(group: SVGElement, chart: SVGSVGElement, { x, y, title }: TitledPlace): void {
  const style = { 'font-size': 13, 'font-weight': TITLE_WEIGHT, fill: 'var(--ink)', class: 'series-label' };
  addText(group, title, { x, y: y + 14, ...style });
  chart.setAttribute('x', String(x));
  chart.setAttribute('y', String(y + TITLE_HEIGHT));
  group.append(chart);
}
