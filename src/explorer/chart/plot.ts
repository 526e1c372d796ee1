// Observable Plot without the parts that our content security policy forbids. Only the marks named here are bundled.

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

/** The plot as SVG, without its style element, which the content security policy forbids. style.css has its rules. */
export function svgOf(options: PlotOptions): (SVGSVGElement | HTMLElement) & Plot {
  const made = plot({ className: 'plot', ...options });
  made.querySelector('style')?.remove();
  // Groups have no role, so they must not have labels; the whole chart has one.
  for (const part of made.querySelectorAll('[aria-label], [aria-description]')) {
    part.removeAttribute('aria-label');
    part.removeAttribute('aria-description');
  }
  return made;
}
