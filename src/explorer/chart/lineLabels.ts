// Labels at the ends of lines and layers, moved apart where they would overlap.

import { dodge } from '../model/dodge.ts';
import type { Series } from '../model/series.ts';
import { element } from './element.ts';
import { textWidth } from './textWidth.ts';

/** In pixels. */
export const LABEL_SIZE = 13;

export interface LabelOptions {
  readonly width: number;
  readonly isStacked: boolean;
  readonly colour: (series: Series) => string;
  readonly label: (series: Series) => string;
  readonly marginRight: number;
  readonly labelSize: number;
  readonly yOf: (value: number) => number;
  readonly top: number;
  readonly bottom: number;
}

/** Ink text with a coloured mark at the end of each line. */
export function addLabels(svg: SVGSVGElement, series: readonly Series[], options: LabelOptions): void {
  const { width, marginRight, labelSize, yOf, top, bottom, isStacked, colour, label } = options;
  const ends = isStacked
    ? stackMiddles(series)
    : series.map((one) => one.points.findLast(({ value }) => value !== null)?.value);
  const labels = series.flatMap((one, i) => {
    const end = ends[i];
    return end === undefined || end === null ? [] : [{ name: one.name, y: yOf(end) }];
  });
  const placed = dodge(labels, top, bottom, 17);
  const x = width - marginRight;
  for (const one of series) {
    const y = placed.get(one.name);
    if (y === undefined) continue;
    const mark = element('rect', { x: x + 4, y: y - 5, width: 4, height: 10, rx: 1, fill: colour(one) });
    const text = element('text', {
      x: x + 12,
      y,
      dy: '0.34em',
      'font-size': labelSize,
      'text-anchor': 'start',
      fill: 'var(--ink)',
    });
    text.textContent = cut(label(one), marginRight - 12, labelSize);
    text.setAttribute('class', 'series-label');
    svg.append(mark, text);
  }
}

/** Where the middle of each layer is in the last year. */
function stackMiddles(series: readonly Series[]): number[] {
  let top = 0;
  return series
    .toReversed()
    .map(({ points }) => {
      const value = points.at(-1)?.value ?? 0;
      top += value;
      return top - value / 2;
    })
    .toReversed();
}

/** The text, cut with an ellipsis where it is too wide. */
export function cut(text: string, width: number, size = LABEL_SIZE): string {
  if (textWidth(text, size) <= width) return text;
  let end = text.length;
  while (end > 1 && textWidth(`${text.slice(0, end)}…`, size) > width) end--;
  return `${text.slice(0, end).trimEnd()}…`;
}
