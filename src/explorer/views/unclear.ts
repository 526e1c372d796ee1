// What stands in the chart's place when it cannot be drawn yet: the question that must be answered first.

import type { VNode } from 'preact';
import type { Fields } from '../api/client.ts';
import { html } from '../html.ts';
import { CURRENCY, USUAL_CURRENCIES, WHOLE_COUNTRY } from '../model/facts.ts';
import { grouped } from '../model/format.ts';
import { type Question, withFilter } from '../model/question.ts';
import type { Clash as ClashData } from '../model/series.ts';
import { dimensionLabel, valueLabel } from '../texts.ts';
import type { ViewProps } from './props.ts';

const QUESTIONS: Readonly<Record<string, { title: string; why: string }>> = {
  fx: {
    title: 'Which currency?',
    why: 'The same money stands in several currencies. Added up, it would count twice or more.',
  },
  state: {
    title: 'States or whole countries?',
    why: 'A state is part of its country. Added up with it, it would count twice.',
  },
  temporal: {
    title: 'Reported or forecast?',
    why: 'Some years have both a reported value and a forecast. They are two views of one year.',
  },
  calculation: {
    title: 'Which calculation?',
    why: 'The same value stands here by several methods. They are not parts of a sum.',
  },
};

/** How many choices stand as buttons. */
const MOST = 6;

export function Unclear(props: ViewProps & { fields: Fields }): VNode {
  const { fields, shown, go, question } = props;
  const dimensions = Object.keys(fields).filter((name) => QUESTIONS[name] !== undefined);
  if (dimensions.length === 0)
    return html`<div class="notice warning" role="alert"><h2>This cannot be added up</h2>
      <ul>${Object.values(fields)
        .flat()
        .map((text) => html`<li><bdi>${text}</bdi></li>`)}</ul></div>`;
  return html`<div class="notice" role="status">
    ${dimensions.map((dimension) => {
      const values = choices(
        dimension,
        question,
        (shown.counted.counts.values[dimension] ?? []).map(({ value }) => String(value)),
      );
      return html`<section key=${dimension}>
        <h2>${QUESTIONS[dimension]?.title}</h2>
        <p>${QUESTIONS[dimension]?.why}</p>
        <p class="buttons">
          ${values.slice(0, MOST).map(
            (value, i) => html`<button type="button" class=${i === 0 ? 'button' : 'button plain'}
            onClick=${() => go(withFilter(question, dimension, [value]))}><bdi>${valueLabel(dimension, value)}</bdi></button>`,
          )}
          ${dimension === 'state' && html`<button type="button" class="button plain" onClick=${() => go({ ...withFilter(question, 'state', []), by: 'state' })}>States, side by side</button>`}
        </p>
        ${values.length > MOST && html`<p class="quiet small">${grouped(values.length - MOST)} more under ${dimensionLabel(dimension)} in the filters.</p>`}
      </section>`;
    })}
  </div>`;
}

/** What was chosen, else everything; the usual answer first. */
function choices(dimension: string, question: Question, there: readonly string[]): string[] {
  const chosen = question.filters[dimension];
  const values = chosen !== undefined && chosen.length > 1 ? chosen : there;
  const usual = dimension === CURRENCY ? USUAL_CURRENCIES : [WHOLE_COUNTRY, 'Current', 'Reported'];
  const first = usual.filter((value) => values.includes(value));
  return [...first, ...values.filter((value) => !first.includes(value))];
}

export function Clash({ clash, question, go, shown }: ViewProps & { clash: ClashData }): VNode {
  const { differ, name, year } = clash;
  const { by } = shown.counted.selection;
  const what = name === '' ? 'one year' : `${valueLabel(by ?? '', name)} in one year`;
  return html`<div class="notice" role="status">
    <h2>Several values stand for ${what}</h2>
    <p>These values do not add up, and ${year} has more than one of them. Say which one is meant:</p>
    ${Object.entries(differ).map(
      ([
        dimension,
        values,
      ]) => html`<section key=${dimension}><h3>${dimensionLabel(dimension)}</h3><p class="buttons">
        ${values.slice(0, MOST).map((value) => html`<button type="button" class="button plain" onClick=${() => go(withFilter(question, dimension, [value]))}><bdi>${valueLabel(dimension, value)}</bdi></button>`)}
        <button type="button" class="button plain" onClick=${() => go({ ...question, by: dimension })}>Side by side</button>
      </p></section>`,
    )}
  </div>`;
}

export function TooMany({ rows }: { readonly rows: number }): VNode {
  return html`<div class="notice" role="status"><h2>Choose a few countries</h2>
    <p>These values do not add up, and ${grouped(rows)} of them do not fit into one chart. Choose up to twelve countries in the filters, or see all rows in the table.</p></div>`;
}

export function Lookup({ question, go }: ViewProps): VNode {
  return html`<div class="notice" role="status"><h2>There is nothing to draw</h2>
    <p>This dataset says which country lies in which region. It has no numbers.</p>
    <p><button type="button" class="button" onClick=${() => go({ ...question, view: 'table' })}>Show the table</button></p></div>`;
}
