// How long a month takes from its sources to a published snapshot, with every check, through the command itself.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { rowOrder } from '../src/catalog/datasets.ts';
import { type Figure, median, ofRounds } from './figures.ts';
import { HERE, inTurns, measured, measuredProgram, mustEqual, type Used } from './harness.ts';
import { pythonWith } from './python.ts';
import { type Sources, type SourcesName, sourcesOf } from './sources.ts';

const ROUNDS = 3;
const MB = 1e6;

const publish = (directory: string, month: string, dataDir: string) =>
  measured('../ingest/cli.js', ['publish', directory, '--month', month], { DATA_DIR: dataDir });

/** The largest sheet there is, from a spreadsheet to a published snapshot. */
export const fromWorkbook = () =>
  fromFile('workbook', '1,048,575 × 11 workbook', SHEETJS, {
    wall: { mark: 0.333 },
    memory: { atMost: 700 },
  });

/** The same beside Python's fastest reader; no figures, and a line that says why, where that cannot be had. */
export async function besidePython(): Promise<Figure[]> {
  const python = await pythonWith(path.join(SOURCES, 'requirements.txt'));
  if ('interpreter' in python) {
    return fromFile('workbook', 'workbook beside Python', calamine(python.interpreter), {
      wall: { mark: 1 },
      memory: { mark: 1 },
    });
  }
  process.stderr.write(`no Python reader to compare with: ${python.missing}\n`);
  return [];
}

/** Years as columns: 703,000 facts in 37,000 rows. */
export const fromWideWorkbook = () => fromFile('wide', '37,000 × 28 wide workbook', SHEETJS, {});

export const fromCsv = () => fromFile('csv', '1,000,000 × 11 csv', DUCKDB, {});

interface Goals {
  readonly wall?: Pick<Figure, 'mark' | 'atMost'>;
  readonly memory?: Pick<Figure, 'mark' | 'atMost'>;
}

/** Reads, sorts and writes a source to a Parquet file; prints the rows and cents in it. */
interface Reference {
  readonly name: string;
  readonly run: (source: string, target: string) => Promise<Used>;
}

const script = (file: string, name: string): Reference => ({
  name,
  run: (source, target) => measured(file, [source, target]),
});

const SHEETJS = script('sheetjs.js', 'SheetJS, no checks');
const DUCKDB = script('duckdbCsv.js', 'DuckDB alone, no checks');

const calamine = (interpreter: string): Reference => ({
  name: 'calamine + polars, no checks',
  run: (source, target) =>
    measuredProgram(interpreter, [path.join(SOURCES, 'calamine.py'), source, target, ...rowOrder('ggr')]),
});

/** What is not compiled lies where it is written. */
const SOURCES = path.join(HERE, '../../bench');

/** Beside a reference that reads, sorts and writes the same rows. */
async function fromFile(
  name: SourcesName,
  title: string,
  reference: Reference,
  goals: Goals,
): Promise<Figure[]> {
  const sources = sourcesOf(name);
  const used = await inTurns(ROUNDS, {
    ours: () => inTemporaryFolder((dataDir) => publishAndCheck(sources, dataDir)),
    reference: () => inTemporaryFolder((folder) => runReference(reference, sources, folder)),
  });
  const figure = (what: string, unit: string, of: (one: Used) => number, goal?: Goals['wall']): Figure => ({
    what: `${title}: ${what}`,
    unit,
    ...ofRounds(used.ours.map(of)),
    reference: median(used.reference.map(of)),
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

/** The sample's second month over the first, compared, guarded and reported, and the check of a snapshot. */
export async function sampleMonth(): Promise<Figure[]> {
  return inTemporaryFolder(async (dataDir) => {
    const sources = path.join(dataDir, 'sources');
    const overTheFirst = async (fresh: string) => {
      cpSync(path.join(dataDir, 'snapshots'), path.join(fresh, 'snapshots'), { recursive: true });
      symlinkSync(path.join('snapshots', '2026-10.1'), path.join(fresh, 'current'));
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
    const wall = (rounds: readonly Used[]) => median(rounds.map(({ wallMs }) => wallMs / 1000));
    return [
      { what: 'sample month: publish', unit: 's', value: wall(used.publish), better: 'lower', atMost: 3 },
      { what: 'sample month: verify', unit: 's', value: wall(used.verify), better: 'lower' },
    ];
  });
}

/** Publishes, and holds the manifest to what was generated. */
async function publishAndCheck(sources: Sources, dataDir: string): Promise<Used> {
  const used = await publish(sources.directory, '2026-11', dataDir);
  const manifest = JSON.parse(readFileSync(path.join(dataDir, 'current', 'manifest.json'), 'utf8'));
  mustEqual('rows of ggr', manifest.datasets.ggr.rows, sources.facts);
  mustEqual('cents of ggr', Math.round(manifest.datasets.ggr.metrics.ggr.sum * 100), sources.sumCents);
  return used;
}

async function runReference({ name, run }: Reference, sources: Sources, folder: string): Promise<Used> {
  const file = path.join(folder, 'ggr.parquet');
  const used = await run(sources.file, file);
  const [rows, cents] = used.stdout.split(' ').map(Number);
  mustEqual(`rows that ${name} wrote`, rows, sources.facts);
  mustEqual(`cents that ${name} wrote`, cents, sources.sumCents);
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
