// Values of one dimension to choose from, with the rows behind each: searched by typing, chosen with the keyboard alone.

import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { ValueCount } from '../api/shapes.ts';
import { html } from '../html.ts';
import { grouped } from '../model/format.ts';
import { found, plain } from '../model/search.ts';
import { dimensionLabel, valueLabel } from '../texts.ts';

export interface PickerProps {
  readonly dimension: string;
  /** Null until they are known. */
  readonly values: readonly ValueCount[] | null;
  readonly chosen: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
}

/** As many as can be read; the search finds the others. */
const SHOWN = 30;

export function Picker({ dimension, values, chosen, onChange }: PickerProps): VNode {
  const [isOpen, setOpen] = useState(false);
  const [search, setSearch] = useState('');
  const label = dimensionLabel(dimension);
  const summary =
    chosen.length === 0
      ? ''
      : chosen.length === 1
        ? valueLabel(dimension, chosen[0] ?? '')
        : `${chosen.length} chosen`;
  return html`<details class="picker" open=${isOpen} onToggle=${(event: Event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}>
    <summary><span>${label}</span><bdi class="chosen">${summary}</bdi></summary>
    ${isOpen && values !== null && html`<${Choices} ...${{ dimension, values, chosen, onChange, search, setSearch, label }} />`}
    ${isOpen && values === null && html`<p class="quiet">Loading…</p>`}
  </details>`;
}

interface ChoicesProps extends PickerProps {
  readonly values: readonly ValueCount[];
  readonly search: string;
  readonly setSearch: (text: string) => void;
  readonly label: string;
}

function Choices({ dimension, values, chosen, onChange, search, setSearch, label }: ChoicesProps): VNode {
  const counts = new Map(values.map(({ value, row_count }) => [String(value), row_count]));
  const others = [...counts.keys()].filter((value) => !chosen.includes(value));
  const names = (value: string) => valueLabel(dimension, value);
  const matching = found(others, search, names);
  const chosenMatching =
    search === '' ? chosen : chosen.filter((value) => plain(names(value)).includes(plain(search)));
  const shown = [...chosenMatching, ...matching.slice(0, SHOWN)];
  const toggle = (value: string) =>
    onChange(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]);
  return html`<div class="choices">
    ${
      values.length > 8 &&
      html`<input type="search" placeholder="Search" aria-label=${`Search ${label}`} value=${search}
      onInput=${(event: Event) => setSearch((event.currentTarget as HTMLInputElement).value)} />`
    }
    <div class="choices-head"><span>${grouped(values.length)} in all</span><span>rows</span></div>
    <ul role="group" aria-label=${label}>
      ${shown.map(
        (value) => html`<li key=${value}><label class="choice">
          <input type="checkbox" checked=${chosen.includes(value)} onChange=${() => toggle(value)} />
          <bdi>${names(value)}</bdi>
          <span class="count">${counts.has(value) ? grouped(counts.get(value) ?? 0) : '0'}</span>
        </label></li>`,
      )}
    </ul>
    ${matching.length > SHOWN && html`<p class="quiet small">${grouped(matching.length - SHOWN)} more: type to find them.</p>`}
    ${shown.length === 0 && html`<p class="quiet small">Nothing is called that.</p>`}
    ${chosen.length > 0 && html`<button type="button" class="text-button" onClick=${() => onChange([])}>Clear ${label.toLowerCase()}</button>`}
  </div>`;
}
