// Calls the server for assistants with the official Python client.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Python, pythonWith } from '../../bench/python.ts';
import { notTried } from '../support/notTried.ts';
import { aSample } from '../support/sample.ts';
import { type ServerWithKeys, startServerWithKeys } from '../support/serverWithKeys.ts';

let python: Python;
let api: ServerWithKeys;
let remove: () => Promise<void>;
beforeAll(async () => {
  python = await pythonWith('test/long/mcp.requirements.txt');
  const sample = await aSample();
  ({ remove } = sample);
  api = await startServerWithKeys({ dataDir: sample.dataDir });
}, 300_000);
afterAll(async () => {
  await api.close();
  await remove();
});

interface Answer {
  readonly isError: boolean;
  readonly text: string;
}

/** Runs the client with a key, and returns its output. Without Python, prints the reason and returns null. */
async function ask(
  ...key: string[]
): Promise<(Record<string, Answer> & { tools?: string[]; refused?: string }) | null> {
  if (!('interpreter' in python)) {
    notTried(python.missing);
    return null;
  }
  const env = { ...process.env, API_URL: api.url };
  const { stdout } = await promisify(execFile)(python.interpreter, ['test/long/assistant.py', ...key], {
    env,
  });
  return JSON.parse(stdout);
}

describe('the Python client of MCP', () => {
  it('lists the tools, and gets numbers with their unit, their snapshot and what must not be added', async () => {
    const key = await api.key();
    const answers = await ask(key);
    if (answers === null) return;
    expect(answers.tools).toEqual([
      'list_datasets',
      'list_values',
      'query_rows',
      'query_totals',
      'list_changes',
      'explain_query',
    ]);
    const response = await fetch(
      `${api.url}/v1/totals?dataset=ggr&country=Malta&fx=EUR&by=year&temporal=Current`,
      { headers: { 'x-api-key': key } },
    );
    const { data } = (await response.json()) as { data: { values: { ggr: number } }[] };
    expect(answers.total?.isError).toBe(false);
    const numbers = answers.total?.text ?? '';
    expect(data.length).toBeGreaterThan(10);
    for (const { values } of data) expect(numbers).toContain(String(values.ggr));
    expect(numbers).toContain(response.headers.get('x-snapshot'));
    expect(answers.wrongSum).toMatchObject({ isError: true });
    expect(answers.wrongSum?.text).toContain('ggr cannot be summed over fx: name one value, or add by=fx');
    expect(answers.misspelt).toMatchObject({ isError: true });
    expect(answers.misspelt?.text).toContain('contry');
  }, 120_000);

  it('is refused without a key and with an unknown one', async () => {
    for (const key of [[], ['sk_unknown']]) {
      const answers = await ask(...key);
      // The client shows neither the status nor the text of the answer.
      if (answers !== null) expect(answers).toEqual({ refused: expect.stringContaining('error response') });
    }
  }, 120_000);

  it('is refused a call beyond its limit, and gets the calls before it', async () => {
    const { id, key } = await api.keys.issue({ label: 'small', by: 'test' });
    await api.keys.changeLimits(id, { perMinute: 2 }, 'test');
    const answers = await ask(key);
    if (answers === null) return;
    expect(answers.total).toMatchObject({ isError: false });
    expect(answers.second).toMatchObject({ isError: true });
  }, 120_000);
});
