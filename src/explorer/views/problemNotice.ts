// Notices that say what is wrong and what to do: for failures, and for names in an address that do not exist.

import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Trouble } from '../api/trouble.ts';
import { html } from '../htmTemplate.ts';
import { datasetLabel, dimensionLabel, metricLabel, valueLabel } from '../labels.ts';
import { type Question, withFilter } from '../model/question.ts';
import type { UnknownName } from '../model/selection.ts';
import { AWAY, NOTICES, SNAPSHOT_GONE } from '../texts/pageTexts.ts';
import type { Go } from './props.ts';
import { SnapshotGone } from './snapshotGone.ts';

interface NoticeProps {
  readonly trouble: Trouble;
  readonly question: Question;
  /** Asks again at once. */
  readonly retry: () => void;
  readonly go: Go;
  /** The ids of the retained snapshots. The current one is first. */
  readonly snapshots: readonly string[];
  /** Whether the previous answer is shown below. */
  readonly hasOldAnswer: boolean;
}

/** The notice for each kind of trouble, with what a person can do about it. */
export function TroubleNotice({ trouble, question, retry, go, snapshots, hasOldAnswer }: NoticeProps): VNode {
  switch (trouble.kind) {
    case 'limited':
    case 'away':
      return html`<div class="notice warning" role="alert">
        <h2>${AWAY[trouble.kind].title}</h2>
        <p>${AWAY[trouble.kind].text} <${Countdown} untilMs=${trouble.untilMs} /></p>
        ${hasOldAnswer && html`<p>${AWAY.below}</p>`}
        <button type="button" class="button plain" onClick=${retry}>${NOTICES.askNow}</button>
      </div>`;
    case 'unknown snapshot': {
      const others = snapshots.filter((id) => id !== trouble.name);
      return html`<${SnapshotGone} name=${trouble.name} choices=${others} first=${SNAPSHOT_GONE.useCurrent} hasOldAnswer=${hasOldAnswer}
        onChoose=${(id: string) => go({ ...question, asOf: id === others[0] ? '' : id })} />`;
    }
    case 'unknown dataset':
      return html`<div class="notice warning" role="alert">
        <h2>${NOTICES.noDataset} <bdi>“${trouble.name}”</bdi></h2>
        <p>${NOTICES.chooseOne}</p>
        <p class="buttons">${trouble.known.map(
          (name) =>
            html`<button type="button" class="button plain" onClick=${() => go({ ...question, dataset: name })}>${datasetLabel(name)}</button>`,
        )}</p>
      </div>`;
    case 'unknown values':
      return html`<${UnknownValues} fields=${trouble.fields} question=${question} go=${go} />`;
    case 'refused':
      return html`<div class="notice warning" role="alert">
        <h2>${NOTICES.refused}</h2>
        <p><bdi>${trouble.error}</bdi></p>
      </div>`;
  }
}

/** Counts down the seconds. Screen readers read it only once, not every second. */
function Countdown({ untilMs }: { readonly untilMs: number }): VNode {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [untilMs]);
  const seconds = Math.max(0, Math.ceil((untilMs - now) / 1000));
  return html`<span class="countdown" aria-live="off">${seconds === 0 ? NOTICES.now : NOTICES.inSeconds(seconds)}</span>`;
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
    <h2>${NOTICES.noValues(all.length)}</h2>
    <ul class="plain-list">${all.slice(0, 10).map(
      ({ dimension, value, meant, text }) => html`<li>
        ${value === null ? html`<bdi>${text}</bdi>` : html`${NOTICES.hasNo(dimension)} <bdi>“${value}”</bdi>.`}
        ${meant !== null && value !== null && html` ${NOTICES.meant} <button type="button" class="text-button" onClick=${() => go(swap(question, dimension, value, meant))}><bdi>${valueLabel(dimension, meant)}</bdi></button>?`}
      </li>`,
    )}</ul>
    ${all.length > 10 && html`<p>${NOTICES.more(all.length - 10)}</p>`}
    <p><button type="button" class="button plain" onClick=${() => go(without)}>${NOTICES.without(all.length)}</button></p>
  </div>`;
}

/** Reads a message such as `Unknown value "Maltta"; did you mean "Malta"?` (docs/api.md, Strict values). */
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

/** The most unknown names, and the most ignored parameters, that are listed. */
const MAX_LISTED = 8;

/** Lists the parts of an address that were left out. */
export function IgnoredParts({
  unknownNames,
  ignored,
  lead = NOTICES.leftOut,
}: {
  unknownNames: readonly UnknownName[];
  ignored: readonly string[];
  lead?: string;
}): VNode | null {
  if (unknownNames.length === 0 && ignored.length === 0) return null;
  const unlisted = [unknownNames, ignored].reduce(
    (sum, { length }) => sum + Math.max(0, length - MAX_LISTED),
    0,
  );
  return html`<div class="notice" role="status">
    <p>${lead}</p>
    <ul>${unknownNames.slice(0, MAX_LISTED).map((mistake) => html`<li>${unknownNameText(mistake)}</li>`)}
      ${ignored.slice(0, MAX_LISTED).map((pair) => html`<li><bdi>${pair}</bdi></li>`)}</ul>
    ${unlisted > 0 && html`<p>${NOTICES.more(unlisted)}</p>`}
  </div>`;
}

function unknownNameText({ kind, name, knownNames }: UnknownName): VNode {
  const names = knownNames
    .map((one) => (kind === 'metric' ? metricLabel(one) : dimensionLabel(one)))
    .join(', ');
  return html`<span>${NOTICES.mistakes[kind]} <bdi>“${name}”</bdi>${names === '' ? '' : `. ${NOTICES.known(names)}`}</span>`;
}
