// The controls of the question: the dimension of the series, the period, and a filter for each dimension.

import type { VNode } from 'preact';
import type { Answer } from '../api/answerQuestion.ts';
import type { Client } from '../api/client.ts';
import { loadAmalgamatedCountries } from '../api/loadAmalgamatedCountries.ts';
import { canCompareSizes, loadValueSizes, type ValueSizes } from '../api/loadValueSizes.ts';
import type { DatasetFacts } from '../api/responseTypes.ts';
import { bySplit } from '../labels.ts';
import { dimensionNames } from '../model/facts.ts';
import { NO_SPLIT, withFilter } from '../model/question.ts';
import { splitDimensionOf, splitDimensions } from '../model/selection.ts';
import { FILTER_TEXTS } from '../texts/filterTexts.ts';
import { DimensionFilter, type ValuesRequest } from './dimensionFilter.tsx';
import { PeriodControl } from './periodControl.tsx';
import type { WorkspaceProps } from './props.ts';

export interface FiltersProps extends WorkspaceProps {
  readonly dataset: DatasetFacts;
}

/** All controls of a dataset. Before the first answer about it they have no counts. */
export function Filters({ question, go, dataset, openState }: FiltersProps): VNode {
  const possible = splitDimensions(dataset);
  const { client, progress } = openState;
  // Counts of another dataset do not fit, because it has other dimensions.
  const answer = progress.answer?.selection.dataset.name === dataset.name ? progress.answer : null;
  const by = splitDimensionOf(question, dataset) ?? NO_SPLIT;
  return (
    <div class="filters">
      {possible.length > 0 && (
        <label class="stacked">
          {FILTER_TEXTS.split}
          <select value={by} onChange={(event) => go({ ...question, by: event.currentTarget.value })}>
            {possible.map((name) => (
              <option value={name}>{bySplit(name)}</option>
            ))}
            <option value={NO_SPLIT}>{FILTER_TEXTS.asOne}</option>
          </select>
        </label>
      )}
      {possible.length > 0 && (
        <PeriodControl question={question} go={go} selection={answer?.selection ?? null} />
      )}
      <h2 class="filters-head">{FILTER_TEXTS.title}</h2>
      {dimensionNames(dataset)
        .filter((name) => name !== 'year')
        .map((name) => (
          <DimensionFilter
            key={`${dataset.name} ${name}`}
            dimension={name}
            values={answer?.counts.values[name] ?? null}
            chosen={question.filters[name] ?? []}
            sizesRequest={sizesRequest(client, answer, name)}
            listedLastRequest={name === 'country' ? amalgamatedRequest(client, progress.answer) : null}
            onChange={(values) => go(withFilter(question, name, values))}
          />
        ))}
    </div>
  );
}

function sizesRequest(
  { ask }: Client,
  answer: Answer | null,
  dimension: string,
): ValuesRequest<ValueSizes> | null {
  if (answer === null || !canCompareSizes(answer.selection, dimension)) return null;
  const { snapshot } = answer;
  const { filters, metric } = answer.selection;
  return {
    id: JSON.stringify([snapshot, dimension, metric?.name, filters]),
    ask: (signal) => loadValueSizes(dimension, answer, { ask, snapshot, signal }),
  };
}

function amalgamatedRequest({ ask }: Client, answer: Answer | null): ValuesRequest<readonly string[]> | null {
  if (answer === null) return null;
  const { snapshot } = answer;
  return { id: snapshot, ask: (signal) => loadAmalgamatedCountries({ ask, snapshot, signal }) };
}
