// GET /v1/totals: exact sums by group. It refuses sums that would be wrong.

import type { Rendering } from '../../cache/rendering.ts';
import type { Table } from '../../catalog/columns.ts';
import { additiveMetrics, type DimensionName } from '../../catalog/datasets.ts';
import { tableOf } from '../../catalog/snapshot.ts';
import { ApiError, invalidParameters } from '../../errors.ts';
import type { DisjointViews, Totals, TotalsResult } from '../../query/computations/computeTotals.ts';
import { selectedCodes } from '../../query/computations/jobs.ts';
import { encodeCursor, expectSameWalk, invalidCursor } from '../../query/cursor.ts';
import { filtersApplied } from '../../query/filtersApplied.ts';
import { positionsBetween } from '../../query/gather.ts';
import { noFieldErrors } from '../../query/parameters/parameters.ts';
import { parseTotals } from '../../query/parameters/parse.ts';
import { dimensionColumn, type Frame, metricColumn } from '../../query/rendering/frame.ts';
import { comparable, compile } from '../../query/selection/compile.ts';
import type { Endpoint, RenderSource } from './endpoint.ts';
import { jsonDraft, recordsOf } from './jsonRendering.ts';
import { metaHeader } from './metaHeader.ts';
import { PAGE_REPRESENTATIONS } from './negotiate.ts';

type TotalsQuery = ReturnType<typeof parseTotals> & { readonly walk: readonly string[] };

export const totals: Endpoint<TotalsQuery> = {
  name: 'totals',
  representations: PAGE_REPRESENTATIONS,
  parse(raw) {
    const query = parseTotals(raw);
    const { dataset, by } = query;
    if (additiveMetrics(dataset).length === 0)
      throw new ApiError(400, `Nothing to sum in dataset "${dataset}"`, { help: ['nothing-to-sum'] });
    return { ...query, walk: ['totals', ...by] };
  },
  checkCursor(query, cursor, { fingerprint }) {
    // The number of groups is not known yet, so `render` checks the position.
    expectSameWalk(cursor, query, { fingerprint, rows: Number.POSITIVE_INFINITY });
  },
  render,
};

async function render(query: TotalsQuery, source: RenderSource): Promise<Rendering> {
  const { snapshot, after, computations, representation, buffers, disconnectSignal } = source;
  const { dataset, by, limitRows } = query;
  const table = tableOf(snapshot, dataset);
  const job = { tables: [table], selected: selectedCodes(compile(query, table)), by } as const;
  const result = await computations.totals([snapshot], job, disconnectSignal?.());
  const summed = expectSummed(result, dataset);
  const begin = after + 1;
  const groups = summed.rowOfGroup.length;
  if (begin > 0 && begin >= groups) throw invalidCursor();
  const end = Math.min(begin + limitRows, groups);
  const cursor = end < groups ? encodeCursor(query, snapshot, end - 1) : null;
  const frame = frameOf(table, query, summed, [begin, end]);
  const remarks = remarksOn(table, query, summed);
  const meta = {
    dataset,
    by,
    filters_applied: filtersApplied(query, table),
    row_count: frame.rows,
    ...remarks,
  };
  const draftJson = () => {
    const data = recordsOf(frame).map((record) => ({
      dimensions: pick(record, by),
      values: pick(record, [...summed.sums.keys()]),
      rows_summed: record.rows_summed,
    }));
    return jsonDraft({ meta, data, pagination: { cursor, has_more: cursor !== null } });
  };
  return {
    startDraft: () => representation.draftPage({ draftJson, frame: () => frame, meta }, buffers),
    nextCursor: cursor,
    metaHeader: metaHeader(remarks),
  };
}

/** The fields of `meta` about data that the sums leave out, and the notes. A field without entries is left out. */
function remarksOn(table: Table, query: TotalsQuery, summed: Totals) {
  const notes = notesOn(table, query, summed);
  return {
    ...(summed.missing.size > 0 && { missing: Object.fromEntries(summed.missing) }),
    ...(summed.notSummed.length > 0 && { not_summed: summed.notSummed }),
    ...(summed.statesAlone.length > 0 && { states_alone: summed.statesAlone }),
    ...(summed.currenciesAlone.length > 0 && { currencies_alone: summed.currenciesAlone }),
    ...(summed.temporalAlone.length > 0 && { temporal_alone: summed.temporalAlone }),
    ...(notes.length > 0 && { notes }),
  };
}

/** The notes: facts about the sums that a reader must know and cannot see in the query. */
function notesOn(
  table: Table,
  { by, filters }: TotalsQuery,
  { disjoint, rowOfGroup, statesAlone, currenciesAlone, temporalAlone }: Totals,
): string[] {
  const notes = disjoint.map(viewsNote);
  if (statesAlone.length > 0)
    notes.push(
      'state= leaves out the countries in states_alone: in some year they have rows of states alone',
    );
  const filterValue = (name: DimensionName) => {
    const known = table.dimensions.get(name)?.codeByValue;
    return filters
      .get(name)
      ?.map((value) => comparable(name, value))
      .find((value) => known?.has(value));
  };
  if (currenciesAlone.length > 0)
    notes.push(
      `fx=${filterValue('fx')} leaves out ${firstNames(currenciesAlone)}: in some year, all their rows are in other currencies`,
    );
  if (temporalAlone.length > 0)
    notes.push(
      `temporal=${filterValue('temporal')} leaves out ${firstNames(temporalAlone)}: in some year, all their rows have another temporal`,
    );
  const states = table.dimensions.get('state');
  if (states === undefined || by.includes('state') || filters.has('state')) return notes;
  // A sum over several states would have been refused, so all rows have the state of the first.
  const state = states.values[states.codes[rowOfGroup[0] ?? 0] ?? 0] ?? '';
  return state === '' || rowOfGroup.length === 0
    ? notes
    : [...notes, `Every row summed is of state "${state}": the selection has none of a whole country`];
}

/** The note on a sum that includes several views, such as forecasts and reported values: which views, of which years. */
function viewsNote({ dimension, yearsOf }: DisjointViews): string {
  const values = [...yearsOf].map(([value, years]) => `${value} of ${yearSpans(years)}`);
  return `The sum includes several values of ${dimension}: ${values.join('; ')}. No series has two of them for one year`;
}

/** Ascending years in words: `2003 to 2024, 2026`. */
function yearSpans(years: readonly number[]): string {
  const begins = years.filter((year, i) => years[i - 1] !== year - 1);
  const ends = years.filter((year, i) => years[i + 1] !== year + 1);
  return begins.map((begin, i) => (begin === ends[i] ? `${begin}` : `${begin} to ${ends[i]}`)).join(', ');
}

/** The most countries that a note names. */
const MAX_NAMED = 10;

/** Names separated by semicolons, because names of countries have commas. */
const firstNames = (names: readonly string[]): string =>
  names.length <= MAX_NAMED
    ? names.join('; ')
    : `${names.slice(0, MAX_NAMED).join('; ')} and ${names.length - MAX_NAMED} more`;

const pick = <Value>(record: Readonly<Record<string, Value>>, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, record[name]]));

/**
 * The totals of a result.
 * @throws {ApiError} 400 when values do not add up over some dimensions, or when sums are too large for a double. It names
 *   these dimensions or metrics, and the remedy.
 */
function expectSummed(result: TotalsResult, dataset: string): Totals {
  if (result.outcome === 'summed') return result.totals;
  const fieldErrors = noFieldErrors();
  if (result.outcome === 'not additive') {
    for (const name of result.dimensions)
      fieldErrors[name] = [`${dataset} cannot be summed over ${name}: name one value, or add by=${name}`];
  } else {
    for (const name of result.metrics)
      fieldErrors[name] = [`The sum of ${name} is beyond the range of a double: select fewer rows`];
  }
  const topic = result.outcome === 'not additive' ? 'sum-refused' : 'sum-too-large';
  throw invalidParameters({ formErrors: [], fieldErrors }, [topic]);
}

/** The groups from `begin` up to, not including, `end`: the columns of `by`, the metrics and `rows_summed`. */
function frameOf(
  table: Table,
  { by }: Pick<TotalsQuery, 'by'>,
  { rowOfGroup, rowsSummed, sums }: Totals,
  [begin, end]: readonly [number, number],
): Frame {
  const rows = rowOfGroup.subarray(begin, end);
  const groups = positionsBetween(begin, begin + rows.length);
  return {
    rows: rows.length,
    columns: [
      ...by.map((name) => dimensionColumn(table, name, rows)),
      ...[...sums].map(([name, values]) => metricColumn(name, values, groups)),
      { kind: 'integer', name: 'rows_summed', numbers: Int32Array.from(rowsSummed.subarray(begin, end)) },
    ],
  };
}
