// Shows the text of a finding in lines, as terminals do.

import { type Html, html } from '../../../src/text/html.ts';
import type { FindingInLines } from '../../guards/finding.ts';
import { withNonBreakingNumbers } from './nonBreakingNumbers.ts';

/**
 * What happened, and below it a list of the shares and examples.
 *
 * @param note What follows the first line, such as a link.
 */
export function findingText(
  { lines: [first = '', ...others] }: FindingInLines,
  note: Html | null = null,
): Html {
  const list =
    others.length === 0
      ? null
      : html`<ul class="lines">${others.map((line) => html`<li>${withNonBreakingNumbers(line)}</li>`)}</ul>`;
  return html`${withNonBreakingNumbers(first)}${note}${list}`;
}
