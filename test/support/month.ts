// Builds folders of source files for tests: `await aMonth({ 'ggr.csv': '…' })` fills in the other datasets.

import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Progress } from '../../ingest/commands/output/progress.ts';
import { publishMonth } from '../../ingest/commands/publish/publishMonth.ts';
import type { PublishOptions } from '../../ingest/commands/publish/publishOptions.ts';
import type { PublishResult } from '../../ingest/commands/publish/publishResult.ts';
import { rowsToWrite } from '../../ingest/commands/publish/rowsToWrite.ts';
import { checkMonth, type StagedMonth, stageMonth } from '../../ingest/commands/publish/stagedMonth.ts';
import type { Problems } from '../../ingest/messages/problems.ts';
import { datasetNamedBy } from '../../ingest/sources/folder.ts';
import { nothingRead } from '../../ingest/staging/reading.ts';
import { type GivenOptions, NO_OPTIONS, readingOptions } from '../../ingest/staging/readingOptions.ts';
import type { CellInput, SheetInput } from '../../ingest/workbook/sheets.ts';
import { workbook } from '../../ingest/workbook/workbook.ts';
import { DATASET_NAMES, type DatasetName, datasetOf, metricNames } from '../../src/catalog/datasets.ts';
import type { Manifest } from '../../src/catalog/manifest.ts';
import { readConfig } from '../../src/config/config.ts';
import { openStaging } from './openStaging.ts';
import { aRow, type Row, type Rows, share, sharedFolder } from './snapshot.ts';

/** A file's content: csv text, bytes as they are, or the sheets of a workbook. */
export type Content = string | Uint8Array | readonly SheetInput[];

/** Rows of a dataset as csv text, with its column names as headings. */
export function csvOf(dataset: DatasetName, rows: readonly Row[] = [aRow(dataset)]): string {
  const columns = [...datasetOf(dataset).dimensions, ...metricNames(dataset)];
  const quote = (cell: string | number | null | undefined) =>
    /[",\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell ?? '');
  return [columns, ...rows.map((row) => columns.map((column) => row[column]))]
    .map((line) => `${line.map(quote).join(',')}\n`)
    .join('');
}

/**
 * A csv file of the rows of each dataset. If `rows` has no lookup country_reference, one with all their countries is added.
 */
export function filesOf(rows: Rows): Record<string, string> {
  const all = [aRow('country_reference'), ...Object.values(rows).flat()];
  const regions = new Map(all.map(({ country = null, region = 'Europe' }) => [country, region]));
  const lookup = [...regions].map(([country, region]) => aRow('country_reference', { country, region }));
  return Object.fromEntries(
    Object.entries({ country_reference: lookup, ...rows }).map(([name, each]) => [
      `${name}.csv`,
      csvOf(name as DatasetName, each),
    ]),
  );
}

/** Rows of a dataset as cells below their heading, for a sheet. */
export function cellsOf(dataset: DatasetName, rows: readonly Row[] = [aRow(dataset)]): CellInput[][] {
  const columns = [...datasetOf(dataset).dimensions, ...metricNames(dataset)];
  return [
    columns,
    ...rows.map((row) => columns.map((column) => (row[column] === '' ? null : (row[column] ?? null)))),
  ];
}

/** The options of a plain publish of November 2026. */
export const publishDefaults = (): Omit<PublishOptions, 'dataDir' | 'directory'> => ({
  month: '2026-11',
  recipe: null,
  carry: [],
  dryRun: false,
  strict: false,
  reading: NO_OPTIONS,
  guards: readConfig({}).guards,
  accept: [],
  acceptYears: [],
  damagedCurrentReason: null,
  at: new Date(),
  store: null,
});

/** A month after reading and checking, before files are written. */
export interface ReadMonth {
  /** The problems as texts `severity place: message`. */
  readonly problems: readonly string[];
  /** All staged rows of one dataset as returned by SQL, even when the month is rejected. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** The field `reading` of the manifest. */
  readonly recorded: Manifest['reading'];
}

export const SILENT: Progress = { phase: () => {}, update: () => {}, end: () => {} };

export interface Month {
  /** The folder of sources. */
  readonly directory: string;
  readonly dataDir: string;
  /** Publishes in this process. */
  publish(options?: Partial<PublishOptions>, progress?: Progress): Promise<PublishResult>;
  /** The problems that reading and checking find, as `severity place: message`; nothing is written or compared. */
  problems(options?: Partial<PublishOptions>): Promise<string[]>;
  /** Reads and checks the month; also returns the staged rows of a dataset. */
  read(dataset: DatasetName, options?: Partial<PublishOptions>): Promise<ReadMonth>;
  write(files: Readonly<Record<string, Content>>): Promise<void>;
  remove(): Promise<void>;
}

/**
 * A folder with these files and an empty data directory. A dataset whose name no file has gets a csv with one row, unless
 * `only` is true.
 */
export async function aMonth(files: Readonly<Record<string, Content>> = {}, only = false): Promise<Month> {
  const month = new SourceMonth(await mkdtemp(path.join(os.tmpdir(), 'month-')));
  await mkdir(month.directory);
  const named = new Set(Object.keys(files).map((file) => datasetNamedBy(path.parse(file).name)));
  const missing = DATASET_NAMES.filter((name) => !only && !named.has(name));
  await month.write(Object.fromEntries(missing.map((name) => [`${name}.csv`, csvOf(name)])));
  await month.write(files);
  return month;
}

class SourceMonth implements Month {
  readonly directory: string;
  readonly dataDir: string;
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
    this.directory = path.join(root, 'sources');
    this.dataDir = path.join(root, 'data');
  }

  async write(files: Readonly<Record<string, Content>>): Promise<void> {
    for (const [name, content] of Object.entries(files)) {
      const isData = typeof content === 'string' || content instanceof Uint8Array;
      const data = isData ? content : workbook(content, { level: 0 });
      await writeFile(path.join(this.directory, name), data);
    }
  }

  publish(options: Partial<PublishOptions> = {}, progress = SILENT): Promise<PublishResult> {
    return publishMonth(this.#optionsOf(options), progress);
  }

  problems(options: Partial<PublishOptions> = {}): Promise<string[]> {
    return this.#staged(options, ({ problems }) => textsOf(problems));
  }

  read(dataset: DatasetName, options: Partial<PublishOptions> = {}): Promise<ReadMonth> {
    return this.#staged(options, async ({ problems, staging, reading: { recorded }, ...checked }, all) => {
      const { select } = rowsToWrite(nothingRead(), staging, all)[dataset];
      const found = await staging.connection.runAndReadAll(select);
      return {
        problems: textsOf(problems),
        rows: found.getRowObjectsJS(),
        recorded: [...checked.options.recorded, ...recorded],
      };
    });
  }

  /** Reads and checks the month, and calls `use` while its rows are staged. */
  async #staged<T>(
    options: Partial<PublishOptions>,
    use: (checked: StagedMonth, all: PublishOptions) => T | Promise<T>,
  ): Promise<T> {
    const workDir = path.join(this.#root, 'work');
    await mkdir(workDir);
    const all = this.#optionsOf(options);
    const staging = await openStaging();
    try {
      const month = await stageMonth(all, staging, workDir, SILENT);
      await checkMonth(all, month, SILENT);
      return await use(month, all);
    } finally {
      staging.close();
      await rm(workDir, { recursive: true });
    }
  }

  #optionsOf(options: Partial<PublishOptions>): PublishOptions {
    return { dataDir: this.dataDir, directory: this.directory, ...publishDefaults(), ...options };
  }

  remove(): Promise<void> {
    return rm(this.#root, { recursive: true, force: true });
  }
}

const textsOf = (problems: Problems) =>
  problems.list().map(({ severity, place, message }) => `${severity} ${place}: ${message}`);

/** All problems that reading and checking find in a month with these files, as `severity place: message`. */
export async function problemsOf(
  files: Readonly<Record<string, Content>>,
  given: GivenOptions = {},
): Promise<string[]> {
  const month = await aMonth(files);
  try {
    return await month.problems({ reading: readingOptions(given) });
  } finally {
    await month.remove();
  }
}

/** Like `problemsOf`, but only the problems that name one of these files. */
export async function ownProblemsOf(
  files: Readonly<Record<string, Content>>,
  given: GivenOptions = {},
): Promise<string[]> {
  const problems = await problemsOf(files, given);
  return problems.filter((text) => Object.keys(files).some((name) => text.includes(name)));
}

/**
 * A month that was published once with each of these options, in order. The publishes run once a build; each test gets a
 * copy.
 */
export async function aPublishedMonth(
  files: Readonly<Record<string, Content>> = {},
  publishes: readonly Partial<PublishOptions>[] = [{}],
): Promise<Month> {
  const shared = sharedFolder('month', JSON.stringify([files, publishes]));
  if (!existsSync(shared)) {
    const made = await aMonth(files);
    for (const options of publishes) {
      const { status } = await made.publish(options);
      if (status !== 'published') throw new Error(`the month is ${status}`);
    }
    await share(shared, (folder) => cp(made.dataDir, folder, { recursive: true, verbatimSymlinks: true }));
    await made.remove();
  }
  const month = await aMonth(files);
  await cp(shared, month.dataDir, { recursive: true, verbatimSymlinks: true });
  return month;
}
