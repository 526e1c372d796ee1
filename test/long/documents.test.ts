// The Python and R programs of the README and the documents run as printed, against a server that asks for a key.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Python, pythonWith } from '../../bench/python.ts';
import { blocksOf, DOCUMENTS } from '../support/documents.ts';
import { freePort } from '../support/freePort.ts';
import { notTried } from '../support/notTried.ts';
import { aSample } from '../support/sample.ts';
import { aKeyOf, type ServerProcess, spawnServer } from '../support/serverProcess.ts';

const run = promisify(execFile);

let python: Python;
let server: ServerProcess;
let url: string;
let dataDir: string;
let environment: NodeJS.ProcessEnv;
let remove: () => Promise<void>;

beforeAll(async () => {
  python = await pythonWith('docs/notebooks/requirements.txt', 'test/long/requirements.txt');
  ({ dataDir, remove } = await aSample());
  const settings = { DATA_DIR: dataDir, PORT: await freePort(), LOG_LEVEL: 'error' };
  environment = { ...process.env, ...settings, NODE_OPTIONS: '' };
  server = spawnServer(settings);
  url = await server.url();
  environment.API_KEY = await aKeyOf(dataDir);
}, 600_000);
afterAll(async () => {
  server.child.kill('SIGTERM');
  await server.ended;
  await remove();
});

const here = (text: string) =>
  text
    .replaceAll('http://127.0.0.1:3000', url)
    .replace(/(?<![\w/.-])data\/(?=sources|current|snapshots)/g, `${dataDir}/`);

/** The programs in a language, by their places in the documents. */
const programs = (language: string) =>
  DOCUMENTS.flatMap((document) => blocksOf(document, language)).map(
    (block) => [`${block.document} line ${block.line}`, block.text] as const,
  );

/** Programs that read an object store run in sharedStore.test.ts. */
const needsStore = ([, text]: readonly [string, string]) => text.includes('AWS_ENDPOINT_URL_S3');

describe('Python', () => {
  it.each(programs('python').filter((one) => !needsStore(one)))('%s', async (_, text) => {
    if ('missing' in python) return void notTried(python.missing);
    await run(python.interpreter, ['-c', here(text)], { env: environment });
  });

  it('gives a data frame that holds the rows of the API', async () => {
    if ('missing' in python) return void notTried(python.missing);
    const [, text = ''] = programs('python').find(([place]) => place.startsWith('docs/api.md')) ?? [];
    const { stdout } = await run(
      python.interpreter,
      ['-c', `${here(text)}\nprint(len(table), set(table.country))`],
      {
        env: environment,
      },
    );
    expect(stdout).toMatch(/^\d{2,} \{'(Malta|Spain)', '(Malta|Spain)'\}/);
  });
});

describe('R', () => {
  it.each(programs('r'))('%s', async (_, text) => {
    const found = [...text.matchAll(/library\((\w+)\)|\b(\w+)::/g)].map(([, a, b]) => a ?? b ?? '');
    const needed = [...new Set(found)];
    const lacking = await lackingInR(needed);
    if (lacking === null) return void notTried('Rscript is not installed (apt-get install r-base-core)');
    if (lacking.length > 0)
      return void notTried(
        `R lacks ${lacking.join(', ')} (install.packages, or apt-get install r-cran-NAME where it exists)`,
      );
    await run('Rscript', ['-e', here(text)], { env: environment });
  });
});

/** Those of these packages that are not installed in R; null when R itself is not installed. */
async function lackingInR(packages: readonly string[]): Promise<string[] | null> {
  const names = packages.map((name) => `"${name}"`).join(', ');
  const program = `for (name in c(${names})) if (!requireNamespace(name, quietly = TRUE)) cat(name, "")`;
  const ran = await run('Rscript', ['-e', program]).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return ran === null ? null : ran.stdout.split(' ').filter((name) => name !== '');
}
