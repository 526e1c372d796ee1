// A comparison of random edits has the results of a plain walk through the rows of both sides.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { DatasetComparison } from '../../../ingest/compare/comparisonTypes.ts';
import type { RowDimensions } from '../../../ingest/compare/revision.ts';
import { type DatasetName, datasetOf, metricNames, rowOrder } from '../../../src/catalog/datasets.ts';
import { byCodePoints } from '../../../src/catalog/textOrder.ts';
import { aComparison } from '../../support/comparedSnapshots.ts';
import { runs } from '../../support/depth.ts';
import { aRow, type Row } from '../../support/snapshot.ts';

const VALUES: Readonly<Record<string, readonly (string | number)[]>> = {
  year: [2019, 2024, 2025, 2026, 2031],
  region: ['Europe', 'Ασία'],
  country: ['Malta', "O'Higgins", 'Ａ', '𝔐'],
  state: ['', 'North', 'South'],
  product: ['Poker', 'Bingo'],
  fx: ['EUR', 'USD'],
  fx_local_currency: ['EUR', 'USD'],
  temporal: ['Current', 'Forecast', 'Actual'],
  calculation: ['Reported', 'Estimated'],
};

const aValue = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(1, 2, 10, 1000, 0.1, 1e9) },
  { weight: 1, arbitrary: fc.constantFrom(0, null, -5) },
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }),
);

const keyOf = (dataset: DatasetName, row: Row) =>
  JSON.stringify(datasetOf(dataset).dimensions.map((dimension) => row[dimension]));

const rowsOf = (dataset: DatasetName) =>
  fc.uniqueArray(
    fc
      .record(
        Object.fromEntries([
          ...datasetOf(dataset).dimensions.flatMap((dimension) => {
            const values = VALUES[dimension];
            return values === undefined ? [] : [[dimension, fc.constantFrom(...values)]];
          }),
          ...metricNames(dataset).map((metric) => [metric, aValue]),
        ]),
      )
      .map((changes) => aRow(dataset, changes as Row)),
    { selector: (row) => keyOf(dataset, row), minLength: 1, maxLength: 150, size: 'max' },
  );

/** Both sides of a comparison: some rows stay, some are edited, some are removed, some are new. */
const bothSides = (dataset: DatasetName) =>
  fc
    .tuple(rowsOf(dataset), rowsOf(dataset), fc.array(fc.nat({ max: 3 }), { minLength: 150, maxLength: 150 }))
    .map(([before, others, edits]) => {
      const after = new Map(before.map((row) => [keyOf(dataset, row), row]));
      for (const [i, other] of others.entries()) {
        const edit = edits[i] ?? 0;
        const old = before[i];
        if (edit === 0 || old === undefined) after.set(keyOf(dataset, other), other);
        else if (edit === 1) after.delete(keyOf(dataset, old));
        else if (edit === 2) after.set(keyOf(dataset, old), { ...old, ...valuesOf(dataset, other) });
      }
      return { before, after: after.size === 0 ? before : [...after.values()] };
    });

const valuesOf = (dataset: DatasetName, row: Row) =>
  Object.fromEntries(metricNames(dataset).map((metric) => [metric, row[metric] ?? null]));

describe('a comparison', () => {
  it.each(['ggr', 'fx', 'country'] as const)(
    'of %s says what a plain walk through the rows says',
    async (dataset) => {
      await fc.assert(
        fc.asyncProperty(bothSides(dataset), async ({ before, after }) => {
          const { datasets } = await aComparison({ [dataset]: before }, { [dataset]: after });
          expect(summary(datasets[dataset])).toEqual(plainly(dataset, before, after));
        }),
        { numRuns: runs(2), endOnFailure: true },
      );
    },
  );
});

/** Those parts of a comparison that the plain model computes as well. */
function summary({
  rows,
  dimensions,
  metrics,
  totals,
  revisions,
  added,
  removed,
  coverage,
}: DatasetComparison) {
  return {
    rows,
    dimensions: dimensions.map(({ vanished, ...change }) => ({
      ...change,
      vanished: vanished.map(({ countries: _, ...value }) => value),
    })),
    metrics: Object.fromEntries(
      Object.entries(metrics).map(
        ([name, { closedLargest: _, closedCountries: __, closedMost: ___, ...metric }]) => [name, metric],
      ),
    ),
    totals: totals.map(({ relative: _, countries: __, mover: ___, movers: ____, ...total }) => total),
    revisions: revisions.map(({ key, metric, from, to }) => JSON.stringify([key, metric, from, to])).sort(),
    added,
    removed,
    coverage,
  };
}

function plainly(dataset: DatasetName, before: readonly Row[], after: readonly Row[]) {
  const { dimensions } = datasetOf(dataset);
  const metrics = metricNames(dataset);
  const index = (rows: readonly Row[]) => new Map(rows.map((row) => [keyOf(dataset, row), row]));
  const [old, fresh] = [index(before), index(after)];
  const added = after.filter((row) => !old.has(keyOf(dataset, row)));
  const removed = before.filter((row) => !fresh.has(keyOf(dataset, row)));
  const pairs = before.flatMap((row) => {
    const now = fresh.get(keyOf(dataset, row));
    return now === undefined ? [] : [[row, now] as const];
  });
  const isForecast = (row: Row) => row.temporal === 'Forecast';
  // A reported figure first takes the forecast that agrees in every other column, and then one with another `calculation`.
  const arrived = new Set<Row>();
  const used = new Set<string>();
  const exact = (row: Row) => keyOf(dataset, { ...row, temporal: 'x' });
  for (const inWay of [exact, (row: Row) => keyOf(dataset, { ...row, temporal: 'x', calculation: 'x' })]) {
    const forecasts = removed.filter((row) => isForecast(row) && !used.has(exact(row)));
    const byKey = new Map(forecasts.map((row) => [inWay(row), row]));
    for (const row of added) {
      const forecast = byKey.get(inWay(row));
      if (isForecast(row) || arrived.has(row) || forecast === undefined) continue;
      arrived.add(row);
      used.add(exact(row)).add(exact(forecast));
    }
  }
  const isClosed = (row: Row) => Number(row.year) < 2026;
  const toKey = (row: Row): RowDimensions => Object.fromEntries(dimensions.map((d) => [d, row[d] ?? '']));
  const isRevised = ([a, b]: readonly [Row, Row]) => metrics.some((metric) => a[metric] !== b[metric]);
  const differs = added.length + removed.length + pairs.filter(isRevised).length > 0;
  return {
    rows: {
      before: before.length,
      after: after.length,
      added: added.length,
      removed: removed.length,
      revised: pairs.filter(isRevised).length,
      arrived: arrived.size,
    },
    dimensions: dimensions.flatMap((dimension) => {
      const counts = (rows: readonly Row[]) => countBy(rows, (row) => row[dimension] ?? '');
      const only = (rows: readonly Row[], others: readonly Row[]) =>
        [...counts(rows)]
          .filter(([value]) => !counts(others).has(value))
          .map(([value, n]) => ({ value, rows: n }))
          .sort((a, b) => order(a.value, b.value));
      const remain = new Set(after.map(({ country }) => country));
      const appeared = only(after, before);
      const vanished = only(before, after).map((gone) => ({
        ...gone,
        goneWithCountries: before.every((row) => row[dimension] !== gone.value || !remain.has(row.country)),
      }));
      return appeared.length + vanished.length === 0 ? [] : [{ dimension, appeared, vanished }];
    }),
    metrics: Object.fromEntries(
      metrics.map((metric) => {
        const changed = pairs.map(([a, b]) => [a[metric] ?? null, b[metric] ?? null, a] as const);
        const both = changed.flatMap(([a, b, row]) =>
          a === null || b === null ? [] : [[Number(a), Number(b), row] as const],
        );
        const settled = both.filter(([, , row]) => isClosed(row) && !isForecast(row));
        const much = (from: number) =>
          metric === 'inflation' ? Math.max(0.05 * Math.abs(from), 0.1) : 0.05 * Math.abs(from);
        const isOver = (from: number, to: number, limit: number) => Math.abs(to - from) > limit * (1 + 1e-12);
        const isFar = (from: number, to: number) => isOver(from, to, much(from));
        const isCurrentRate = metric.startsWith('fx_current');
        const isRevisedMuch = (from: number, to: number) =>
          isFar(from, to) || (isCurrentRate && isOver(from, to, 0.005 * Math.abs(from)));
        return [
          metric,
          {
            revised: both.filter(([a, b]) => a !== b).length,
            sizes: sizes(both.filter(([a, b]) => a !== b)),
            filled: changed.filter(([a, b]) => a === null && b !== null).length,
            emptied: changed.filter(([a, b]) => a !== null && b === null).length,
            nullsBefore: before.filter((row) => row[metric] === null).length,
            nullsAfter: after.filter((row) => row[metric] === null).length,
            closedValues: differs ? settled.length : 0,
            closedRevised: settled.filter(([a, b]) => isRevisedMuch(a, b)).length,
            closedFar: settled.filter(([a, b]) => isFar(a, b)).length,
          },
        ];
      }),
    ),
    totals: totals(dataset, before, after, arrived),
    revisions: pairs
      .flatMap(([a, b]) =>
        metrics
          .filter((metric) => a[metric] !== b[metric])
          .map((metric) => JSON.stringify([toKey(a), metric, a[metric], b[metric]])),
      )
      .sort(),
    added: [...added].sort(inOrder(dataset)).map(toKey),
    removed: [...removed].sort(inOrder(dataset)).map(toKey),
    coverage: coverage(before, after),
  };
}

function sizes(revised: readonly (readonly [from: number, to: number, row: Row])[]) {
  if (revised.length === 0) return [];
  const limits = [0.001, 0.01, 0.05, 0.15, 1];
  const sizeOf = (from: number, to: number) =>
    limits.find((limit) => Math.abs(to - from) <= limit * Math.abs(from)) ?? null;
  return [...limits, null].map((upTo) => {
    const some = revised.filter(([from, to]) => sizeOf(from, to) === upTo);
    const down = some.filter(([from, to]) => to < from).length;
    return { upTo, down, up: some.length - down };
  });
}

function totals(
  dataset: DatasetName,
  before: readonly Row[],
  after: readonly Row[],
  arrived: ReadonlySet<Row>,
) {
  const found = [];
  const placeOf = ({ country, year }: Row) => JSON.stringify([country, year]);
  const known = new Set(before.map(placeOf));
  for (const metric of metricNames(dataset).filter((name) => datasetOf(dataset).metrics[name]?.addsUp)) {
    for (const forecast of [false, true]) {
      for (const fx of dataset === 'ggr' ? ['EUR', 'USD'] : [null]) {
        for (const year of VALUES.year ?? []) {
          const sum = (rows: readonly Row[], which = (_: Row) => true) => {
            // A state belongs to its country's row, whatever the `calculation` of each.
            const nationOf = (row: Row) => keyOf(dataset, { ...row, state: '', calculation: '' });
            const whole = new Set(rows.filter(({ state }) => state === '').map(nationOf));
            const counted = rows
              .filter((row) => row.year === year && (fx === null || row.fx === fx) && which(row))
              .filter((row) => (row.temporal === 'Forecast' || arrived.has(row)) === forecast)
              .filter((row) => row.state === '' || !whole.has(nationOf(row)))
              .flatMap((row) => row[metric] ?? []);
            return counted.length === 0 ? null : counted.reduce<number>((a, b) => a + Number(b), 0);
          };
          const [old, fresh] = [sum(before), sum(after)];
          const joiners = [...new Set(after.map(({ country }) => country))].flatMap((country) => {
            const by = sum(after, (row) => row.country === country && !known.has(placeOf(row)));
            return by === null ? [] : [{ country, by: nearly(by) }];
          });
          if (old === null && fresh === null) continue;
          found.push({
            metric,
            fx,
            year: Number(year),
            forecast,
            closed: Number(year) < 2026,
            before: nearly(old),
            after: nearly(fresh),
            arrived: forecast ? nearly(sum(after, (row) => arrived.has(row)) ?? 0) : 0,
            joined: nearly(sum(after, (row) => !known.has(placeOf(row))) ?? 0),
            joiners: joiners.sort((a, b) => byCodePoints(String(a.country), String(b.country))),
          });
        }
      }
    }
  }
  return found;
}

/** The last digits of a sum of doubles depend on the order of adding, and on values that cancel out. */
const nearly = (sum: number | null) =>
  sum === null ? null : expect.closeTo(sum, Math.abs(sum) > 1e6 ? 0 : 3);

function coverage(before: readonly Row[], after: readonly Row[]) {
  const name = ({ country, year }: Row) => JSON.stringify([country, year]);
  const [old, fresh] = [countBy(before, name), countBy(after, name)];
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .map((at) => {
      const [country, year] = JSON.parse(String(at));
      return { country, year, before: old.get(at) ?? 0, after: fresh.get(at) ?? 0 };
    })
    .filter((at) => at.before !== at.after)
    .sort((a, b) => order(a.country, b.country) || a.year - b.year);
}

function countBy(rows: readonly Row[], groupOf: (row: Row) => string | number) {
  const counts = new Map<string | number, number>();
  for (const row of rows) counts.set(groupOf(row), (counts.get(groupOf(row)) ?? 0) + 1);
  return counts;
}

const order = (a: string | number | null | undefined, b: string | number | null | undefined) =>
  typeof a === 'number' ? a - Number(b) : Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));

const inOrder = (dataset: DatasetName) => (a: Row, b: Row) => {
  for (const dimension of rowOrder(dataset)) {
    const found = order(a[dimension], b[dimension]);
    if (found !== 0) return found;
  }
  return 0;
};
