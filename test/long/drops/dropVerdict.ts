// Reads the files of a month like a first load, and compares the rows of ggr with those that a person would read.

import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { AcceptedYears } from '../../../ingest/checks/acceptedYears.ts';
import { checkRows } from '../../../ingest/checks/checks.ts';
import { Problems } from '../../../ingest/messages/problems.ts';
import { SourceCopies } from '../../../ingest/sources/sourceCopies.ts';
import { Staging } from '../../../ingest/staging/database/staging.ts';
import { stagingColumn, stagingTable } from '../../../ingest/staging/database/stagingTables.ts';
import { nothingRead } from '../../../ingest/staging/reading.ts';
import { NO_OPTIONS } from '../../../ingest/staging/readingOptions.ts';
import { readSources } from '../../../ingest/staging/readSources.ts';
import { datasetOf, dimensionOf } from '../../../src/catalog/datasets.ts';

export interface Drop {
  /** The folder with the files of the drop. */
  readonly directory: string;
  /** A folder with the csv files of the datasets that the drop lacks. */
  readonly others: string;
  /** A JSON file with the rows of ggr that a person would read. */
  readonly seen: string;
}

export interface Verdict {
  /**
   * `right`: the expected rows. `refused`: errors. `missing`: no rows, which a publish refuses. `warned`: other rows with a
   * warning. `silent`: other rows without one.
   */
  readonly verdict: 'right' | 'refused' | 'missing' | 'warned' | 'silent';
  /** The problems of the drop's own files, as `severity place: message`. */
  readonly problems: readonly string[];
  /** The first row that was read but not expected, and the first that was expected but not read. */
  readonly difference: readonly (string | undefined)[];
}

/** Reads a drop, and compares its rows with the expected ones. */
export async function dropVerdict({ directory, others, seen }: Drop): Promise<Verdict> {
  const work = await mkdtemp(path.join(os.tmpdir(), 'drop-'));
  const sources = path.join(work, 'sources');
  await cp(directory, sources, { recursive: true });
  await rm(path.join(sources, 'seen.json'), { force: true });
  const own = new Set(await readdir(sources));
  for (const name of await readdir(others))
    if (!own.has(name) && name !== 'ggr.csv') await cp(path.join(others, name), path.join(sources, name));
  await mkdir(path.join(work, 'staging'));
  const staging = await Staging.open(path.join(work, 'staging'));
  try {
    const problems = new Problems();
    const sourceCopies = new SourceCopies(path.join(work, 'staging'));
    const reading = nothingRead();
    await readSources(
      { directory: sources, workDir: path.join(work, 'staging'), onProgress: () => {} },
      { staging, problems, reading, sourceCopies, options: NO_OPTIONS, known: null },
    );
    await staging.finish();
    const present = new Set([...reading.facts].flatMap(([name, facts]) => (facts > 0 ? [name] : [])));
    const { incomplete } = reading;
    const acceptedYears = new AcceptedYears();
    const rest = { publishedValues: null, carried: new Set<never>(), acceptedYears, month: '2026-11' };
    await checkRows({ staging, present, incomplete, ...rest, problems });
    const rows = await ggrRows(staging);
    const meant = new Set((JSON.parse(await readFile(seen, 'utf8')) as unknown[][]).map(keyOf));
    const extra = [...rows].find((row) => !meant.has(row));
    const lost = [...meant].find((row) => !rows.has(row));
    const mine = problems.list().filter(({ file }) => own.has(file) || !/\.csv$/.test(file));
    const has = (...severities: readonly string[]) =>
      mine.some(({ severity }) => severities.includes(severity));
    const isRight = extra === undefined && lost === undefined;
    const verdict = has('error', 'unreadable')
      ? 'refused'
      : isRight
        ? 'right'
        : rows.size === 0
          ? 'missing'
          : has('warning')
            ? 'warned'
            : 'silent';
    return {
      verdict,
      problems: mine.map(({ severity, place, message }) => `${severity} ${place}: ${message}`),
      difference: [extra, lost],
    };
  } finally {
    staging.close();
    await rm(work, { recursive: true, force: true });
  }
}

const DIMENSIONS = datasetOf('ggr').dimensions;

async function ggrRows(staging: Staging): Promise<ReadonlySet<string>> {
  const columns = DIMENSIONS.map((name) =>
    dimensionOf(name).type === 'text'
      ? `(SELECT text FROM texts WHERE code = ${stagingColumn(name)})`
      : stagingColumn(name),
  );
  const read = await staging.connection.runAndReadAll(
    `SELECT ${columns.join(', ')}, ggr FROM ${stagingTable('ggr')}`,
  );
  return new Set(read.getRowsJS().map(keyOf));
}

/** Python may write the same figure with other last digits, so fifteen digits are compared. */
const keyOf = (row: readonly unknown[]): string =>
  JSON.stringify([
    ...row.slice(0, DIMENSIONS.length).map((cell) => (cell === null ? '' : String(cell))),
    Number(Number(row[DIMENSIONS.length]).toPrecision(15)),
  ]);
