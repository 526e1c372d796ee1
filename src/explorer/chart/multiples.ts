// Draws one small chart for each series, in a grid: with one scale for all, or a scale for each.

import type { Series } from '../model/series.ts';
import { element } from './element.ts';
import { cut } from './lineLabels.ts';
import { type Drawn, domainOf, drawLines, type LineOptions } from './lines.ts';

export interface MultiplesOptions extends Omit<LineOptions, 'height' | 'isSmall' | 'domain' | 'isStacked'> {
  readonly hasOwnScales: boolean;
}

const PANEL_HEIGHT = 150;
const TITLE_HEIGHT = 24;
const GAP = 18;

/** One SVG holds all of them, so that it can be saved as one picture. */
export function drawMultiples(series: readonly Series[], options: MultiplesOptions): Drawn {
  const { width, hasOwnScales, isLog } = options;
  const columns = Math.max(1, Math.min(series.length, Math.floor(width / 230), 4));
  const panelWidth = (width - GAP * (columns - 1)) / columns;
  const rows = Math.ceil(series.length / columns);
  const height = rows * (PANEL_HEIGHT + TITLE_HEIGHT + GAP) - GAP;
  const svg = element('svg', {
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    class: 'plot',
  }) as SVGSVGElement;
  const values = series.flatMap(({ points }) =>
    points.flatMap(({ value }) => (value === null ? [] : [value])),
  );
  const domain = hasOwnScales ? null : domainOf(series, values, false, isLog);
  let panel: Drawn | null = null;
  series.forEach((one, i) => {
    const x = (i % columns) * (panelWidth + GAP);
    const y = Math.floor(i / columns) * (PANEL_HEIGHT + TITLE_HEIGHT + GAP);
    const title = element('text', { x, y: y + 14, 'font-size': 13, 'font-weight': 600, fill: 'var(--ink)' });
    title.textContent = cut(options.label(one), panelWidth);
    title.setAttribute('class', 'series-label');
    panel = drawLines([one], {
      ...options,
      width: panelWidth,
      height: PANEL_HEIGHT,
      isSmall: true,
      isStacked: false,
      domain,
    });
    panel.svg.setAttribute('x', String(x));
    panel.svg.setAttribute('y', String(y + TITLE_HEIGHT));
    svg.append(title, panel.svg);
  });
  const inner = panel as Drawn | null;
  return {
    svg,
    xOf: (year) => inner?.xOf(year) ?? Number.NaN,
    yearAt: (x) => inner?.yearAt(x % (panelWidth + GAP)) ?? 0,
  };
}
