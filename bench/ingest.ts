// How long a month takes from its sources to a published snapshot, with every check, through the command itself.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Figure, HERE, inTurns, measured, median, mustEqual, type Row, type Used } from './harness.ts';
import { type Sources, type SourcesName, sourcesOf } from './sources.ts';

const ROUNDS = 3;
const MB = 1e6;

const publish = (directory: string, month: string, dataDir: string) =>
  measured('../ingest/cli.js', ['publish', directory, '--month', month], { DATA_DIR: dataDir });

/** From one large file, beside a reference that reads, sorts and writes the same rows and checks nothing. */
function fromFile(
  name: SourcesName,
  title: string,
  reference: { script: string; name: string },
  goals: Goals,
): Row {
  return {
    name: `ingest-${name}`,
    async run() {
      const sources = sourcesOf(name);
      const used = await inTurns(ROUNDS, {
        ours: () => inTemporaryFolder((dataDir) => publishAndCheck(sources, dataDir)),
        reference: () => inTemporaryFolder((folder) => runReference(reference.script, sources, folder)),
      });
      const figure = (
        what: string,
        unit: Figure['unit'],
        of: (one: Used) => number,
        goal: Figure['goal'],
      ): Figure => ({
        what: `${title}: ${what}`,
        ours: median(used.ours.map(of)),
        reference: { name: reference.name, value: median(used.reference.map(of)) },
        unit,
        ...(goal === undefined ? {} : { goal }),
      });
      return [
        figure('wall', 's', ({ wallMs }) => wallMs / 1000, goals.wall),
        figure('CPU', 's', ({ cpuMs }) => cpuMs / 1000, undefined),
        figure('peak memory', 'MB', ({ peakBytes }) => peakBytes / MB, goals.memory),
      ];
    },
  };
}

interface Goals {
  readonly wall?: Figure['goal'];
  readonly memory?: Figure['goal'];
}

const SHEETJS = { script: 'sheetjs.js', name: 'SheetJS and the appender, no checks' };
const DUCKDB = { script: 'duckdbCsv.js', name: 'DuckDB read_csv and COPY, no checks' };

/** The rows of the table about ingest, by name. */
export const INGEST: readonly Row[] = [
  fromFile('workbook', 'workbook of 1,048,575 × 11', SHEETJS, {
    wall: { of: 'ratio', atMost: 1 / 3 },
    memory: { of: 'ours', atMost: 700 },
  }),
  fromFile('wide', 'wide workbook of 37,000 × 28', SHEETJS, {}),
  fromFile('csv', 'csv of 1,000,000 × 11', DUCKDB, {}),
  { name: 'ingest-sample', run: sampleMonth },
];

/** The sample's second month, as `make start` publishes it, and the check of the snapshot it becomes. */
async function sampleMonth(): Promise<Figure[]> {
  return inTemporaryFolder(async (dataDir) => {
    const sources = path.join(dataDir, 'sources');
    execFileSync(process.execPath, [path.join(HERE, '../ingest/sample/cli.js'), sources], {
      stdio: 'ignore',
    });
    await publish(path.join(sources, '2026-10'), '2026-10', dataDir);
    const used = await inTurns(ROUNDS, {
      publish: async () => {
        rmSync(path.join(dataDir, 'snapshots', '2026-11.1'), { recursive: true, force: true });
        return inTemporaryFolder((fresh) => publish(path.join(sources, '2026-11'), '2026-11', fresh));
      },
      verify: () => measured('../ingest/cli.js', ['verify'], { DATA_DIR: dataDir }),
    });
    const wall = (rounds: readonly Used[]) => median(rounds.map(({ wallMs }) => wallMs / 1000));
    return [
      { what: 'sample month: publish', ours: wall(used.publish), unit: 's', goal: { of: 'ours', atMost: 3 } },
      { what: 'sample month: verify', ours: wall(used.verify), unit: 's' },
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

async function runReference(script: string, sources: Sources, folder: string): Promise<Used> {
  const file = path.join(folder, 'ggr.parquet');
  const used = await measured(script, [sources.file, file]);
  const [rows, cents] = used.stdout.split(' ').map(Number);
  mustEqual(`rows that ${script} wrote`, rows, sources.facts);
  mustEqual(`cents that ${script} wrote`, cents, sources.sumCents);
  if (!existsSync(file)) throw new Error(`${script} wrote no file`);
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
