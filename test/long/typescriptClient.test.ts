// The TypeScript client is installed, generated and compiled in a copy of its folder, and then asks a server.

import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aSample } from '../support/sample.ts';
import { type ServerWithKeys, startServerWithKeys } from '../support/serverWithKeys.ts';

const run = promisify(execFile);

let root: string;
let client: string;
let api: ServerWithKeys;
let remove: () => Promise<void>;
beforeAll(async () => {
  const sample = await aSample();
  ({ remove } = sample);
  api = await startServerWithKeys({ dataDir: sample.dataDir });
  root = await mkdtemp(path.join(os.tmpdir(), 'typescript-client-'));
  client = path.join(root, 'clients', 'typescript');
  await mkdir(path.join(root, 'docs'));
  await cp('docs/openapi.json', path.join(root, 'docs', 'openapi.json'));
  await cp('clients/typescript', client, {
    recursive: true,
    filter: (file) => !/typescript\/(node_modules|dist)/.test(file),
  });
  await npm('ci', '--ignore-scripts');
  await npm('run', 'build');
}, 300_000);
afterAll(async () => {
  await rm(root, { recursive: true, force: true });
  await api.close();
  await remove();
});

const npm = (...args: string[]) =>
  run('npm', [...args, '--silent'], { cwd: client, env: { ...process.env, NODE_OPTIONS: '' } });

const example = async (key: string) => {
  const env = { ...process.env, NODE_OPTIONS: '', API_URL: api.url, API_KEY: key };
  return await run(process.execPath, ['dist/examples/firstQuery.js'], { cwd: client, env });
};

describe('the TypeScript client', () => {
  it('is what its generator makes', async () => {
    await npm('run', 'generate');
    const made = await readFile(path.join(client, 'src/schema.ts'), 'utf8');
    expect(made).toBe(await readFile('clients/typescript/src/schema.ts', 'utf8'));
  }, 60_000);

  it('compiles under strict settings, which refuse a misspelt parameter', async () => {
    const wrong = path.join(client, 'src', 'wrong.ts');
    await cp(path.join(client, 'examples', 'firstQuery.ts'), wrong);
    const text = (await readFile(wrong, 'utf8')).replace('../src/index.ts', './index.ts');
    await writeFile(wrong, text.replaceAll('country:', 'contry:'));
    const failed = await npm('run', 'build').catch(({ stdout }: { stdout: string }) => stdout);
    expect(failed).toContain("'contry' does not exist in type");
    await rm(wrong);
  }, 120_000);

  it('gives the totals and the rows of the API', async () => {
    const key = await api.key();
    const { stdout } = await example(key);
    const query = 'country=Malta&fx=EUR&temporal=Current';
    const asked = async <T>(question: string) =>
      (await (
        await fetch(`${api.url}/v1/${question}&${query}`, { headers: { 'x-api-key': key } })
      ).json()) as T;
    const totals = await asked<{ data: { dimensions: { year: number }; values: { ggr: number } }[] }>(
      'totals?dataset=ggr&by=year',
    );
    const values = await asked<{ meta: { row_count: number } }>('values?dataset=ggr');
    const online = await asked<{ data: { values: { ggr: number } }[] }>('totals?dataset=ggr&channel=Online');
    expect(stdout.trim().split('\n').slice(1)).toEqual([
      ...totals.data.map(
        ({ dimensions, values: { ggr } }) => `${dimensions.year}  ${ggr.toLocaleString('en')}`,
      ),
      `made of ${values.meta.row_count} rows`,
      `online, all years: ${(online.data[0]?.values.ggr ?? 0).toLocaleString('en')}`,
    ]);
  });

  it('passes a refusal on in the words of the server, with where it is explained', async () => {
    const failed = await example('sk_wrong').catch(({ stderr }: { stderr: string }) => stderr);
    expect(failed).toContain('DataApiError');
    expect(failed).toMatch(/status: 401/);
    expect(failed).toContain(`help: '${api.url}/docs#`);
  });

  it('walks the snapshot that is named, until its signal aborts', async () => {
    const program = `import { gamblingData, rows } from './dist/src/index.js';
      const api = gamblingData({ url: '${api.url}', key: '${await api.key()}' });
      const [now, before] = [{}, { snapshot: '2026-10' }];
      for (const walk of [now, before]) {
        let sum = 0;
        for await (const { values } of rows(api, { metric: 'ggr' }, walk)) sum += values.ggr ?? 0;
        console.log(sum);
      }
      const leaving = new AbortController();
      const walk = rows(api, { metric: 'ggr' }, { signal: leaving.signal });
      await walk.next();
      leaving.abort(new Error('left'));
      try { for await (const row of walk); } catch (error) { console.log(error.message); }`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: client });
    const [now, before, left] = stdout.trim().split('\n');
    expect([now === before, Number(now) > 0, Number(before) > 0, left]).toEqual([false, true, true, 'left']);
  }, 60_000);

  it('names every parameter that is refused', async () => {
    const program = `import { gamblingData, rows } from './dist/src/index.js';
      const api = gamblingData({ url: '${api.url}', key: '${await api.key()}' });
      await rows(api, { metric: 'ggr', period: '2020', year: ['x'] }).next().catch((error) => console.log(error.message));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: client });
    expect(stdout).toMatch(/^Invalid query parameters; period: Expected format.*; year: Expected a whole/);
  });
});
