// The notice for an empty selection. It offers to remove filters.

import type { VNode } from 'preact';
import { valueLabel } from '../labels.ts';
import { type Question, withFilter } from '../model/question.ts';
import { addsDefaultFilters } from '../model/selection.ts';
import { titleInView } from '../model/summary.ts';
import { EMPTY } from '../texts/filterTexts.ts';
import { Button } from './button.tsx';
import type { ViewProps } from './props.ts';

/**
 * Offers to remove each filter without which there are rows, with their number. For a dataset without any rows, it says
 * only that there are none.
 */
export function EmptyNotice({ answer, openState, question, go }: ViewProps): VNode {
  const { selection, counts } = answer;
  const { dataset } = selection;
  const snapshot = openState.facts.snapshots.find(({ id }) => id === answer.snapshot);
  const title = titleInView(answer.question.view, selection);
  if (snapshot?.datasets[dataset.name]?.row_count === 0)
    return (
      <div class="view-part">
        <h1>{title}</h1>
        <div class="notice">
          <h2>{EMPTY.noneAtAll(dataset.name)}</h2>
        </div>
      </div>
    );
  // The counts are those of the question that was answered. A later question may have been refused.
  const { filters, firstYear, lastYear } = answer.question;
  const rowsWithout = (dimension: string) =>
    (counts.values[dimension] ?? []).reduce((sum, { row_count }) => sum + row_count, 0);
  const offers = Object.keys(filters)
    .map((dimension) => ({
      dimension,
      rows: rowsWithout(dimension),
      next: withFilter(answer.question, dimension, []),
    }))
    .filter(({ rows }) => rows > 0)
    .sort((a, b) => b.rows - a.rows);
  const hasPeriod = (firstYear !== null || lastYear !== null) && rowsWithout('year') > 0;
  const allYears = { ...answer.question, firstYear: null, lastYear: null };
  const size = (rows: number, next: Question) => EMPTY.rows(rows, addsDefaultFilters(next, selection));
  const names = (dimension: string) =>
    (selection.filters[dimension] ?? [])
      .slice(0, 3)
      .map((value) => valueLabel(dimension, value))
      .join(', ');
  return (
    <div class="view-part">
      <h1>{title}</h1>
      <div class="notice">
        <h2>{EMPTY.title}</h2>
        <p>{offers.length > 0 || hasPeriod ? EMPTY.drop : EMPTY.notEnough}</p>
        <p class="buttons">
          {offers.map(({ dimension, rows, next }) => (
            <Button look="plain" onClick={() => go(next)}>
              <span>
                {EMPTY.without(dimension)} <bdi>{names(dimension)}</bdi>
                {size(rows, next)}
              </span>
            </Button>
          ))}
          {hasPeriod && (
            <Button look="plain" onClick={() => go(allYears)}>
              {EMPTY.allYears}
              {size(rowsWithout('year'), allYears)}
            </Button>
          )}
          <Button
            look="plain"
            onClick={() => go({ ...question, filters: {}, firstYear: null, lastYear: null })}
          >
            {EMPTY.noFilter}
          </Button>
        </p>
      </div>
    </div>
  );
}
