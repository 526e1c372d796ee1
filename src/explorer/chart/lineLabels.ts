// Adds labels at the ends of lines and layers. Labels that would overlap are moved apart.

import { dodge } from '../model/dodge.ts';
import type { Series } from '../model/series.ts';
import { LABEL_SIZE, type Layout, type LineOptions } from './lineLayout.ts';
import { addText, element, seriesClass } from './svgParts.ts';
import { textWidth } from './textWidth.ts';

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
export function addLabels(svg: SVGSVGElement, lines: readonly LineLabel[], options: LabelOptions): void {
  const { width, marginRight, labelSize, top, bottom, colour, label } = options;
  const places = lines.map(({ series, y }) => ({ name: series.name, y }));
  const placed = dodge(places, top, bottom, LABEL_GAP);
  const x = width - marginRight;
  for (const { series, index } of lines) {
    const y = placed.get(series.name);
    if (y === undefined) continue;
    const group = element('g', { class: seriesClass(index) });
    group.append(element('rect', { x: x + 4, y: y - 5, width: 4, height: 10, rx: 1, fill: colour(series) }));
    const text = cut(label(series), marginRight - 12, labelSize);
    const attributes = { x: x + 12, y, dy: '0.34em', 'font-size': labelSize, fill: 'var(--ink)' };
    addText(group, text, { ...attributes, class: 'series-label' });
    svg.append(group);
  }
}

/** The text. If it is too wide, it is cut and ends in an ellipsis. */
export function cut(text: string, width: number, size = LABEL_SIZE): string {
  if (textWidth(text, size) <= width) return text;
  // It is cut between code points, because half of a surrogate pair is not a character.
  const characters = [...text];
  const start = () => `${characters.join('').trimEnd()}…`;
  while (characters.length > 1 && textWidth(start(), size) > width) characters.pop();
  return start();
}
