// What is wrong and what to do about it: troubles with a countdown, and what an address names in vain.

import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { html } from '../html.ts';
import { type Question, withFilter } from '../model/question.ts';
import type { Mistake } from '../model/resolve.ts';
import type { Store, Trouble } from '../store.ts';
import { AWAY, datasetLabel, dimensionLabel, metricLabel, valueLabel } from '../texts.ts';
import type { Go } from './props.ts';

interface NoticeProps {
  readonly trouble: Trouble;
  readonly question: Question;
  readonly store: Store;
  readonly go: Go;
}

export function TroubleNotice({ trouble, question, store, go }: NoticeProps): VNode {
  switch (trouble.kind) {
    case 'limited':
    case 'away':
      return html`<div class="notice warning" role="alert">
        <h2>${AWAY[trouble.kind].title}</h2>
        <p>${AWAY[trouble.kind].said} <${Countdown} untilMs=${trouble.untilMs} /></p>
        <button type="button" class="button plain" onClick=${store.retry}>Ask now</button>
      </div>`;
    case 'unknown snapshot':
      return html`<div class="notice warning" role="alert">
        <h2>The data of <bdi>${trouble.name}</bdi> is not here any more</h2>
        <p>No snapshot of that name is retained. The numbers of another one may differ.</p>
        <button type="button" class="button" onClick=${() => go({ ...question, asOf: '' })}>Use the current data</button>
      </div>`;
    case 'unknown dataset':
      return html`<div class="notice warning" role="alert">
        <h2>There is no dataset <bdi>“${trouble.name}”</bdi></h2>
        <p>Choose one:</p>
        <p class="buttons">${trouble.known.map(
          (name) =>
            html`<button type="button" class="button plain" onClick=${() => go({ ...question, dataset: name })}>${datasetLabel(name)}</button>`,
        )}</p>
      </div>`;
    case 'unknown values':
      return html`<${UnknownValues} fields=${trouble.fields} question=${question} go=${go} />`;
    case 'refused':
      return html`<div class="notice warning" role="alert">
        <h2>The service cannot answer this</h2>
        <p><bdi>${trouble.error}</bdi></p>
      </div>`;
  }
}

/** Counts down by itself; screen readers hear the sentence once, not every second. */
export function Countdown({ untilMs }: { readonly untilMs: number }): VNode {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [untilMs]);
  const seconds = Math.max(0, Math.ceil((untilMs - now) / 1000));
  return html`<span class="countdown" aria-live="off">${seconds === 0 ? 'Now…' : `In ${seconds} s.`}</span>`;
}

interface UnknownValuesProps {
  readonly fields: Readonly<Record<string, readonly string[]>>;
  readonly question: Question;
  readonly go: Go;
}

function UnknownValues({ fields, question, go }: UnknownValuesProps): VNode {
  const all = Object.entries(fields).flatMap(([dimension, problems]) =>
    problems.map((problem) => ({ dimension, ...readProblem(problem) })),
  );
  const without = all.reduce((rest, { dimension, value }) => drop(rest, dimension, value), question);
  return html`<div class="notice warning" role="alert">
    <h2>${all.length === 1 ? 'One value does not exist' : `${all.length} values do not exist`}</h2>
    <ul class="plain-list">${all.slice(0, 10).map(
      ({ dimension, value, meant, text }) => html`<li>
        ${value === null ? html`<bdi>${text}</bdi>` : html`${dimensionLabel(dimension)} has no <bdi>“${value}”</bdi>.`}
        ${meant !== null && value !== null && html` Did you mean <button type="button" class="text-button" onClick=${() => go(swap(question, dimension, value, meant))}><bdi>${valueLabel(dimension, meant)}</bdi></button>?`}
      </li>`,
    )}</ul>
    ${all.length > 10 && html`<p>And ${all.length - 10} more.</p>`}
    <p><button type="button" class="button plain" onClick=${() => go(without)}>Go on without ${all.length === 1 ? 'it' : 'them'}</button></p>
  </div>`;
}

/** `Unknown value "Maltta"; did you mean "Malta"?` (docs/api.md, Strict values). */
function readProblem(text: string): { text: string; value: string | null; meant: string | null } {
  const [, value = null, meant = null] =
    /^Unknown value "(.*?)"(?:; did you mean "(.*)"\?)?$/s.exec(text) ?? [];
  return { text, value, meant };
}

const drop = (question: Question, dimension: string, value: string | null): Question =>
  withFilter(
    question,
    dimension,
    (question.filters[dimension] ?? []).filter((one) => value !== null && one !== value),
  );

function swap(question: Question, dimension: string, value: string, meant: string): Question {
  const values = (question.filters[dimension] ?? []).map((one) => (one === value ? meant : one));
  return withFilter(question, dimension, [...new Set(values)]);
}

export function Mistakes({
  mistakes,
  ignored,
}: {
  mistakes: readonly Mistake[];
  ignored: readonly string[];
}): VNode | null {
  if (mistakes.length === 0 && ignored.length === 0) return null;
  return html`<div class="notice" role="status">
    <p>This link says more than the data can answer. Left out:</p>
    <ul>${mistakes.slice(0, 8).map((mistake) => html`<li>${mistakeText(mistake)}</li>`)}
      ${ignored.slice(0, 8).map((pair) => html`<li><bdi>${pair}</bdi></li>`)}</ul>
    ${mistakes.length + ignored.length > 16 && html`<p>And more.</p>`}
  </div>`;
}

function mistakeText({ kind, name, known }: Mistake): VNode {
  const names = known.map((one) => (kind === 'metric' ? metricLabel(one) : dimensionLabel(one))).join(', ');
  const what = { dataset: 'dataset', metric: 'metric', dimension: 'filter', split: 'split by' }[kind];
  return html`<span>the ${what} <bdi>“${name}”</bdi>${names === '' ? '' : `. There are: ${names}`}</span>`;
}
