// Runs schemathesis over docs/openapi.json against a server: `await fuzz({ interpreter, url, key, examples: 500 })`.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { SEED } from './seed.ts';

/** The checks of schemathesis that contradict our rulings 2, 5, 8 and 24. */
const DECIDED_OTHERWISE = ['unsupported_method', 'positive_data_acceptance', 'ignored_auth'];

export interface Fuzzing {
  /** A python3 that has schemathesis. */
  readonly interpreter: string;
  readonly url: string;
  readonly key: string;
  /** The most requests that are generated for an operation; in the phase `stateful`, the most walks. */
  readonly examples: number;
  /** The phases of schemathesis; all of them when left out. */
  readonly phases?: string;
  /** The only path to test; all paths of the document when left out. */
  readonly only?: string;
}

export interface FuzzResult {
  /** The end of the report; null when no check failed. */
  readonly failure: string | null;
  /** The number of requests that were generated and sent. */
  readonly cases: number;
}

const DOCUMENT = path.resolve('docs/openapi.json');

interface Operation {
  readonly get: { readonly parameters?: readonly { readonly in: string }[] };
}

/** The paths of the document. `hasInput` is true where requests can differ in more than headers. */
export function documentedPaths(): readonly { readonly path: string; readonly hasInput: boolean }[] {
  const { paths } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as {
    readonly paths: Readonly<Record<string, Operation>>;
  };
  return Object.entries(paths).map(([name, { get }]) => ({
    path: name,
    hasInput: (get.parameters ?? []).some((parameter) => parameter.in !== 'header'),
  }));
}

/** Runs schemathesis. The seed of the run decides which requests it sends. */
export async function fuzz({ interpreter, url, key, examples, phases, only }: Fuzzing): Promise<FuzzResult> {
  const args = [
    ...['-m', 'schemathesis.cli', 'run', DOCUMENT, '--url', url, '--header', `x-api-key: ${key}`],
    ...['--checks', 'all', '--exclude-checks', DECIDED_OTHERWISE.join(',')],
    ...[
      '--max-examples',
      String(examples),
      '--seed',
      String(SEED),
      '--suppress-health-check',
      'all',
      '--no-color',
    ],
    ...(phases === undefined ? [] : ['--phases', phases]),
    ...(only === undefined ? [] : ['--include-path', only]),
  ];
  // Python would import a file of the working directory before a module of the same name.
  const empty = await mkdtemp(path.join(os.tmpdir(), 'data-api-fuzzing-'));
  const ran = await promisify(execFile)(interpreter, args, { maxBuffer: 1 << 26, cwd: empty }).then(
    ({ stdout }) => ({ output: stdout, failed: false }),
    ({ stdout, stderr }: { stdout?: string; stderr?: string }) => ({
      output: `${stdout ?? ''}${stderr ?? ''}`,
      failed: true,
    }),
  );
  await rm(empty, { recursive: true });
  const [, cases = '0'] = /(\d[\d,]*) generated/.exec(ran.output) ?? [];
  return { failure: ran.failed ? ran.output.slice(-6000) : null, cases: Number(cases.replaceAll(',', '')) };
}
