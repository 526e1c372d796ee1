// Draws a relative change as a bar that begins in the middle: to the right for more, to the left for less.

import { type Html, html } from '../../../src/text/html.ts';
import { px } from './scale.ts';

/**
 * The bar of a change. Screen readers skip it, because the number is in the next cell.
 *
 * @param most The largest relative change in the table, which has the longest bar.
 */
export function changeBar(relative: number | null, most: number): Html {
  const length =
    relative === null || most === 0 ? 0 : Math.max(2, Math.min(1, Math.abs(relative) / most) * 48);
  const left = (relative ?? 0) < 0 ? 50 - length : 50;
  return html`<svg viewBox="0 0 100 10" aria-hidden="true"><line class="axis" x1="50" x2="50" y1="0" y2="10"/>${length === 0 ? null : html`<rect class="bar${(relative ?? 0) < 0 ? ' down' : ''}" x="${px(left)}" y="2" width="${px(length)}" height="6"/>`}</svg>`;
}
