// The controls of the question: the dimension of the series, the period, and a filter for each dimension.

import type { VNode } from 'preact';
import { loadAmalgamatedCountries } from '../api/loadAmalgamatedCountries.ts';
import type { CountedSelection } from '../api/loadCountedSelection.ts';
import { canCompareSizes, loadValueSizes, type ValueSizes } from '../api/loadValueSizes.ts';
import type { DatasetFacts } from '../api/responseTypes.ts';
import { html } from '../htmTemplate.ts';
import { bySplit } from '../labels.ts';
import { dimensionNames } from '../model/facts.ts';
import { NO_SPLIT, withFilter } from '../model/question.ts';
import { splitDimensionOf, splitDimensions } from '../model/selection.ts';
import type { OpenState } from '../stateStore.ts';
import { FILTER_TEXTS } from '../texts/filterTexts.ts';
import { DimensionFilter, type ValuesRequest } from './dimensionFilter.ts';
import { inputValue } from './inputValue.ts';
import { PeriodControl } from './periodControl.ts';
import type { WorkspaceProps } from './props.ts';

export interface FiltersProps extends WorkspaceProps {
  readonly dataset: DatasetFacts;
  /** The counts beside the values; null until the first answer. */
  readonly counted: CountedSelection | null;
}

/** All controls of a dataset. Before the first answer they have no counts. */
export function Filters({ question, go, dataset, counted, openState }: FiltersProps): VNode {
  const possible = splitDimensions(dataset);
  // Counts of another dataset do not fit, because it has other dimensions.
  const countedOfDataset = counted?.selection.dataset.name === dataset.name ? counted : null;
  const by = splitDimensionOf(question, dataset) ?? NO_SPLIT;
  return html`<div class="filters">
    ${
      possible.length > 0 &&
      html`<label class="stacked">${FILTER_TEXTS.split}
      <select value=${by} onChange=${(event: Event) => go({ ...question, by: inputValue(event) })}>
        ${possible.map((name) => html`<option value=${name} selected=${name === by}>${bySplit(name)}</option>`)}
        <option value=${NO_SPLIT} selected=${by === NO_SPLIT}>${FILTER_TEXTS.asOne}</option>
      </select>
    </label>`
    }
    ${possible.length > 0 && html`<${PeriodControl} question=${question} go=${go} counted=${countedOfDataset} />`}
    <h2 class="filters-head">${FILTER_TEXTS.title}</h2>
    ${dimensionNames(dataset)
      .filter((name) => name !== 'year')
      .map(
        (name) => html`<${DimensionFilter}
          key=${`${dataset.name} ${name}`}
          dimension=${name}
          values=${countedOfDataset?.counts.values[name] ?? null}
          chosen=${question.filters[name] ?? NONE}
          sizesRequest=${sizesRequest(openState, countedOfDataset, name)}
          listedLastRequest=${name === 'country' ? amalgamatedRequest(openState) : null}
          onChange=${(values: readonly string[]) => go(withFilter(question, name, values))}
        />`,
      )}
  </div>`;
}

const NONE: readonly string[] = [];

function sizesRequest(
  { client, work }: OpenState,
  counted: CountedSelection | null,
  dimension: string,
): ValuesRequest<ValueSizes> | null {
  const { shown } = work;
  if (shown === null || counted === null || !canCompareSizes(counted, dimension)) return null;
  const { snapshot, chart } = shown;
  const { filters, metric } = counted.selection;
  return {
    id: JSON.stringify([snapshot, dimension, metric?.name, filters]),
    ask: (signal) => loadValueSizes(dimension, counted, chart, { ask: client.ask, snapshot, signal }),
  };
}

function amalgamatedRequest({ client, work }: OpenState): ValuesRequest<readonly string[]> | null {
  const { shown } = work;
  if (shown === null) return null;
  const { snapshot } = shown;
  return { id: snapshot, ask: (signal) => loadAmalgamatedCountries({ ask: client.ask, snapshot, signal }) };
}
