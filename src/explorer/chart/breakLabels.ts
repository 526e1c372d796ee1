// Adds a label beside the line of each break in coverage. Labels that would overlap are put into further rows.

import type { Layout, LineOptions } from './lineLayout.ts';
import { addText } from './svgElements.ts';
import { textWidth } from './textWidth.ts';

/** The area of the chart, in pixels. */
interface Frame {
  readonly xOf: (year: number) => number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
}

// In pixels.
const SIZE = 12;
const GAP = 6;
const ROW_HEIGHT = 17;

/** Adds the labels. Each is to the left of its line if there is room, and otherwise to the right. */
export function addBreakLabels(
  svg: SVGElement,
  { breaks, breakLabel, isNarrow }: Pick<LineOptions, 'breaks' | 'breakLabel'> & Pick<Layout, 'isNarrow'>,
  { xOf, left, right, top }: Frame,
): void {
  const rules = breaks.map(({ year }) => xOf(year));
  const rows: { from: number; to: number }[][] = [];
  breaks.forEach((one, i) => {
    const label = breakLabel(one, isNarrow);
    const ruleX = rules[i] ?? left;
    const size = textWidth(label, SIZE);
    const isLeft = ruleX - GAP - size >= left;
    const from = isLeft ? ruleX - GAP - size : Math.min(ruleX + GAP, right - size);
    const to = from + size;
    // Labels in the same row must not touch.
    const isFree = (row: readonly { from: number; to: number }[]) =>
      row.every((other) => to + GAP < other.from || from - GAP > other.to);
    const found = rows.findIndex(isFree);
    const row = found < 0 ? rows.push([]) - 1 : found;
    rows[row]?.push({ from, to });
    addText(svg, label, {
      class: 'break-label',
      x: from,
      y: top + 12 + row * ROW_HEIGHT,
      'font-size': SIZE,
      fill: 'var(--quiet)',
      stroke: 'var(--paper)',
      'stroke-width': 4,
      'stroke-linejoin': 'round',
      'paint-order': 'stroke',
    });
  });
}
