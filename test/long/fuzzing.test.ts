// Schemathesis tests the whole document: 20,000 generated requests, the examples, and walks from answer to request.
// It takes some eight minutes of CPU. Its parts run one after the other.

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { pythonWith } from '../../bench/python.ts';
import { notTried } from '../support/notTried.ts';
import { aSample } from '../support/sample.ts';
import { documentedPaths, fuzz } from '../support/schemathesis.ts';
import { type ServerWithKeys, startServerWithKeys } from '../support/serverWithKeys.ts';

/** The most requests for a path, and for a path whose requests differ only in headers. */
const EXAMPLES = 2_000;
const FEW_EXAMPLES = 200;
/** The number of walks, each of some ten requests. */
const WALKS = 300;
/** The least number of requests over the whole document. */
const CASES = 20_000;
const LIMIT_MS = 1_800_000;

const python = await pythonWith('test/long/schemathesis.requirements.txt');
if ('missing' in python) notTried(python.missing);
/** Each path is a part of its own, so that a failure names its path early. */
const parts = [
  ...documentedPaths().map(({ path, hasInput }) => ({
    part: path,
    examples: hasInput ? EXAMPLES : FEW_EXAMPLES,
    phases: 'examples,coverage,fuzzing',
    only: path,
  })),
  { part: 'walks', examples: WALKS, phases: 'stateful' },
];

let api: ServerWithKeys;
let key: string;
let remove: () => Promise<void>;
let tried = 0;
let requests = 0;
beforeAll(async () => {
  const { dataDir, ...sample } = await aSample();
  remove = sample.remove;
  api = await startServerWithKeys({
    dataDir,
    limits: { perMinute: 10_000_000, perDay: 10_000_000 },
  });
  key = await api.key();
});
afterAll(async () => {
  await api.close();
  await remove();
});

it.each(parts)(
  'no generated request of $part gets an answer that docs/openapi.json does not describe',
  async ({ part, ...asked }) => {
    if ('missing' in python) return;
    const { failure, cases } = await fuzz({ interpreter: python.interpreter, url: api.url, key, ...asked });
    process.stderr.write(`${part}: ${cases} requests\n`);
    tried += 1;
    requests += cases;
    expect(failure).toBeNull();
  },
  LIMIT_MS,
);

it('the parts are 20,000 requests together', () => {
  process.stderr.write(`${requests} requests\n`);
  // A part that runs alone makes fewer requests.
  if (tried === parts.length) expect(requests).toBeGreaterThanOrEqual(CASES);
});
