// An empty selection: says so, and offers the filter to drop.

import type { VNode } from 'preact';
import { html } from '../html.ts';
import { grouped } from '../model/format.ts';
import { withFilter } from '../model/question.ts';
import { titleOf } from '../model/summary.ts';
import { dimensionLabel, valueLabel } from '../texts.ts';
import type { ViewProps } from './props.ts';

export function Empty({ shown, question, go }: ViewProps): VNode {
  const { selection, counts } = shown.counted;
  const rowsWithout = (dimension: string) =>
    (counts.values[dimension] ?? []).reduce((sum, { row_count }) => sum + row_count, 0);
  const offers = Object.keys(question.filters)
    .map((dimension) => ({ dimension, rows: rowsWithout(dimension) }))
    .filter(({ rows }) => rows > 0)
    .sort((a, b) => b.rows - a.rows);
  const hasPeriod = (question.from !== null || question.to !== null) && rowsWithout('year') > 0;
  const names = (dimension: string) =>
    (selection.filters[dimension] ?? [])
      .slice(0, 3)
      .map((value) => valueLabel(dimension, value))
      .join(', ');
  return html`<div class="view-part"><h1>${titleOf(selection)}</h1><div class="notice">
    <h2>No rows have all of this together</h2>
    <p>${offers.length > 0 || hasPeriod ? 'Drop one filter:' : 'Dropping any one filter is not enough.'}</p>
    <p class="buttons">
      ${offers.map(
        ({
          dimension,
          rows,
        }) => html`<button type="button" class="button plain" onClick=${() => go(withFilter(question, dimension, []))}>
        Without ${dimensionLabel(dimension).toLowerCase()} <bdi>${names(dimension)}</bdi>: ${grouped(rows)} rows
      </button>`,
      )}
      ${hasPeriod && html`<button type="button" class="button plain" onClick=${() => go({ ...question, from: null, to: null })}>All years: ${grouped(rowsWithout('year'))} rows</button>`}
      <button type="button" class="button plain" onClick=${() => go({ ...question, filters: {}, from: null, to: null })}>Without any filter</button>
    </p>
  </div></div>`;
}
