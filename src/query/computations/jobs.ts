// Describes the long computations over columns as jobs: the input, the result and the function of each.

import type { Table } from '../../catalog/columns.ts';
import type { DimensionName } from '../../catalog/datasets.ts';
import type { CompiledQuery, Condition } from '../selection/compile.ts';
import type { Slices } from '../slices.ts';
import { type ChangedRows, findChangedRows } from './changedRows.ts';
import { computeTotals, type TotalsResult } from './computeTotals.ts';
import { countValues, type ValueCounts } from './countValues.ts';

/** The input and the result of each kind of job. All of the input except the tables can be copied to another thread. */
export interface JobKinds {
  readonly values: {
    readonly job: {
      readonly tables: readonly [table: Table];
      readonly conditions: readonly ConditionCodes[];
      readonly dimensions: readonly DimensionName[];
    };
    readonly result: ValueCounts;
  };
  readonly totals: {
    readonly job: {
      readonly tables: readonly [table: Table];
      readonly selected: SelectedCodes;
      readonly by: readonly DimensionName[];
    };
    readonly result: TotalsResult;
  };
  readonly changes: {
    readonly job: { readonly tables: readonly [older: Table, newer: Table] };
    readonly result: ChangedRows;
  };
}

export type JobKind = keyof JobKinds;
export type Job<Kind extends JobKind> = JobKinds[Kind]['job'];
export type Result<Kind extends JobKind> = JobKinds[Kind]['result'];

/** A condition without its column. */
export type ConditionCodes = Pick<Condition, 'dimension' | 'codes'>;

/** A compiled query without its columns. */
export type SelectedCodes = 'nothing' | 'everything' | readonly ConditionCodes[];

/** Runs a job, on the event loop or in a thread. */
export type RunJob = <Kind extends JobKind>(
  kind: Kind,
  job: Job<Kind>,
  stop: AbortSignal,
) => Promise<Result<Kind>>;

/** Computes a job in this thread, in slices. */
export function compute<Kind extends JobKind>(
  kind: Kind,
  job: Job<Kind>,
  slices: Slices,
): Promise<Result<Kind>> {
  return COMPUTE[kind](job, slices);
}

const COMPUTE: {
  readonly [Kind in JobKind]: (job: Job<Kind>, slices: Slices) => Promise<Result<Kind>>;
} = {
  values: ({ tables: [table], conditions, dimensions }, slices) =>
    countValues(table, withColumns(table, conditions), dimensions, slices),
  totals: ({ tables: [table], selected, by }, slices) =>
    computeTotals(
      table,
      typeof selected === 'string' ? selected : { conditions: withColumns(table, selected) },
      by,
      slices,
    ),
  changes: ({ tables: [older, newer] }, slices) => findChangedRows(older, newer, slices),
};

const withColumns = (table: Table, conditions: readonly ConditionCodes[]): Condition[] =>
  conditions.flatMap(({ dimension, codes }) => {
    const column = table.dimensions.get(dimension);
    return column ? [{ dimension, column, codes }] : [];
  });

/** Removes the columns from conditions, for a job. `withColumns` adds them again. */
export const withoutColumns = (conditions: readonly Condition[]): ConditionCodes[] =>
  conditions.map(({ dimension, codes }) => ({ dimension, codes }));

/** Removes the columns from a compiled query, for a job. */
export const selectedCodes = (compiled: CompiledQuery): SelectedCodes =>
  typeof compiled === 'string' ? compiled : withoutColumns(compiled.conditions);
