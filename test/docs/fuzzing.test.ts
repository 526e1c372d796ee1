// Schemathesis sends 500 generated requests, if this machine's python3 has it. test/long installs it and sends 20,000.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { notTried } from '../support/notTried.ts';
import { documentedPaths, fuzz } from '../support/schemathesis.ts';
import { sharedServer } from '../support/sharedServer.ts';

it('every generated request gets an answer that docs/openapi.json describes', async () => {
  const interpreter = 'python3';
  const missing = await promisify(execFile)(interpreter, ['-c', 'import schemathesis']).then(
    () => null,
    ({ message }: Error) => message.trim().split('\n').at(-1) ?? '',
  );
  if (missing !== null) {
    notTried(`${missing}; pip install -r test/long/schemathesis.requirements.txt`);
    return;
  }
  const { url, key } = await sharedServer();
  // Operations without parameters have few different requests, so the others get more than their share.
  const examples = Math.ceil((1.5 * 500) / documentedPaths().length);
  const { failure, cases } = await fuzz({ interpreter, url, key, examples, phases: 'fuzzing' });
  expect(failure).toBeNull();
  expect(cases).toBeGreaterThanOrEqual(500);
});
