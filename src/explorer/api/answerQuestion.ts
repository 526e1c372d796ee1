// Answers a question: loads the row counts that the page shows beside its filters and, in the chart view, the chart.

import { currentSnapshot, datasetInSnapshot, datasetNamed, type Facts } from '../model/facts.ts';
import type { Question } from '../model/question.ts';
import { type UnknownName, withoutUnknownNames } from '../model/selection.ts';
import type { Failure } from './client.ts';
import { type ChartAnswer, loadChart } from './loadChart.ts';
import {
  type CountedSelection,
  isFailure,
  loadCountedSelection,
  loadSnapshotId,
  type RequestContext,
} from './loadCountedSelection.ts';
import { type StopReason, stoppedBy } from './trouble.ts';

export interface ShownAnswer {
  readonly counted: CountedSelection;
  readonly snapshot: string;
  /** The data of the chart; null in all other views. */
  readonly chart: ChartAnswer | null;
  readonly unknownNames: readonly UnknownName[];
  readonly question: Question;
}

/** The answer to a question, or the reason why there is none. All requests for an answer name the same snapshot. */
export async function answerQuestion(
  requested: Question,
  facts: Facts,
  { ask, signal, nowMs }: Pick<RequestContext, 'ask' | 'signal'> & { readonly nowMs: () => number },
): Promise<ShownAnswer | StopReason> {
  const knownDataset = datasetNamed(facts, requested.dataset);
  if (knownDataset === undefined) {
    const names = facts.datasets.map(({ name }) => name);
    return { kind: 'unknown dataset', name: requested.dataset, known: names };
  }
  const snapshotName = requested.asOf || currentSnapshot(facts);
  const stopReason = (failure: Failure) => stoppedBy(failure, nowMs(), snapshotName);
  const pinned = await loadSnapshotId(snapshotName, knownDataset.name, facts, { ask, signal });
  if (isFailure(pinned)) return stopReason(pinned);
  const { snapshot } = pinned;
  const dataset = datasetInSnapshot(knownDataset, facts, snapshot);
  const context: RequestContext = { ask, snapshot, signal };
  const { question, unknownNames } = withoutUnknownNames(requested, dataset);
  const counted = await loadCountedSelection(question, dataset, context);
  if (isFailure(counted)) return stopReason(counted);
  const isChart = question.view === 'chart';
  const chart = isChart ? await loadChart(counted, context) : null;
  if (chart !== null && isFailure(chart)) return stopReason(chart);
  return { counted, chart, unknownNames, question, snapshot };
}
