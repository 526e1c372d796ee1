// The right-hand side of the page: chips, tabs, notices, and the chosen view of the answer.

import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { DatasetFacts } from '../api/responseTypes.ts';
import { currentSnapshot, retainedIds } from '../model/facts.ts';
import { type Question, VIEWS, type View } from '../model/question.ts';
import { titleInView } from '../model/summary.ts';
import { withoutUnknownNames } from '../model/unknownNames.ts';
import { ANSWER, replacedText, SERVICE, VIEW_LABELS } from '../texts/pageTexts.ts';
import { AboutView } from './aboutView.tsx';
import { ChartView } from './chartView.tsx';
import { Chips } from './chips.tsx';
import { CodeView } from './codeView.tsx';
import { CompareView } from './compareView.tsx';
import { EmptyNotice } from './emptyNotice.tsx';
import { ExportPanel } from './exportPanel.tsx';
import { IgnoredParts } from './ignoredParts.tsx';
import { ProblemNotice } from './problemNotice.tsx';
import type { AnswerProps, ViewProps } from './props.ts';
import { TableView } from './tableView.tsx';
import { Waiting } from './waiting.tsx';

/** The answer, or the notice in its place. An older answer stays visible while the next one is loaded. */
export function AnswerColumn(props: AnswerProps): VNode {
  const { openState, question, ignored, go } = props;
  const { progress } = openState;
  const { answer } = progress;
  const title =
    answer === null ? null : titleInView(viewIn(answer.question, props.dataset), answer.selection);
  useEffect(() => {
    if (title !== null) document.title = `${title} · ${SERVICE}`;
  }, [title]);
  const views = VIEWS.filter((view) => view !== 'chart' || !isLookup(props.dataset));
  const hasAnswer = answer !== null && isShowable(props);
  // A stopped question has no answer to take the unknown names from. `answer` may be that to an earlier question.
  const mistakes =
    progress.kind === 'stopped' && props.dataset !== undefined
      ? withoutUnknownNames(question, props.dataset).unknownNames
      : (answer?.unknownNames ?? []);
  return (
    <section class="answer" aria-busy={progress.kind === 'loading'}>
      {!hasAnswer && <h1 class="unseen">{title ?? SERVICE}</h1>}
      <IgnoredParts unknownNames={mistakes} ignored={ignored} />
      {answer !== null && <Chips question={question} answer={answer} go={go} />}
      <nav class="tabs" aria-label={ANSWER.views}>
        {views.map((view) => (
          <button
            type="button"
            aria-current={view === viewIn(question, props.dataset) ? 'page' : undefined}
            onClick={() => go({ ...question, view })}
          >
            {VIEW_LABELS[view]}
          </button>
        ))}
      </nav>
      {openState.replacedSnapshot !== null && (
        <p class="notice" role="status">
          {replacedText(
            openState.replacedSnapshot,
            currentSnapshot(openState.facts),
            retainedIds(openState.facts).includes(openState.replacedSnapshot),
          )}
        </p>
      )}
      {progress.kind === 'stopped' && (
        <ProblemNotice
          problem={progress.problem}
          {...props}
          retry={props.store.retry}
          snapshots={retainedIds(openState.facts)}
          hasOldAnswer={hasAnswer}
        />
      )}
      {hasAnswer && (
        <div class={progress.kind === 'answered' ? 'view' : 'view is-old'}>
          {viewOf({ ...props, answer })}
          <ExportPanel {...props} answer={answer} />
        </div>
      )}
      <p class="unseen announcement" role="status">
        {progress.kind === 'answered' ? (title ?? '') : ''}
      </p>
      {answer === null && progress.kind === 'loading' && <Waiting text={ANSWER.asking} />}
    </section>
  );
}

/** Whether the answer can be shown: it belongs to the chosen view, and does not contradict a notice. */
const isShowable = ({ openState, question }: AnswerProps): boolean => {
  const { progress } = openState;
  if (progress.answer === null) return false;
  if (progress.kind === 'stopped') {
    const { problem } = progress;
    if (problem.kind === 'unknown snapshot') return problem.name === progress.answer.snapshot;
    return 'untilMs' in problem;
  }
  return progress.answer.question.view === question.view;
};

const isLookup = (dataset: DatasetFacts | undefined): boolean => dataset?.metrics.length === 0;

/** The view of a question. A lookup has nothing to draw, so it has the table in place of the chart. */
const viewIn = ({ view }: Question, dataset: DatasetFacts | undefined): View =>
  view === 'chart' && isLookup(dataset) ? 'table' : view;

function viewOf(props: ViewProps): VNode {
  const { answer } = props;
  const view = viewIn(answer.question, answer.selection.dataset);
  if (view === 'about') return <AboutView {...props} />;
  if (answer.counts.meta.row_count === 0 && view !== 'compare') return <EmptyNotice {...props} />;
  switch (view) {
    case 'chart':
      return <ChartView {...props} />;
    case 'table':
      return <TableView {...props} />;
    case 'compare':
      return <CompareView {...props} />;
    case 'code':
      return <CodeView {...props} />;
  }
}
