// Adds labels at the ends of lines and layers. Labels that would overlap are moved apart.

import { labelPositions } from '../model/labelPositions.ts';
import type { Series } from '../model/series.ts';
import type { Layout, LineOptions } from './lineLayout.ts';
import { shortenToFit } from './shortenToFit.ts';
import { addText, seriesClass, svgElement } from './svgElements.ts';

/** The least distance between the base lines of two labels, in pixels. */
const LABEL_GAP = 17;

/** The options of a chart with its layout. The labels lie between `top` and `bottom`. */
type LabelOptions = LineOptions & Layout & { readonly top: number };

export interface LineLabel {
  readonly series: Series;
  /** The index of the series in the chart. The CSS class of the label is made from it. */
  readonly index: number;
  /** The vertical position of the end of the line, in pixels. */
  readonly y: number;
}

/** Adds a label with a coloured mark at the end of each line. */
export function addLineLabels(svg: SVGSVGElement, lines: readonly LineLabel[], options: LabelOptions): void {
  const { width, marginRight, labelSize, top, bottom, colour, label } = options;
  const places = lines.map(({ series, y }) => ({ name: series.name, y }));
  const placed = labelPositions(places, top, bottom, LABEL_GAP);
  const x = width - marginRight;
  const texts = shortenToFit(
    lines.map(({ series }) => label(series)),
    marginRight - 12,
    { size: labelSize },
  );
  for (const [i, { series, index }] of lines.entries()) {
    const y = placed.get(series.name);
    if (y === undefined) continue;
    const group = svgElement('g', { class: seriesClass(index) });
    group.append(
      svgElement('rect', { x: x + 4, y: y - 5, width: 4, height: 10, rx: 1, fill: colour(series) }),
    );
    const attributes = { x: x + 12, y, dy: '0.34em', 'font-size': labelSize, fill: 'var(--ink)' };
    addText(group, texts[i] ?? '', { ...attributes, class: 'series-label' });
    svg.append(group);
  }
}
