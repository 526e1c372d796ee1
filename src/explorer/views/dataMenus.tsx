// The choice of dataset, metric and snapshot.

import type { VNode } from 'preact';
import { datasetLabel, metricLabel } from '../labels.ts';
import { currentSnapshot, datasetNamed, dimensionNames, metricOf } from '../model/facts.ts';
import { withDataset } from '../model/question.ts';
import { FILTER_TEXTS } from '../texts/filterTexts.ts';
import type { WorkspaceProps } from './props.ts';

/** The menus of the three choices. The menu of metrics is left out for a dataset with one metric. */
export function DataMenus({ openState, question, go }: WorkspaceProps): VNode {
  const { facts } = openState;
  const dataset = datasetNamed(facts, question.dataset);
  const metric = dataset === undefined ? null : metricOf(dataset, question.metric);
  const choose = (name: string) => {
    const next = datasetNamed(facts, name);
    if (next !== undefined) go(withDataset(question, name, dimensionNames(next)));
  };
  const current = currentSnapshot(facts);
  const isKnown = question.asOf === '' || facts.snapshots.some(({ id }) => id === question.asOf);
  return (
    <div class="subject">
      <label>
        {FILTER_TEXTS.data}
        <select value={question.dataset} onChange={(event) => choose(event.currentTarget.value)}>
          {dataset === undefined && <option value={question.dataset}>{question.dataset}</option>}
          {facts.datasets.map(({ name }) => (
            <option value={name}>{datasetLabel(name)}</option>
          ))}
        </select>
      </label>
      {dataset !== undefined && dataset.metrics.length > 1 && (
        <label>
          {FILTER_TEXTS.metric}
          <select
            value={metric?.name ?? ''}
            onChange={(event) =>
              go({
                ...question,
                metric: event.currentTarget.value,
                chartKind: '',
                axisScale: 'linear',
                panelScales: '',
              })
            }
          >
            {dataset.metrics.map(({ name }) => (
              <option value={name}>{metricLabel(name)}</option>
            ))}
          </select>
        </label>
      )}
      <label class="as-of">
        {FILTER_TEXTS.asOf}
        <select
          value={question.asOf}
          onChange={(event) => go({ ...question, asOf: event.currentTarget.value })}
        >
          <option value="">{FILTER_TEXTS.current(current)}</option>
          {!isKnown && <option value={question.asOf}>{question.asOf}</option>}
          {facts.snapshots
            .filter(({ id }) => id !== current || question.asOf === id)
            .map(({ id }) => (
              <option value={id}>{id === current ? FILTER_TEXTS.pinned(id) : id}</option>
            ))}
        </select>
      </label>
    </div>
  );
}
