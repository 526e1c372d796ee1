// The question's filters: a picker for each dimension, and the period.

import type { VNode } from 'preact';
import type { Counted } from '../api/selection.ts';
import type { DatasetFacts } from '../api/shapes.ts';
import { html } from '../html.ts';
import { dimensionNames } from '../model/facts.ts';
import { NO_SPLIT, withFilter } from '../model/question.ts';
import { splits } from '../model/resolve.ts';
import { dimensionLabel } from '../texts.ts';
import { inputValue } from './inputValue.ts';
import { Period } from './period.ts';
import { Picker } from './picker.ts';
import type { WorkspaceProps } from './props.ts';

export interface FiltersProps extends WorkspaceProps {
  readonly dataset: DatasetFacts;
  /** Null until the first answer. */
  readonly counted: Counted | null;
}

export function Filters({ question, go, dataset, counted }: FiltersProps): VNode {
  const possible = splits(dataset);
  // Counts of another dataset do not fit.
  const fitting = counted?.selection.dataset.name === dataset.name ? counted : null;
  const by = question.by || (fitting?.selection.by ?? '');
  return html`<div class="filters">
    ${
      possible.length > 0 &&
      html`<label class="stacked">Split
      <select value=${by} onChange=${(event: Event) => go({ ...question, by: inputValue(event) })}>
        ${possible.map((name) => html`<option value=${name} selected=${name === by}>by ${dimensionLabel(name).toLowerCase()}</option>`)}
        <option value=${NO_SPLIT} selected=${by === NO_SPLIT || by === ''}>everything as one</option>
      </select>
    </label>`
    }
    ${possible.length > 0 && html`<${Period} question=${question} go=${go} counted=${fitting} />`}
    <h2 class="filters-head">Filters</h2>
    ${dimensionNames(dataset)
      .filter((name) => name !== 'year')
      .map(
        (name) => html`<${Picker}
          key=${`${dataset.name} ${name}`}
          dimension=${name}
          values=${fitting?.counts.values[name] ?? null}
          chosen=${question.filters[name] ?? NONE}
          onChange=${(values: readonly string[]) => go(withFilter(question, name, values))}
        />`,
      )}
  </div>`;
}

const NONE: readonly string[] = [];
