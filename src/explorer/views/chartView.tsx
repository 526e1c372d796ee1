// The view of the chart: the chart with everything around it, or the question that must be answered first.

import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { ChartAnswer } from '../api/loadChart.ts';
import { inSentence, metricLabel } from '../labels.ts';
import { type ChartData, chartOffers, hasNoValues, isLogPossible, isMixed } from '../model/chartData.ts';
import { withNonBreakingNumbers } from '../model/numberFormats.ts';
import { type ChartKind, type Question, withLastYear } from '../model/question.ts';
import { rowCountOf } from '../model/selection.ts';
import { summaryOf, titleOf } from '../model/summary.ts';
import { CHART_LABELS, CHART_TEXTS, REFUSALS } from '../texts/chartTexts.ts';
import { AmbiguousSum, AmbiguousValues, TooManyRows } from './ambiguity.tsx';
import { Chart } from './chart.tsx';
import { NotesList } from './chartNotes.tsx';
import { chartContentOf, legendOf } from './drawChart.ts';
import { EntityLinks } from './entityLinks.tsx';
import { Headline } from './headline.tsx';
import type { ViewProps } from './props.ts';
import { SourceLine, sourceText } from './sourceLine.tsx';

/** The view for each outcome of `loadChart`. */
export function ChartView(props: ViewProps): VNode | null {
  const { chart } = props.answer;
  if (chart === null) return null;
  switch (chart.kind) {
    case 'chart':
      return hasNoValues(chart.data) ? (
        <Valueless {...props} data={chart.data} />
      ) : (
        <DrawnChart {...props} data={chart.data} />
      );
    // `answerColumn.tsx` shows the table of a lookup, and a notice for an empty selection, in place of this view.
    case 'lookup':
    case 'empty':
      return null;
    default:
      return (
        <div class="view-part">
          <h1>{titleOf(props.answer.selection)}</h1>
          {questionOf(props, chart)}
        </div>
      );
  }
}

/** The question that must be answered before there is a chart. */
function questionOf(
  props: ViewProps,
  chart: Extract<ChartAnswer, { kind: 'ambiguous sum' | 'ambiguous point' | 'too many' }>,
): VNode {
  switch (chart.kind) {
    case 'ambiguous sum':
      return <AmbiguousSum {...props} fields={chart.fields} />;
    case 'ambiguous point':
      return <AmbiguousValues {...props} point={chart.ambiguousPoint} />;
    case 'too many':
      return <TooManyRows rows={chart.rows} />;
  }
}

/** Says why there is nothing to draw. */
function Valueless(props: ViewProps & { data: ChartData }): VNode {
  const { data, question, go, answer } = props;
  const { metric, selection } = data;
  const hasNone = metric.missing === selection.dataset.row_count;
  return (
    <figure class="chart-figure">
      <Headline data={data} onlyYear={null} />
      <div class="notice" role="status">
        <h2>{isMixed(data) ? CHART_TEXTS.noSums : CHART_TEXTS.noValues}</h2>
        <p>
          {isMixed(data) ? (
            CHART_TEXTS.allMixed
          ) : (
            <>
              {CHART_TEXTS.valueless(inSentence(metricLabel(metric.name)), rowCountOf(answer))}{' '}
              {hasNone ? CHART_TEXTS.noneAtAll : CHART_TEXTS.othersHave}
            </>
          )}
        </p>
      </div>
      {isMixed(data) && <NotesList data={data} onlyYear={null} question={question} go={go} />}
      <EntityLinks data={data} question={question} go={go} root={props.root} />
      <SourceLine {...props} legend="" />
    </figure>
  );
}

function DrawnChart(props: ViewProps & { data: ChartData }): VNode {
  const { data, question, answer, go } = props;
  const content = chartContentOf(props, data);
  const { kind, isLog, hasOwnScales, onlyYear } = content;
  const [year, setYear] = useState<number | null>(null);
  /** Makes bars show another year. The year becomes the end of the period, so that a link to the page shows it too. */
  const showBarsOf = (to: number) => go(withLastYear(question, to), 'replace');
  const summary = summaryOf(data, kind, onlyYear);
  return (
    <figure class="chart-figure">
      <Headline data={data} onlyYear={onlyYear} />
      <Controls {...props} kind={kind} isLog={isLog} hasOwnScales={hasOwnScales} />
      <Chart
        {...content}
        year={year}
        onYear={kind === 'bars' ? showBarsOf : setYear}
        summary={summary}
        source={sourceText(data.selection, answer.snapshot)}
      />
      <p class="summary">{withNonBreakingNumbers(summary)}</p>
      <NotesList data={data} onlyYear={onlyYear} question={question} go={go} />
      <EntityLinks data={data} question={question} go={go} root={props.root} />
      <SourceLine {...props} legend={legendOf(content)} />
    </figure>
  );
}

interface ControlsProps extends ViewProps {
  readonly data: ChartData;
  readonly kind: ChartKind;
  readonly isLog: boolean;
  readonly hasOwnScales: boolean;
}

function Controls({ data, question, go, kind, isLog, hasOwnScales }: ControlsProps): VNode {
  const canLog = isLogPossible(data, kind);
  return (
    <div class="controls">
      <div class="segments" role="group" aria-label={CHART_TEXTS.kinds}>
        {chartOffers(data).map(({ kind: offered, refusal }) => (
          <button
            type="button"
            aria-pressed={offered === kind}
            disabled={refusal !== null}
            title={refusal === null ? undefined : REFUSALS[refusal]}
            onClick={() => go({ ...question, chartKind: offered })}
          >
            {CHART_LABELS[offered]}
          </button>
        ))}
      </div>
      {canLog && (
        <label class="tick">
          <input
            type="checkbox"
            checked={isLog}
            onChange={() => go({ ...question, axisScale: isLog ? 'linear' : 'log' })}
          />
          {CHART_TEXTS.log}
        </label>
      )}
      {kind === 'multiples' && (
        <label class="tick">
          <input
            type="checkbox"
            checked={hasOwnScales}
            onChange={() => go({ ...question, panelScales: hasOwnScales ? 'shared' : 'own' })}
          />
          {CHART_TEXTS.ownScales}
        </label>
      )}
      <Refusal data={data} question={question} />
    </div>
  );
}

/**
 * Says why the kind of chart in the address is not offered. If the address names no kind, says why a stack is not
 * offered.
 */
function Refusal({ data, question }: { data: ChartData; question: Question }): VNode | null {
  const chosenKind = question.chartKind === '' ? 'areas' : question.chartKind;
  const refusal = chartOffers(data).find(({ kind }) => kind === chosenKind)?.refusal ?? null;
  if (refusal === null || refusal === 'one series') return null;
  return (
    <p class="quiet small">
      {CHART_TEXTS.not(chosenKind)} {REFUSALS[refusal]}
    </p>
  );
}
