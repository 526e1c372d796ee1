// Compares two snapshots under the filters: counts of changes, the largest revisions, and the sums of both.

import { unitOf } from '../model/chart.ts';
import type { Unit } from '../model/format.ts';
import { pairsOf, type Selection } from '../model/resolve.ts';
import { type Series, within } from '../model/series.ts';
import { chartAnswer } from './chartAnswer.ts';
import type { Failure, Pairs } from './client.ts';
import { type Context, isFailure } from './selection.ts';
import type { Cells, Change, Changes } from './shapes.ts';

export interface Comparison {
  readonly counts: Changes['meta']['counts'];
  /** The loaded revisions, the largest first. */
  readonly revisions: readonly Revision[];
  /** How many revised rows were loaded. */
  readonly loaded: number;
  /** Null where values do not add up. */
  readonly lines: ComparedLines | null;
}

export interface Revision {
  readonly dimensions: Cells;
  readonly before: number | null;
  readonly after: number | null;
}

export interface ComparedLines {
  readonly before: Series;
  readonly after: Series;
  readonly unit: Unit;
}

/** How many pages of 1,000 revised rows are loaded. Narrower filters reach the other rows. */
const MAX_PAGES = 3;

/** `context.snapshot` is the newer of the two. */
export async function compared(
  selection: Selection,
  since: string,
  context: Context,
): Promise<Comparison | Failure> {
  const { dataset, metric, filters, period } = selection;
  const pairs: Pairs = [
    ['dataset', dataset.name],
    ['since', since],
    ...pairsOf(filters, period),
    ['limit', '1000'],
  ];
  // The counts include added and removed rows, although only revised rows are asked for.
  const first = await context.ask<Changes>('/v1/changes', [...pairs, ['change', 'revised']], context);
  if (first.kind !== 'ok') return first;
  const found: Change[] = [...first.body.data];
  let { cursor } = first.body.pagination;
  for (let pages = 1; cursor !== null && pages < MAX_PAGES; pages++) {
    const next = await context.ask<Changes>(
      '/v1/changes',
      [...pairs, ['change', 'revised'], ['cursor', cursor]],
      context,
    );
    if (next.kind !== 'ok') return next;
    found.push(...next.body.data);
    cursor = next.body.pagination.cursor;
  }
  const name = metric?.name ?? '';
  const revisions = found
    .map(({ dimensions, before, after }) => ({
      dimensions,
      before: before?.[name] ?? null,
      after: after?.[name] ?? null,
    }))
    .filter(({ before, after }) => before !== after)
    .sort((a, b) => sizeOf(b) - sizeOf(a));
  const lines = await comparedLines(selection, since, context);
  if (lines !== null && isFailure(lines)) return lines;
  return { counts: first.body.meta.counts, revisions, loaded: found.length, lines };
}

const sizeOf = ({ before, after }: Revision): number => Math.abs((after ?? 0) - (before ?? 0));

/** The sums by year in both snapshots; null where the API refuses a sum. */
async function comparedLines(
  selection: Selection,
  since: string,
  context: Context,
): Promise<ComparedLines | Failure | null> {
  if (selection.metric === null || !selection.metric.adds_up) return null;
  const whole: Selection = { ...selection, by: null };
  const counted = { selection: whole, counts: { meta: { row_count: 1 }, values: {} } };
  const [after, before] = await Promise.all(
    [context.snapshot, since].map((snapshot) => chartAnswer(counted, { ...context, snapshot })),
  );
  if (after === undefined || before === undefined) return null;
  if (isFailure(after)) return after;
  if (isFailure(before)) return before;
  if (after.kind !== 'chart' || before.kind !== 'chart') return null;
  const [newer, older] = [after.data.series[0], before.data.series[0]];
  if (newer === undefined || older === undefined) return null;
  const { first, last } = selection.period ?? { first: -Infinity, last: Infinity };
  const cut = (series: Series, label: string): Series => ({ ...within(series, first, last), name: label });
  return { before: cut(older, 'before'), after: cut(newer, 'after'), unit: unitOf(after.data) };
}
