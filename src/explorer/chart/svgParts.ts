// Parts that are added to a drawn plot: texts, and the mark of the year that is read out.

import { element } from './element.ts';

type Attributes = Readonly<Record<string, string | number>>;

/** Begins at `x`, unlike the texts of Plot, which are centred. */
export function addText(svg: SVGElement, content: string, attributes: Attributes): SVGElement {
  const text = element('text', { 'text-anchor': 'start', ...attributes });
  text.textContent = content;
  svg.append(text);
  return text;
}

interface MarkedPoint {
  readonly y: number;
  readonly colour: string;
}

/** An upright line at `x` with a dot on each series. Replaces the mark before; null only removes it. */
export function markYear(
  svg: SVGElement,
  x: number | null,
  { top, bottom }: { readonly top: number; readonly bottom: number },
  points: readonly MarkedPoint[],
): void {
  svg.querySelector('.year-mark')?.remove();
  if (x === null) return;
  const mark = element('g', { class: 'year-mark' });
  mark.append(
    element('line', { x1: x, x2: x, y1: top, y2: bottom, stroke: 'var(--ink)', 'stroke-opacity': 0.45 }),
  );
  for (const { y, colour } of points)
    mark.append(
      element('circle', { cx: x, cy: y, r: 4, fill: colour, stroke: 'var(--paper)', 'stroke-width': 1.5 }),
    );
  svg.append(mark);
}

/** Mutes every series but one; null mutes none. */
export function focusSeries(svg: SVGElement, focused: string | null): void {
  // A small chart belongs to its series as a whole, so the parts within it are left alone.
  for (const part of svg.querySelectorAll('[class*="of-series-"]:not([class*="of-series-"] *)'))
    part.classList.toggle('is-muted', focused !== null && !part.classList.contains(focused));
}
