// Answers a question: loads the row counts that the page shows beside its filters and, in the chart view, the chart.

import { currentSnapshot, datasetInSnapshot, datasetNamed, type Facts } from '../model/facts.ts';
import type { Question } from '../model/question.ts';
import type { CountedSelection } from '../model/selection.ts';
import { type UnknownName, withoutUnknownNames } from '../model/unknownNames.ts';
import type { RequestContext } from './client.ts';
import { type Failure, isFailure } from './failure.ts';
import { type ChartAnswer, loadChart } from './loadChart.ts';
import { loadCountedSelection } from './loadCountedSelection.ts';
import { loadSnapshotId } from './loadSnapshotId.ts';
import { type Problem, problemOf } from './problem.ts';

export interface Answer extends CountedSelection {
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
  { ask, signal }: Pick<RequestContext, 'ask' | 'signal'>,
): Promise<Answer | Problem> {
  const knownDataset = datasetNamed(facts, requested.dataset);
  if (knownDataset === undefined) {
    const names = facts.datasets.map(({ name }) => name);
    return { kind: 'unknown dataset', name: requested.dataset, known: names };
  }
  const snapshotName = requested.asOf || currentSnapshot(facts);
  const problemWith = (failure: Failure) => problemOf(failure, Date.now(), snapshotName);
  const pinned = await loadSnapshotId(snapshotName, knownDataset.name, facts, { ask, signal });
  if (isFailure(pinned)) return problemWith(pinned);
  const { snapshot } = pinned;
  const dataset = datasetInSnapshot(knownDataset, facts, snapshot);
  const context: RequestContext = { ask, snapshot, signal };
  const { question, unknownNames } = withoutUnknownNames(requested, dataset);
  const countedSelection = await loadCountedSelection(question, dataset, context);
  if (isFailure(countedSelection)) return problemWith(countedSelection);
  const isChart = question.view === 'chart';
  const chart = isChart ? await loadChart(countedSelection, context) : null;
  if (chart !== null && isFailure(chart)) return problemWith(chart);
  return { ...countedSelection, chart, unknownNames, question, snapshot };
}
