// GET /v1/changes: the rows that differ between two snapshots of a dataset.

import type { Rendering } from '../../cache/rendering.ts';
import type { Table } from '../../catalog/columns.ts';
import { type DimensionName, datasetOf, isText, metricNames } from '../../catalog/datasets.ts';
import { tableOf } from '../../catalog/snapshot.ts';
import { type ChangedRows, changeAt, NO_ROW } from '../../query/computations/changedRows.ts';
import { encodeCursor, expectSameWalk } from '../../query/cursor.ts';
import { filtersApplied } from '../../query/filtersApplied.ts';
import { CHANGES, type Change } from '../../query/parameters/parameterRules.ts';
import { parseChanges } from '../../query/parameters/parse.ts';
import { type Frame, type FrameColumn, textColumn } from '../../query/rendering/frame.ts';
import { compile } from '../../query/selection/compile.ts';
import type { PageRequest } from '../../query/selection/cutPage.ts';
import { maskOf, meetsAll } from '../../query/selection/masks.ts';
import { inSlices, type Slices } from '../../query/slices.ts';
import type { Endpoint, RenderSource } from './endpoint.ts';
import { jsonDraft, recordsOf } from './jsonRendering.ts';
import { metaHeader } from './metaHeader.ts';
import { PAGE_REPRESENTATIONS } from './negotiate.ts';

type ChangesQuery = ReturnType<typeof parseChanges>;

export const changes: Endpoint<ChangesQuery> = {
  name: 'changes',
  representations: PAGE_REPRESENTATIONS,
  parse: parseChanges,
  checkCursor(query, cursor, { fingerprint }, base) {
    const walk = walkOf(query, base?.fingerprint ?? '');
    expectSameWalk(cursor, { ...query, walk }, { fingerprint, rows: Number.POSITIVE_INFINITY });
  },
  render,
};

/**
 * The texts that distinguish walks over changes with the same filters on the same newer snapshot. The digest in a cursor
 * covers them.
 */
const walkOf = ({ changes }: ChangesQuery, sinceFingerprint: string) => [
  'changes',
  sinceFingerprint,
  ...CHANGES.filter((change) => changes.includes(change)),
];

/** How long the selection of a page keeps the event loop to itself. */
const SLICE_MS = 1;

async function render(query: ChangesQuery, source: RenderSource): Promise<Rendering> {
  const { snapshot, base, after, computations, representation, buffers, disconnectSignal } = source;
  if (base === null) throw new Error('changes are between two snapshots');
  const { dataset, limitRows } = query;
  const [older, newer] = [tableOf(base, dataset), tableOf(snapshot, dataset)];
  const signal = disconnectSignal?.();
  const job = { tables: [older, newer] } as const;
  const found = await computations.changes([base, snapshot], job, signal);
  const compared = { older, newer, found };
  const slices = inSlices(SLICE_MS, signal);
  const { page, hasMore, counts } = await selectPage(query, compared, { after, limitRows }, slices);
  const walk = walkOf(query, base.fingerprint);
  const last = page.at(-1);
  const { id, fingerprint } = snapshot;
  const cursor =
    hasMore && last !== undefined
      ? encodeCursor({ ...query, walk }, { id, fingerprint, sinceId: base.id }, last)
      : null;
  const frame = () => frameOf(compared, page);
  const meta = {
    dataset,
    since: base.id,
    until: id,
    filters_applied: filtersApplied(query, newer),
    row_count: page.length,
    counts,
  };
  const draftJson = () =>
    jsonDraft({ meta, data: dataOf(dataset, frame()), pagination: { cursor, has_more: cursor !== null } });
  return {
    startDraft: () => representation.draftPage({ draftJson, frame, meta }, buffers),
    nextCursor: cursor,
    metaHeader: metaHeader({ since: base.id, until: id, counts }),
  };
}

/** Two snapshots of a dataset, and all rows in which they differ. */
interface ComparedTables {
  readonly older: Table;
  readonly newer: Table;
  readonly found: ChangedRows;
}

interface SelectedChanges {
  /** The changes on the page, as indices into all changes. */
  readonly page: readonly number[];
  readonly hasMore: boolean;
  /** The number of changes of each kind that the filters select, on all pages. */
  readonly counts: Record<Change, number>;
}

/**
 * Selects the changes that the filters and the kinds of the query keep. The filters test a removed row in the older
 * table, and any other row in the newer table.
 */
async function selectPage(
  query: ChangesQuery,
  { older, newer, found }: ComparedTables,
  { after, limitRows }: PageRequest,
  slices: Slices,
): Promise<SelectedChanges> {
  const [isSelectedInOlder, isSelectedInNewer] = [predicateOf(query, older), predicateOf(query, newer)];
  const counts = { added: 0, removed: 0, revised: 0 };
  const page: number[] = [];
  let hasMore = false;
  for (let i = 0; i < found.before.length; i++) {
    if (i % ROWS_PER_CHECK === 0 && slices.isOver()) await slices.next();
    const [before = NO_ROW, row = NO_ROW] = [found.before[i], found.after[i]];
    if (!(row === NO_ROW ? isSelectedInOlder(before) : isSelectedInNewer(row))) continue;
    const change = changeAt(found, i);
    counts[change] += 1;
    if (i <= after || !query.changes.includes(change)) continue;
    if (page.length < limitRows) page.push(i);
    else hasMore = true;
  }
  return { page, hasMore, counts };
}

/** The number of changes that are tested between two checks whether the slice is over. */
const ROWS_PER_CHECK = 2 ** 12;

function predicateOf(query: ChangesQuery, table: Table): (row: number) => boolean {
  const compiled = compile(query, table);
  if (typeof compiled === 'string') return () => compiled === 'everything';
  const masks = compiled.conditions.map(maskOf);
  return (row) => meetsAll(masks, row);
}

/** The columns `change`, the dimensions, `before_<metric>` of each metric, then `after_<metric>`. */
function frameOf({ older, newer, found }: ComparedTables, page: readonly number[]): Frame {
  const rows = page.map((i) => ({ before: found.before[i] ?? NO_ROW, after: found.after[i] ?? NO_ROW }));
  const { dataset } = newer;
  const dimensions = datasetOf(dataset).dimensions.map((name): FrameColumn => {
    const texts = rows.map(({ before, after }) => {
      const column = (after === NO_ROW ? older : newer).dimensions.get(name);
      return column?.values[column.codes[after === NO_ROW ? before : after] ?? 0] ?? '';
    });
    if (isText(name)) return textColumn(name, texts, valuesOf(older, name) + valuesOf(newer, name));
    return { kind: 'integer', name, numbers: Int32Array.from(texts, Number) };
  });
  const metric = (name: string, side: 'before' | 'after'): FrameColumn => ({
    kind: 'number',
    name: `${side}_${name}`,
    numbers: Float64Array.from(
      rows,
      (row) => (side === 'before' ? older : newer).metrics.get(name)?.[row[side]] ?? Number.NaN,
    ),
  });
  return {
    rows: rows.length,
    columns: [
      textColumn(
        'change',
        page.map((i) => changeAt(found, i)),
        CHANGES.length,
      ),
      ...dimensions,
      ...metricNames(dataset).map((name) => metric(name, 'before')),
      ...metricNames(dataset).map((name) => metric(name, 'after')),
    ],
  };
}

const valuesOf = ({ dimensions }: Table, name: DimensionName): number =>
  dimensions.get(name)?.values.length ?? 0;

function dataOf(dataset: Table['dataset'], frame: Frame) {
  return recordsOf(frame).map(({ change, ...record }) => {
    const side = (name: string) =>
      Object.fromEntries(metricNames(dataset).map((metric) => [metric, record[`${name}_${metric}`]]));
    return {
      change,
      dimensions: Object.fromEntries(datasetOf(dataset).dimensions.map((name) => [name, record[name]])),
      before: change === 'added' ? null : side('before'),
      after: change === 'removed' ? null : side('after'),
    };
  });
}
