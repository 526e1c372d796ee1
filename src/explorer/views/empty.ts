// The notice for an empty selection. It offers to remove filters.

import type { VNode } from 'preact';
import { html } from '../html.ts';
import { valueLabel } from '../labels.ts';
import { withFilter } from '../model/question.ts';
import { titleOf } from '../model/summary.ts';
import { EMPTY } from '../texts.ts';
import type { ViewProps } from './props.ts';

export function Empty({ shown, question, go }: ViewProps): VNode {
  const { selection, counts } = shown.counted;
  // The counts are those of the question that was answered. A later question may have been refused.
  const { filters, from, to } = shown.question;
  const rowsWithout = (dimension: string) =>
    (counts.values[dimension] ?? []).reduce((sum, { row_count }) => sum + row_count, 0);
  const offers = Object.keys(filters)
    .map((dimension) => ({ dimension, rows: rowsWithout(dimension) }))
    .filter(({ rows }) => rows > 0)
    .sort((a, b) => b.rows - a.rows);
  const hasPeriod = (from !== null || to !== null) && rowsWithout('year') > 0;
  const names = (dimension: string) =>
    (selection.filters[dimension] ?? [])
      .slice(0, 3)
      .map((value) => valueLabel(dimension, value))
      .join(', ');
  return html`<div class="view-part"><h1>${titleOf(selection)}</h1><div class="notice">
    <h2>${EMPTY.title}</h2>
    <p>${offers.length > 0 || hasPeriod ? EMPTY.drop : EMPTY.notEnough}</p>
    <p class="buttons">
      ${offers.map(
        ({
          dimension,
          rows,
        }) => html`<button type="button" class="button plain" onClick=${() => go(withFilter(shown.question, dimension, []))}>
        <span>${EMPTY.without(dimension)} <bdi>${names(dimension)}</bdi>${EMPTY.rows(rows)}</span>
      </button>`,
      )}
      ${hasPeriod && html`<button type="button" class="button plain" onClick=${() => go({ ...shown.question, from: null, to: null })}>${EMPTY.allYears}${EMPTY.rows(rowsWithout('year'))}</button>`}
      <button type="button" class="button plain" onClick=${() => go({ ...question, filters: {}, from: null, to: null })}>${EMPTY.noFilter}</button>
    </p>
  </div></div>`;
}
