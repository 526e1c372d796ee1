// Keeps the counts of processes that died, so that no counter of the server falls.

import type { MetricJson } from './tallies.ts';

export interface CountsOfDead {
  /** Adds the last metrics of a process that died. */
  add(metrics: readonly MetricJson[]): void;
  /** The sums of all counters and histograms that were added. The caller treats them as the metrics of one more process. */
  metrics(): readonly MetricJson[];
}

/**
 * Collects the counts of dead processes. Without them, the sums over all processes would fall when one dies. Prometheus takes a
 * counter that falls for one that began again at 0. It would then count everything that the remaining processes have ever counted
 * as new, and old faults and refused snapshots would raise alerts.
 */
export function createCountsOfDead(): CountsOfDead {
  const counts = new Map<string, { readonly metric: MetricJson; readonly values: Map<string, Value> }>();
  return {
    add(metrics) {
      for (const metric of metrics) {
        // A gauge, such as memory in use, ends with its process.
        if (metric.type !== 'counter' && metric.type !== 'histogram') continue;
        const { values } = counts.get(metric.name) ?? { values: new Map<string, Value>() };
        counts.set(metric.name, { metric, values });
        for (const value of metric.values) {
          const series = JSON.stringify([value.metricName, value.labels]);
          values.set(series, { ...value, value: value.value + (values.get(series)?.value ?? 0) });
        }
      }
    },
    metrics: () =>
      [...counts.values()].map(({ metric, values }) => ({ ...metric, values: [...values.values()] })),
  };
}

type Value = MetricJson['values'][number];
