// Makes SVG elements, adds texts and the mark of a year to a drawn chart, and mutes series.

export type Attributes = Readonly<Record<string, string | number>>;

/** Makes an SVG element. */
export function svgElement(name: string, attributes: Attributes): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

/** Adds a text that begins at `x`. Without `text-anchor`, an SVG of Plot would centre it there. */
export function addText(svg: SVGElement, content: string, attributes: Attributes): SVGElement {
  const text = svgElement('text', { 'text-anchor': 'start', ...attributes });
  text.textContent = content;
  svg.append(text);
  return text;
}

interface MarkedPoint {
  readonly y: number;
  readonly colour: string;
}

/**
 * Removes the vertical line of an earlier call, and draws one at `x`, with a dot on each series. With null, it draws
 * none.
 */
export function markYear(
  svg: SVGElement,
  x: number | null,
  { top, bottom }: { readonly top: number; readonly bottom: number },
  points: readonly MarkedPoint[],
): void {
  svg.querySelector('.year-mark')?.remove();
  if (x === null) return;
  const mark = svgElement('g', { class: 'year-mark' });
  mark.append(
    svgElement('line', { x1: x, x2: x, y1: top, y2: bottom, stroke: 'var(--ink)', 'stroke-opacity': 0.45 }),
  );
  for (const { y, colour } of points)
    mark.append(
      svgElement('circle', { cx: x, cy: y, r: 4, fill: colour, stroke: 'var(--paper)', 'stroke-width': 1.5 }),
    );
  svg.append(mark);
}

/** The class of all elements that belong to one series, so that the other series can be muted. */
export const seriesClass = (index: number): string => `of-series-${index}`;

/** Mutes all series except the one with this index. With a negative index it mutes none. */
export function focusSeries(svg: SVGElement, index: number): void {
  // A small chart is muted as a whole, so elements inside it are skipped.
  for (const part of svg.querySelectorAll('[class*="of-series-"]:not([class*="of-series-"] *)'))
    part.classList.toggle('is-muted', index >= 0 && !part.classList.contains(seriesClass(index)));
}
