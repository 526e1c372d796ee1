// The parts of Observable Plot that charts use. Only the marks that are named here are bundled.

import { type Plot, type PlotOptions, plot } from '@observablehq/plot';

export {
  areaY,
  axisX,
  axisY,
  barX,
  dot,
  gridY,
  line,
  type Markish,
  rect,
  ruleX,
  ruleY,
  text,
} from '@observablehq/plot';

/**
 * Draws a plot as SVG. Its style element is removed, because the content security policy forbids it; style.css has its
 * rules.
 */
export function plotSvg(options: PlotOptions): (SVGSVGElement | HTMLElement) & Plot {
  const made = plot({ className: 'plot', ...options });
  made.querySelector('style')?.remove();
  // ARIA allows no label on an element without a role. The chart as a whole has a label.
  for (const part of made.querySelectorAll('[aria-label], [aria-description]')) {
    part.removeAttribute('aria-label');
    part.removeAttribute('aria-description');
  }
  return made;
}
