// Compares two snapshots: shows how many rows were added, removed and revised, and the largest revisions.

import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { type ComparedLines, type Comparison, compareSnapshots } from '../api/compareSnapshots.ts';
import { html } from '../htmTemplate.ts';
import { datasetLabel, inSentence, metricLabel, valueLabel } from '../labels.ts';
import { FORECAST } from '../model/facts.ts';
import {
  countText,
  exactText,
  readableText,
  signedPercentText,
  withNonBreakingNumbers,
} from '../model/numberFormats.ts';
import type { Question } from '../model/question.ts';
import { comparedPeriod } from '../model/selection.ts';
import { isWithoutValues } from '../model/series.ts';
import { titleOf } from '../model/summary.ts';
import { tableColumns } from '../model/tableRows.ts';
import { NOTES } from '../texts/chartTexts.ts';
import { COMPARE } from '../texts/viewTexts.ts';
import { leftOutText } from './chartNotes.ts';
import { CompareChart } from './compareChart.ts';
import { FailureNotice } from './failureNotice.ts';
import { inputValue } from './inputValue.ts';
import type { Go, ViewProps } from './props.ts';
import { SnapshotGone } from './snapshotGone.ts';
import { SourceOnPaper } from './sourceLine.ts';
import { useLoadable } from './useLoadable.ts';

/**
 * Compares the shown snapshot with the chosen one. Without a choice, compares it with the snapshot that was published
 * before it, or, if there is none, with the newest.
 */
export function CompareView(props: ViewProps): VNode {
  const { answer, openState, question } = props;
  const { snapshots } = openState.facts;
  const index = snapshots.findIndex(({ id }) => id === answer.snapshot);
  const since =
    question.since || (snapshots[index + 1] ?? snapshots.find(({ id }) => id !== answer.snapshot))?.id || '';
  const { metric, dataset } = answer.selection;
  const name = metric === null ? datasetLabel(dataset.name) : metricLabel(metric.name);
  return html`<section class="compare-view">
    <h1>${COMPARE.title(inSentence(name))}</h1>
    ${since === '' ? html`<p class="notice">${COMPARE.only}</p>` : html`<${ComparedWith} ...${props} since=${since} />`}
    <${SourceOnPaper} ...${props} />
  </section>`;
}

function ComparedWith(props: ViewProps & { since: string }): VNode {
  const { answer, openState, question, go, since } = props;
  const { snapshots } = openState.facts;
  const { selection } = answer;
  const period = comparedPeriod(answer.question, selection);
  const id = `${since} ${answer.snapshot} ${JSON.stringify([selection.dataset.name, selection.metric?.name, selection.filters, period])}`;
  const others = snapshots.map((one) => one.id).filter((one) => one !== answer.snapshot);
  const choices = others.filter((one) => one !== since);
  const reply = useLoadable<Comparison>(id, (signal) =>
    compareSnapshots(selection, period, since, {
      ask: openState.client.ask,
      snapshot: answer.snapshot,
      signal,
    }),
  );
  const isUnknown =
    reply.kind === 'failed' && reply.failure.kind === 'refused' && reply.failure.topic === 'unknown-snapshot';
  // When the shown snapshot itself is gone, the notice above the view says so.
  const isGone = isUnknown && snapshots.some(({ id }) => id === answer.snapshot);
  // A snapshot in the page's list is gone, so the list is loaded again. The new list shows which of the two compared
  // snapshots it is.
  useEffect(() => {
    if (isGone) props.store.reloadFacts();
  }, [isGone, since]);
  return html`<div>
    <p class="row"><label>${COMPARE.from} <${SinceSelect} ...${{ snapshots: snapshots.map((one) => one.id), since, question, go, until: answer.snapshot }} /></label> <span>${COMPARE.to} <strong>${answer.snapshot}</strong></span></p>
    ${reply.kind === 'loading' && html`<p class="wait" role="status">${COMPARE.asking}</p>`}
    ${reply.kind === 'failed' && !isUnknown && html`<${FailureNotice} ...${props} failure=${reply.failure} retry=${reply.retry} snapshot=${answer.snapshot} />`}
    ${
      isGone &&
      html`<${SnapshotGone} name=${since} choices=${choices} first=${COMPARE.use(choices[0] ?? '')} hasOldAnswer=${false}
        onChoose=${(chosen: string) => go({ ...question, since: chosen })} />`
    }
    ${reply.kind === 'loaded' && html`<${Compared} comparison=${reply.value} isOfAllYears=${period !== null} ...${props} />`}
  </div>`;
}

interface SinceProps {
  readonly snapshots: readonly string[];
  readonly since: string;
  readonly until: string;
  readonly question: Question;
  readonly go: Go;
}

function SinceSelect({ snapshots, since, until, question, go }: SinceProps): VNode {
  const others = snapshots.filter((id) => id !== until);
  const all = others.includes(since) ? others : [since, ...others];
  return html`<select aria-label=${COMPARE.since} onChange=${(event: Event) => go({ ...question, since: inputValue(event) })}>
    ${all.map((id) => html`<option value=${id} selected=${id === since}>${id}</option>`)}
  </select>`;
}

/** How many revisions are listed. */
const LISTED = 100;

/** Shows a comparison. `isOfAllYears` is true when missing values were counted in more years than are compared. */
function Compared(
  props: ViewProps & { comparison: Comparison; since: string; isOfAllYears: boolean },
): VNode {
  const { comparison, since, answer } = props;
  const { counts, revisions, loadedCount, lines } = comparison;
  const { selection } = answer;
  const total = counts.added + counts.removed + counts.revised;
  // The unit is null when rows have different currencies. Each row then names its currency.
  const unit =
    tableColumns(selection, props.question).find(({ name }) => name === selection.metric?.name)?.unit ?? null;
  if (total === 0)
    return html`<p class="notice" role="status">${since === answer.snapshot ? COMPARE.itself : COMPARE.same}</p>`;
  return html`<div class="compared">
    <ul class="figures">
      <li><strong>${countText(counts.revised)}</strong> ${COMPARE.revised(counts.revised)}</li>
      <li><strong>${countText(counts.added)}</strong> ${COMPARE.added}</li>
      <li><strong>${countText(counts.removed)}</strong> ${COMPARE.removed}</li>
    </ul>
    ${counts.added > 0 && counts.removed > 0 && html`<p class="quiet">${COMPARE.note}</p>`}
    ${
      lines !== null &&
      html`${
        [lines.before, lines.after].every(isWithoutValues)
          ? html`<p class="quiet">${COMPARE.noSums}</p>`
          : html`<${CompareChart} lines=${lines} title=${titleOf({ ...selection, by: null }, Number.POSITIVE_INFINITY)} since=${since} until=${answer.snapshot} />`
      }<${LinesNotes} lines=${lines} isOfAllYears=${props.isOfAllYears} />`
    }
    ${
      revisions.length > 0 &&
      html`<h2>${COMPARE.largest}</h2>
      ${loadedCount < counts.revised && html`<p class="quiet">${COMPARE.partly(loadedCount, counts.revised)}</p>`}
      ${/* On narrow screens, style.css makes rows grids. Some browsers then treat them as rows only if they have roles. */ null}
      <div class="table-box" tabindex="0" role="region" aria-label=${COMPARE.largest}><table role="table" aria-label=${COMPARE.largest}>
        <thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">${COMPARE.row}</th>${[since, answer.snapshot, COMPARE.difference].map((head) => html`<th role="columnheader" scope="col" class="number">${head}${unit !== null && html` <span class="unit">${unit}</span>`}</th>`)}</tr></thead>
        <tbody role="rowgroup">${revisions.slice(0, LISTED).map(
          ({ dimensions, before, after }) => html`<tr role="row">
          <td role="cell" class="wraps"><bdi>${rowName(dimensions, selection.metric === null)}</bdi></td>
          <td role="cell" class="number">${before === null ? '–' : exactText(before)}</td>
          <td role="cell" class="number">${after === null ? '–' : exactText(after)}</td>
          <td role="cell" class="number">${difference(before, after)}</td>
        </tr>`,
        )}</tbody>
      </table></div>`
    }
  </div>`;
}

/** Notes on the countries, years and values that the lines leave out. */
function LinesNotes({
  lines: { leftOut, mixedYears, missingCount },
  isOfAllYears,
}: {
  readonly lines: ComparedLines;
  readonly isOfAllYears: boolean;
}): VNode | null {
  const notes = [
    ...leftOut.map(leftOutText),
    ...(mixedYears.length > 0 ? [NOTES.mixed(mixedYears.length)] : []),
    ...(missingCount > 0 ? [NOTES.missing(missingCount, isOfAllYears)] : []),
  ];
  return notes.length === 0
    ? null
    : html`<ul class="notes">${notes.map((note) => html`<li>${note}</li>`)}</ul>`;
}

function rowName(dimensions: Readonly<Record<string, string | number>>, isLookup: boolean): string {
  const { region, temporal, ...others } = dimensions;
  const forecast = temporal === FORECAST ? { temporal } : {};
  const named = isLookup ? dimensions : { ...others, ...forecast };
  return Object.entries(named)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => valueLabel(name, String(value)))
    .join(' · ');
}

function difference(before: number | null, after: number | null): string {
  if (before === null || after === null) return after === null ? COMPARE.withdrawn : COMPARE.new;
  const size = after - before;
  const percent = signedPercentText(before, after);
  return `${size > 0 ? '+' : ''}${readableText(size, { kind: 'other', text: '' })}${percent && ` (${withNonBreakingNumbers(percent)})`}`;
}
