// Runs the notebooks of the documentation on the sample and a server, and lets other people's tools read the server.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Python, pythonWith } from '../../bench/python.ts';
import { DATASET_NAMES } from '../../src/catalog/datasets.ts';
import { tableSchemaFields } from '../../src/catalog/fields.ts';
import { readAnyManifest } from '../../src/catalog/readManifest.ts';
import { freePort } from '../support/freePort.ts';
import { notTried } from '../support/notTried.ts';

const run = promisify(execFile);
const NOTEBOOKS = 'docs/notebooks';

let python: Python;
let root: string;
let dataDir: string;

beforeAll(async () => {
  python = await pythonWith(`${NOTEBOOKS}/requirements.txt`, 'test/long/requirements.txt');
  root = await mkdtemp(path.join(os.tmpdir(), 'notebooks-'));
  dataDir = path.join(root, 'data');
  await cp(process.env.SAMPLE_DATA_DIR ?? '', dataDir, { recursive: true, verbatimSymlinks: true });
}, 600_000);
afterAll(() => rm(root, { recursive: true, force: true }));

/** Runs a test that needs Python, or prints why it cannot run. */
async function withPython(act: (interpreter: string) => Promise<void>): Promise<void> {
  if ('interpreter' in python) await act(python.interpreter);
  else notTried(python.missing);
}

describe('the notebooks', () => {
  it(
    'give the outputs they show, and the rows of the API in its order',
    () =>
      withPython(async (interpreter) => {
        const { url, stop } = await startServer();
        try {
          const env = { ...process.env, DATA_DIR: dataDir, API_URL: url, API_KEY: await issueKey() };
          const checked = await run(interpreter, [`${NOTEBOOKS}/execute.py`, '--check'], { env }).catch(
            (error: { stdout: string; stderr: string }) => error,
          );
          expect(checked.stdout).toBe('');
          expect(checked).not.toBeInstanceOf(Error);
        } finally {
          await stop();
        }
      }),
    300_000,
  );

  it('hold nothing of the machine or the moment they were run on', () => {
    const files = readdirSync(NOTEBOOKS).filter((name) => name.endsWith('.ipynb'));
    expect(files).toHaveLength(2);
    for (const file of files) {
      const { cells } = JSON.parse(readFileSync(path.join(NOTEBOOKS, file), 'utf8'));
      const texts = JSON.stringify(cells.map(({ outputs = [] }) => outputs.map(withoutImages)));
      expect(texts).not.toMatch(/\/(?:tmp|home|root|Users)\/|[A-Z]:\\\\|\d{2}:\d{2}:\d{2}|sk_live_/);
      expect(cells.map(({ metadata }: { metadata: object }) => metadata)).toEqual(cells.map(() => ({})));
    }
  });
});

describe('docs/notebooks.md', () => {
  it('shows Python and SQL that run from the folder above data, beside a server', () =>
    withPython(async (interpreter) => {
      const documented = [path.resolve('test/long/documented.py'), path.resolve('docs/notebooks.md')];
      const { url, stop } = await startServer();
      try {
        const env = { ...process.env, API_URL: url, API_KEY: await issueKey() };
        expect((await run(interpreter, documented, { cwd: root, env })).stdout).toMatch(/^[5-9] blocks/);
      } finally {
        await stop();
      }
    }));
});

describe('a snapshot of the sample', () => {
  it(
    'is a valid data package, from which DuckDB, polars and pyarrow learn what each column means',
    () =>
      withPython(async (interpreter) => {
        const current = path.join(dataDir, 'snapshots', '2026-11.1');
        const { stdout } = await run(interpreter, ['test/long/snapshot.py', current], { maxBuffer: 2 ** 26 });
        const found = JSON.parse(stdout);
        const { datasets } = await readAnyManifest(current);
        expect(found.package).toEqual({ valid: true, errors: [] });
        for (const name of DATASET_NAMES) {
          expect(found.rows[name]).toBe(datasets[name]?.rows);
          const wanted = Object.fromEntries([
            ['source', datasets[name]?.sources.join(', ')],
            ...tableSchemaFields(name).flatMap((field) => [
              [`${field.name}.unit`, field.unit],
              [`${field.name}.description`, field.description],
            ]),
          ]);
          for (const reader of ['duckdb', 'polars', 'pyarrow']) {
            expect([reader, found.metadata[name][reader]]).toEqual([reader, wanted]);
          }
        }
      }),
    300_000,
  );
});

function withoutImages({ data, ...output }: { data?: Record<string, unknown> }) {
  return { ...output, data: { ...data, 'image/png': null } };
}

/** Starts a server with the sample, as `npm start` does. */
async function startServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const port = await freePort();
  const child: ChildProcess = spawn(process.execPath, ['dist/src/start.js'], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (text) => String(text).includes('Listening') && resolve());
    child.once('exit', (code) => reject(new Error(`the server ended with ${code} before it listened`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function issueKey(): Promise<string> {
  const issue = ['dist/src/access/cli.js', 'issue', '--label', 'notebook', '--json'];
  const { stdout } = await run(process.execPath, issue, { env: { ...process.env, DATA_DIR: dataDir } });
  return JSON.parse(stdout).key;
}
