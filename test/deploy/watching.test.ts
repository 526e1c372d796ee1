// The dashboard and the alert rules ask for metrics that the server has.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { METRICS, type MetricDefinition } from '../../src/metrics/definitions.ts';
import { createMetrics } from '../../src/metrics/metrics.ts';
import { orElse } from '../support/orElse.ts';

const DASHBOARD = JSON.parse(readFileSync('deploy/grafana-dashboard.json', 'utf8')) as {
  readonly panels: readonly {
    readonly title: string;
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
    readonly targets: readonly { readonly expr: string }[];
  }[];
};
const ALERTS = readFileSync('deploy/alerts.yml', 'utf8');

/** Maps a series name of the text format to its labels, except `le`. */
async function seriesNames(): Promise<ReadonlyMap<string, readonly string[]>> {
  const own = Object.entries(METRICS as Readonly<Record<string, MetricDefinition>>).flatMap(
    ([name, { type, labels }]) =>
      (type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name]).map(
        (series) => [series, labels] as const,
      ),
  );
  const ofNode = (await createMetrics().json()).map(({ name }) => [name, []] as const);
  return new Map([['up', []], ...ofNode, ...own]);
}

/** The series that an expression names, each with the labels by which it selects. */
const seriesIn = (expression: string) =>
  [...expression.matchAll(/\b((?:data_api|process|nodejs)_\w+|up)(?:\{([^}]*)\})?/g)].map(
    ([, name = '', selectors = '']) => ({
      name,
      labels: [...selectors.matchAll(/(\w+)(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
    }),
  );

const EXPRESSIONS = [
  ...DASHBOARD.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
  ...[...ALERTS.matchAll(/- alert: (\w+)\n {8}expr: (?:>-\n((?: {10}.*\n)+)|(.*)\n)/g)].map(
    ([, name = '', folded, line]) => [name, folded ?? line ?? ''] as const,
  ),
];

describe('the dashboard and the alert rules', () => {
  it('ask for series that the server has, by labels that these have', async () => {
    const known = await seriesNames();
    const wrong = EXPRESSIONS.flatMap(([title, expression]) =>
      seriesIn(expression)
        .filter(({ name, labels }) => {
          const own = known.get(name);
          return own === undefined || labels.some((label) => ![...own, 'job', 'instance'].includes(label));
        })
        .map(({ name }) => `${title}: ${name}`),
    );
    orElse('name a metric and labels of src/metrics/definitions.ts', () => expect(wrong).toEqual([]));
    expect(EXPRESSIONS.length).toBe(
      DASHBOARD.panels.flatMap(({ targets }) => targets).length + (ALERTS.match(/- alert:/g)?.length ?? 0),
    );
    for (const [title, expression] of EXPRESSIONS)
      expect([title, seriesIn(expression).length > 0]).toEqual([title, true]);
  });

  it('ask for the series of this service alone, as a Prometheus has those of others, and count no probes as answers', () => {
    const selecting = [
      ...ALERTS.matchAll(/\b((?:data_api|process|nodejs)_\w+|up)(\{[^}]*\})?(?= ?[<>=/)[])/g),
    ];
    const foreign = selecting.filter(([, , selectors]) => !selectors?.includes('job="data-api"'));
    expect(selecting.length).toBeGreaterThan(16);
    expect(foreign.map(([series]) => series)).toEqual([]);
    // Verdicts are selected by their outcome, so that requests without a key do not count as requests with one.
    const verdicts = selecting.filter(([, name]) => name?.startsWith('data_api_key_verdicts'));
    expect(verdicts.map(([series]) => /outcome(?:=~|!=)"[^"]*"/.exec(series)?.[0])).toEqual([
      'outcome=~"unknown|malformed"',
      'outcome!="missing"',
    ]);
    const requests = selecting.filter(([, name]) => name?.startsWith('data_api_request_duration'));
    expect(requests).toHaveLength(3);
    for (const [series] of requests) expect(series).toMatch(/route!~"\/healthz\|\/readyz[|"]/);
  });

  it('together use every metric of ours', () => {
    const used = new Set(
      EXPRESSIONS.flatMap(([, expression]) => seriesIn(expression)).map(({ name }) =>
        name.replace(/_(?:bucket|sum|count)$/, ''),
      ),
    );
    orElse(
      'show the metric in a panel of deploy/grafana-dashboard.json, or alert on it in deploy/alerts.yml',
      () => expect(Object.keys(METRICS).filter((name) => !used.has(name))).toEqual([]),
    );
  });

  it('place no two panels on one another', () => {
    const cells = DASHBOARD.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...DASHBOARD.panels.map(({ gridPos: { x, w } }) => x + w))).toBeLessThanOrEqual(24);
  });
});
