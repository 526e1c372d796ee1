// Measures the command that publishes a month, from the sources to the snapshot, with all checks.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { RULES } from '../ingest/guards/finding.ts';
import { rowOrder } from '../src/catalog/datasets.ts';
import { publishMonthBefore } from './benchSnapshots.ts';
import { type Sources, type SourcesName, severalFiles, sourcesOf } from './benchSources.ts';
import { type Figure, median, ofRounds } from './figure.ts';
import { expectEqual, HERE, inTurns, measured, measureProgram, type ResourceUse } from './harness.ts';
import { phasesOfPublish } from './monthPhases.ts';
import { pythonWith } from './python.ts';

const ROUNDS = 3;
const MB = 1e6;

const publish = (directory: string, month: string, dataDir: string) =>
  measured('../ingest/cli.js', ['publish', directory, '--month', month, ...ACCEPTED], { DATA_DIR: dataDir });

/**
 * Accepts the findings of all guards: one row in a hundred is new and two are revised at random, so any guard may refuse.
 */
const ACCEPTED = RULES.flatMap((rule) => ['--accept', rule, '--reason', 'the rows have no meaning']);

/** Publishes a month of typical size. The reference is fastexcel with DuckDB. */
export const fromSmallWorkbook = () =>
  besideFastexcel('small', '30,000 × 11 workbook', { wall: { mark: 1.5 } });

/** Publishes the largest possible sheet. The reference is fastexcel with DuckDB. */
export const fromWorkbook = () =>
  besideFastexcel('workbook', '1,048,575 × 11 workbook', {
    wall: { mark: 0.8 },
    memory: { atMost: 400 },
  });

/** Publishes a sheet with years as columns: 703,000 facts in 37,000 rows. The reference is fastexcel with DuckDB. */
export const fromWideWorkbook = () =>
  besideFastexcel('wide', '37,000 × 28 wide workbook', { wall: { mark: 1 } });

/** Publishes the largest possible sheet. The reference is SheetJS, the usual library for JavaScript. */
export const besideSheetJs = () =>
  fromFile('workbook', 'workbook beside SheetJS', SHEETJS, { wall: { mark: 0.333 } });

/** Publishes the largest possible sheet. The reference is polars. */
export const besidePolars = () =>
  besidePython('workbook', 'workbook beside polars', POLARS, { wall: { mark: 1 }, memory: { mark: 1 } });

/** Publishes a csv of a million rows. The reference is DuckDB alone. */
export const fromCsv = () =>
  fromFile('csv', '1,000,000 × 11 csv', script('duckdbCsv.js', 'DuckDB alone, no checks'), {
    wall: { mark: 1.5 },
  });

/** Publishes a Parquet file of three million rows. The reference is DuckDB alone. */
export const fromParquet = () =>
  fromFile('parquet', '3,000,000 × 11 Parquet', script('duckdbParquet.js', 'DuckDB alone, no checks'), {
    wall: { mark: 1.5 },
  });

/** Publishes a month of several files. The reference publishes each of the files as a month, one after the other. */
export async function fromSeveralFiles(): Promise<Figure[]> {
  const { whole, parts } = await severalFiles();
  const used = await inTurns(ROUNDS, {
    whole: () => inTemporaryFolder((dataDir) => publish(whole.directory, '2026-11', dataDir)),
    parts: async () => {
      let wallMs = 0;
      for (const { directory } of parts)
        wallMs += (await inTemporaryFolder((dataDir) => publish(directory, '2026-11', dataDir))).wallMs;
      return { wallMs };
    },
  });
  return [
    {
      what: '1,048,575 rows in 4 workbooks: wall',
      unit: 's',
      ...ofRounds(used.whole.map(({ wallMs }) => wallMs / 1000)),
      reference: median(used.parts.map(({ wallMs }) => wallMs / 1000)),
      referenceName: 'the sum of its parts',
      better: 'lower',
      mark: 0.65,
    },
  ];
}

interface Goals {
  readonly wall?: Pick<Figure, 'mark' | 'atMost'>;
  readonly memory?: Pick<Figure, 'mark' | 'atMost'>;
}

/** A program that sorts a source into a Parquet file, and prints the number of rows and the sum of ggr in cents. */
interface Reference {
  readonly name: string;
  readonly run: (source: string, target: string) => Promise<ResourceUse>;
}

const script = (file: string, name: string): Reference => ({
  name,
  run: (source, target) => measured(file, [source, target]),
});

const SHEETJS = script('sheetjs.js', 'SheetJS, no checks');

/** A Python script of `bench/`, and the name of the reference that it implements. */
type PythonScript = readonly [file: string, name: string];

const POLARS: PythonScript = ['calamine.py', 'calamine + polars, no checks'];
const FASTEXCEL: PythonScript = ['fastexcel_duckdb.py', 'fastexcel + DuckDB, no checks'];

const besideFastexcel = (name: SourcesName, title: string, goals: Goals) =>
  besidePython(name, title, FASTEXCEL, goals);

/**
 * Publishes a source. The reference is a Python script. When its packages cannot be installed, there are no figures, and a
 * line on stderr says why.
 */
async function besidePython(
  source: SourcesName,
  title: string,
  [file, name]: PythonScript,
  goals: Goals,
): Promise<Figure[]> {
  const python = await pythonWith(path.join(SOURCES, 'requirements.txt'));
  if ('missing' in python) {
    process.stderr.write(`no Python reader to compare with: ${python.missing}\n`);
    return [];
  }
  const run: Reference['run'] = (from, to) =>
    measureProgram(python.interpreter, [path.join(SOURCES, file), from, to, ...rowOrder('ggr')]);
  return await fromFile(source, title, { name, run }, goals);
}

/** The source folder of the benchmarks, with the Python scripts, which are not compiled. */
const SOURCES = path.join(HERE, '../../bench');

/**
 * Publishes a source over a snapshot with nearly the same rows. The reference only reads, sorts and writes the rows.
 */
async function fromFile(
  name: SourcesName,
  title: string,
  reference: Reference,
  goals: Goals,
): Promise<Figure[]> {
  const sources = await sourcesOf(name);
  const current = await snapshotBefore(name, sources);
  const used = await inTurns(ROUNDS, {
    ours: () =>
      inTemporaryFolder((folder) => {
        const dataDir = path.join(folder, 'data');
        cpSync(current, dataDir, { recursive: true, verbatimSymlinks: true });
        return publishAndCheck(sources, dataDir);
      }),
    reference: () => inTemporaryFolder((folder) => runReference(reference, sources, folder)),
  });
  const figure = (
    what: string,
    unit: string,
    measure: (used: ResourceUse) => number,
    goal?: Goals['wall'],
  ): Figure => ({
    what: `${title}: ${what}`,
    unit,
    ...ofRounds(used.ours.map(measure)),
    reference: median(used.reference.map(measure)),
    referenceName: reference.name,
    better: 'lower',
    ...goal,
  });
  return [
    figure('wall', 's', ({ wallMs }) => wallMs / 1000, goals.wall),
    figure('CPU', 's', ({ cpuMs }) => cpuMs / 1000),
    figure('peak memory', 'MB', ({ peakBytes }) => peakBytes / MB, goals.memory),
  ];
}

/** A data directory whose current snapshot is the month before the source. It is made once and used by later runs. */
async function snapshotBefore(name: SourcesName, { directory, file, facts }: Sources): Promise<string> {
  const dataDir = path.join(os.tmpdir(), `data-api-bench-before-${path.basename(directory)}-${facts}`);
  if (existsSync(path.join(dataDir, 'current'))) return dataDir;
  await inTemporaryFolder(async (first) => {
    await publish(directory, '2026-10', first);
    const published = path.join(first, 'snapshots', '2026-10.1');
    await publishMonthBefore(published, path.basename(file), dataDir);
  });
  expectEqual(`the snapshot before ${name}`, existsSync(path.join(dataDir, 'current')), true);
  return dataDir;
}

/** Publishes the second month of the sample over the first, with comparison, guards and report. Also verifies the first. */
export async function sampleMonth(): Promise<Figure[]> {
  return inTemporaryFolder(async (dataDir) => {
    const sources = path.join(dataDir, 'sources');
    const overTheFirst = async (fresh: string) => {
      copyFirstMonth(dataDir, fresh);
      return await publish(path.join(sources, '2026-11'), '2026-11', fresh);
    };
    execFileSync(process.execPath, [path.join(HERE, '../ingest/sample/cli.js'), sources], {
      stdio: 'ignore',
    });
    await publish(path.join(sources, '2026-10'), '2026-10', dataDir);
    const used = await inTurns(ROUNDS, {
      publish: () => inTemporaryFolder(overTheFirst),
      verify: () => measured('../ingest/cli.js', ['verify'], { DATA_DIR: dataDir }),
    });
    const { phases } = await inTurns(ROUNDS, {
      phases: () =>
        inTemporaryFolder((fresh) => {
          copyFirstMonth(dataDir, fresh);
          return phasesOfPublish(path.join(sources, '2026-11'), '2026-11', fresh);
        }),
    });
    const phase = (name: string) => ofRounds(phases.map((one) => (one[name] ?? Number.NaN) / 1000));
    const wall = (rounds: readonly ResourceUse[]) => median(rounds.map(({ wallMs }) => wallMs / 1000));
    return [
      { what: 'sample month: publish', unit: 's', value: wall(used.publish), better: 'lower', atMost: 3 },
      { what: 'sample month: verify', unit: 's', value: wall(used.verify), better: 'lower' },
      {
        what: 'sample month: comparing and guarding',
        unit: 's',
        ...phase('comparing'),
        better: 'lower',
        atMost: 0.3,
      },
      { what: 'sample month: report', unit: 's', ...phase('reporting'), better: 'lower', atMost: 0.3 },
    ];
  });
}

/** Copies the snapshots of `dataDir` into the folder `fresh`, and makes the first month current there. */
function copyFirstMonth(dataDir: string, fresh: string): void {
  cpSync(path.join(dataDir, 'snapshots'), path.join(fresh, 'snapshots'), { recursive: true });
  symlinkSync(path.join('snapshots', '2026-10.1'), path.join(fresh, 'current'));
}

/** Publishes a month, and checks in the manifest that all generated rows were published. */
async function publishAndCheck(sources: Sources, dataDir: string): Promise<ResourceUse> {
  const used = await publish(sources.directory, '2026-11', dataDir);
  const manifest = JSON.parse(readFileSync(path.join(dataDir, 'current', 'manifest.json'), 'utf8'));
  expectEqual('rows of ggr', manifest.datasets.ggr.rows, sources.facts);
  expectEqual('cents of ggr', Math.round(manifest.datasets.ggr.metrics.ggr.sum * 100), sources.sumCents);
  return used;
}

async function runReference(
  { name, run }: Reference,
  sources: Sources,
  folder: string,
): Promise<ResourceUse> {
  const file = path.join(folder, 'ggr.parquet');
  const used = await run(sources.file, file);
  const [rows, cents] = used.stdout.split(' ').map(Number);
  expectEqual(`rows that ${name} wrote`, rows, sources.facts);
  expectEqual(`cents that ${name} wrote`, cents, sources.sumCents);
  if (!existsSync(file)) throw new Error(`${name} wrote no file`);
  return used;
}

async function inTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'data-api-bench-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
