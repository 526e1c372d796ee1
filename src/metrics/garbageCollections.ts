// Measures all garbage collections. prom-client measures only the first one when Node reports several together.

import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { Histogram, type Registry } from 'prom-client';

const NAME = 'nodejs_gc_duration_seconds';

const KINDS = new Map([
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weakcb'],
]);

/**
 * Replaces the metric of prom-client in `registry`. The new one has the same name, labels and buckets, and counts all
 * collections.
 */
export function countEveryCollection(registry: Registry): void {
  registry.removeSingleMetric(NAME);
  const durations = new Histogram({
    name: NAME,
    help: 'Garbage collection duration by kind, one of major, minor, incremental or weakcb.',
    labelNames: ['kind'],
    buckets: [0.001, 0.01, 0.1, 1, 2, 5],
    registers: [registry],
  });
  const observer = new PerformanceObserver((list) => {
    for (const { detail, duration } of list.getEntries() as Collection[])
      durations.observe({ kind: KINDS.get(detail?.kind ?? 0) ?? 'other' }, duration / 1000);
  });
  observer.observe({ entryTypes: ['gc'] });
}

/** An entry with the detail that Node's types lack. */
type Collection = PerformanceEntry & { readonly detail?: { readonly kind?: number } };
