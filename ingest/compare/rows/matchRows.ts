// Matches the rows of both sides of a dataset by all dimensions, and lists the rows that differ.

import { type DatasetName, metricNames } from '../../../src/catalog/datasets.ts';
import type { ComparisonEngine } from '../comparisonEngine.ts';
import { type ComparisonYears, isForecast } from '../comparisonYears.ts';
import type { Side, Sides } from '../side.ts';
import { type CodeArray, compareRows, type Rows } from './codedRows.ts';
import { codeTypes } from './codeSql.ts';
import { Codes } from './codes.ts';
import type { EarlierRows } from './earlierRows.ts';
import { type ChangedRows, differ, type MatchedRows, type RowFlags } from './matchedRows.ts';
import { readRows } from './readRows.ts';
import { sharedBytes } from './sharedArrays.ts';
import { nationRowsOf } from './stateRows.ts';

interface SidesToMatch extends Sides<Side> {
  readonly years: ComparisonYears;
  /** Rows of `before` that were read in advance. */
  readonly earlier?: EarlierRows | null;
}

/** Reads and matches a dataset of both sides. Equal content is read once. */
export async function matchRows(
  engine: ComparisonEngine,
  dataset: DatasetName,
  { before, after, years, earlier = null }: SidesToMatch,
): Promise<MatchedRows> {
  const codes = new Codes(dataset, before.datasets[dataset], after.datasets[dataset]);
  const isSame = before.datasets[dataset].fingerprint === after.datasets[dataset].fingerprint;
  await engine.run(...codeTypes(codes));
  const reading = [
    earlier?.in(codes, before.datasets[dataset].sha256) ?? readRows(engine, codes, before, 0),
    isSame ? null : readRows(engine, codes, after, 1),
  ] as const;
  // If one side cannot be read, the caller closes the engine. So both reads must have ended before the error is thrown.
  const [old, changed] = await Promise.all(reading).finally(() => Promise.allSettled(reading));
  const fresh = changed ?? old;
  const metrics = metricNames(dataset);
  const flags = flagsOf(codes, years, old);
  const nationRowOf = nationRowsOf(codes, old);
  return {
    codes,
    years,
    metrics,
    before: old,
    after: fresh,
    changed: isSame ? NOTHING : changedRows(codes, metrics.length, old, fresh),
    flags: { before: flags, after: isSame ? flags : flagsOf(codes, years, fresh) },
    nationRowOf: { before: nationRowOf, after: isSame ? nationRowOf : nationRowsOf(codes, fresh) },
  };
}

const NOTHING: ChangedRows = { count: 0, before: new Int32Array(0), after: new Int32Array(0) };

/** The rows that differ. Both sides are sorted, so one pass over both finds these rows. */
function changedRows(codes: Codes, metrics: number, before: Rows, after: Rows): ChangedRows {
  const [keys, others] = [codes.keys.whole(before), codes.keys.whole(after)];
  const compare =
    keys !== null && others !== null
      ? (a: number, b: number) => (keys[a] as number) - (others[b] as number)
      : compareRows(codes.order, before, after);
  const olds = Array.from({ length: metrics }, (_, m) => before.values(m));
  const news = Array.from({ length: metrics }, (_, m) => after.values(m));
  const isRevised = (a: number, b: number) => {
    for (let m = 0; m < metrics; m += 1)
      if (differ((olds[m] as Float64Array)[a] as number, (news[m] as Float64Array)[b] as number)) return true;
    return false;
  };
  const capacity = before.count + after.count;
  const [oldRows, newRows] = [new Int32Array(capacity), new Int32Array(capacity)];
  let count = 0;
  const add = (oldRow: number, newRow: number) => {
    oldRows[count] = oldRow;
    newRows[count] = newRow;
    count += 1;
  };
  // The next row of each side.
  let [a, b] = [0, 0];
  while (a < before.count || b < after.count) {
    const order = a >= before.count ? 1 : b >= after.count ? -1 : compare(a, b);
    if (order === 0 && isRevised(a, b)) add(a, b);
    if (order < 0) add(a, -1);
    if (order > 0) add(-1, b);
    if (order <= 0) a += 1;
    if (order >= 0) b += 1;
  }
  return { count, before: oldRows.slice(0, count), after: newRows.slice(0, count) };
}

function flagsOf(codes: Codes, years: ComparisonYears, rows: Rows): RowFlags {
  const [forecast, settled] = [sharedBytes(rows.count), sharedBytes(rows.count)];
  const forecasts = codes.flags('temporal', (text) => isForecast(String(text)));
  const closed = codes.flags('year', (year) => years.isClosed(Number(year)));
  const temporals = forecasts.length === 0 ? null : rows.codes('temporal');
  const yearCodes = closed.length === 0 ? null : rows.codes('year');
  if (temporals !== null) fillFlags(forecast, temporals, asBytes(forecasts), settled);
  if (yearCodes !== null) fillFlags(settled, yearCodes, asBytes(closed), forecast);
  return { forecast, settled };
}

const asBytes = (flags: readonly boolean[]): Uint8Array => Uint8Array.from(flags, Number);

/** Sets the flags of rows whose code has a flag in `byCode`, unless they are set in `others`. */
function fillFlags(flags: Uint8Array, codes: CodeArray, byCode: Uint8Array, others: Uint8Array): void {
  for (let row = 0; row < flags.length; row += 1)
    flags[row] = (byCode[codes[row] as number] as number) & ~(others[row] as number);
}
