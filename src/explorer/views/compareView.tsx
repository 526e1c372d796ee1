// Compares two snapshots: shows how many rows were added, removed and revised, and the largest revisions.

import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { type ComparedLines, type Comparison, compareSnapshots } from '../api/compareSnapshots.ts';
import { inSentence } from '../labels.ts';
import { delimitedText } from '../model/delimitedText.ts';
import { dimensionNames } from '../model/facts.ts';
import { countText } from '../model/numberFormats.ts';
import { comparedPeriod, type Selection } from '../model/selection.ts';
import { isWithoutValues } from '../model/series.ts';
import { titleInView, titleOf } from '../model/summary.ts';
import { tableColumns } from '../model/tableRows.ts';
import { NOTES } from '../texts/chartTexts.ts';
import { COMPARE, TABLE } from '../texts/viewTexts.ts';
import { leftOutText } from './chartNotes.tsx';
import { CompareChart } from './compareChart.tsx';
import { CopyButton } from './copyButton.tsx';
import { FailureNotice } from './failureNotice.tsx';
import type { ViewProps } from './props.ts';
import { QuestionLink } from './questionLink.tsx';
import { RevisionsTable } from './revisionsTable.tsx';
import { SnapshotGone } from './snapshotGone.tsx';
import { SourceOnPaper } from './sourceLine.tsx';
import { useLoadable } from './useLoadable.ts';
import { Waiting } from './waiting.tsx';

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
  const filesOf = (id: string, asOf: string) => (
    <QuestionLink go={props.go} root={props.root} question={{ ...question, view: 'about', asOf }}>
      {COMPARE.filesOf(id)}
    </QuestionLink>
  );
  return (
    <section class="compare-view">
      <h1>{COMPARE.title(inSentence(titleInView('compare', answer.selection)))}</h1>
      {since === '' ? (
        <p class="notice">{COMPARE.only}</p>
      ) : (
        <>
          <ComparedWith {...props} since={since} />
          <p class="small screen-only">
            {COMPARE.files} {filesOf(since, since)} {COMPARE.and} {filesOf(answer.snapshot, question.asOf)}
          </p>
        </>
      )}
      <SourceOnPaper {...props} />
    </section>
  );
}

function ComparedWith(props: ViewProps & { since: string }): VNode {
  const { answer, openState, question, go, since } = props;
  const { snapshots } = openState.facts;
  const { selection } = answer;
  const period = comparedPeriod(answer.question, selection);
  const id = `${since} ${answer.snapshot} ${JSON.stringify([selection.dataset.name, selection.metric?.name, selection.filters, period])}`;
  const others = snapshots.map((one) => one.id).filter((one) => one !== answer.snapshot);
  const choices = others.filter((one) => one !== since);
  const choose = (chosen: string) => go({ ...question, since: chosen });
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
  return (
    <div>
      <p class="row">
        <SinceSelect since={since} others={others} onChoose={choose} />{' '}
        <span>
          {COMPARE.to} <strong>{answer.snapshot}</strong>
        </span>
      </p>
      {reply.kind === 'loading' && <Waiting text={COMPARE.asking} />}
      {reply.kind === 'failed' && !isUnknown && (
        <FailureNotice {...props} failure={reply.failure} retry={reply.retry} snapshot={answer.snapshot} />
      )}
      {isGone && (
        <SnapshotGone
          name={since}
          choices={choices}
          first={COMPARE.use(choices[0] ?? '')}
          hasOldAnswer={false}
          onChoose={choose}
        />
      )}
      {reply.kind === 'loaded' && (
        <Compared comparison={reply.value} isOfAllYears={period !== null} {...props} />
      )}
    </div>
  );
}

interface SinceProps {
  readonly since: string;
  /** The ids of all retained snapshots except the newer one of the comparison. */
  readonly others: readonly string[];
  readonly onChoose: (id: string) => void;
}

function SinceSelect({ since, others, onChoose }: SinceProps): VNode {
  const all = others.includes(since) ? others : [since, ...others];
  return (
    <label>
      {COMPARE.from}{' '}
      <select
        aria-label={COMPARE.since}
        value={since}
        onChange={(event) => onChoose(event.currentTarget.value)}
      >
        {all.map((id) => (
          <option value={id}>{id}</option>
        ))}
      </select>
    </label>
  );
}

/** How many revisions are listed. */
const LISTED = 100;

/** Shows a comparison. `isOfAllYears` is true when missing values were counted in more years than are compared. */
function Compared(
  props: ViewProps & { comparison: Comparison; since: string; isOfAllYears: boolean },
): VNode {
  const { comparison, since, answer } = props;
  const { counts, revisions, lines } = comparison;
  const listed = listedText(comparison);
  const { selection } = answer;
  const total = counts.added + counts.removed + counts.revised;
  // The unit is null when rows have different currencies. Each row then names its currency.
  const unit =
    tableColumns(selection, props.question).find(({ name }) => name === selection.metric?.name)?.unit ?? null;
  if (total === 0)
    return (
      <p class="notice" role="status">
        {since === answer.snapshot ? COMPARE.itself : COMPARE.same}
      </p>
    );
  return (
    <div class="compared">
      <ul class="figures">
        <li>
          <strong>{countText(counts.revised)}</strong> {COMPARE.revised(counts.revised)}
        </li>
        <li>
          <strong>{countText(counts.added)}</strong> {COMPARE.added}
        </li>
        <li>
          <strong>{countText(counts.removed)}</strong> {COMPARE.removed}
        </li>
      </ul>
      {counts.added > 0 && counts.removed > 0 && <p class="quiet">{COMPARE.note}</p>}
      {lines !== null && (
        <>
          {[lines.before, lines.after].every(isWithoutValues) ? (
            <p class="quiet">{COMPARE.noSums}</p>
          ) : (
            <CompareChart
              lines={lines}
              title={titleOf({ ...selection, by: null }, Number.POSITIVE_INFINITY)}
              since={since}
              until={answer.snapshot}
            />
          )}
          <LinesNotes lines={lines} isOfAllYears={props.isOfAllYears} />
        </>
      )}
      {revisions.length > 0 && (
        <>
          <h2>{COMPARE.largest}</h2>
          <div class="table-head">
            {listed !== '' && <p>{listed}</p>}
            <p class="screen-only">
              <CopyButton
                text={() => revisionsText(comparison, selection)}
                label={TABLE.copyCsv(revisions.length)}
              />
            </p>
          </div>
          <RevisionsTable
            revisions={revisions.slice(0, LISTED)}
            snapshots={[since, answer.snapshot]}
            unit={unit}
          />
        </>
      )}
    </div>
  );
}

/** Says that the list has not all revisions, and why; empty when it has all of them. */
const listedText = ({ counts, revisions, loadedCount }: Comparison): string =>
  [
    ...(revisions.length > LISTED ? [COMPARE.listed(LISTED, revisions.length)] : []),
    ...(loadedCount < counts.revised ? [COMPARE.partly(loadedCount, counts.revised)] : []),
  ].join(' ');

/** All loaded revisions as CSV, with the columns of `/v1/changes` that are about the chosen metric. */
function revisionsText({ revisions }: Comparison, { dataset, metric }: Selection): string {
  const [before, after] = [`before_${metric?.name}`, `after_${metric?.name}`];
  return delimitedText(
    [...dimensionNames(dataset), before, after].map((name) => ({ name })),
    revisions.map((one) => ({ ...one.dimensions, [before]: one.before, [after]: one.after })),
    'csv',
  );
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
  return notes.length === 0 ? null : (
    <ul class="notes">
      {notes.map((note) => (
        <li>{note}</li>
      ))}
    </ul>
  );
}
