// Schemathesis over the whole document: 20,000 generated requests, the examples, and walks from answer to request.

import { expect, it } from '@jest/globals';
import { pythonWith } from '../../bench/python.ts';
import { aSample } from '../support/sample.ts';
import { fuzz } from '../support/schemathesis.ts';
import { startServerWithKeys } from '../support/serverWithKeys.ts';

it('no generated request gets an answer that docs/openapi.json does not describe', async () => {
  const python = await pythonWith('test/long/schemathesis.requirements.txt');
  if (!('interpreter' in python)) {
    process.stderr.write(`not tried: ${python.missing}\n`);
    return;
  }
  const { dataDir, remove } = await aSample();
  const limits = { perMinute: 10_000_000, perDay: 10_000_000 };
  const api = await startServerWithKeys({ dataDir, limits });
  try {
    const { failure, cases } = await fuzz({
      interpreter: python.interpreter,
      url: api.url,
      key: await api.key(),
      examples: 20_000,
    });
    expect(failure).toBeNull();
    expect(cases).toBeGreaterThanOrEqual(20_000);
  } finally {
    await api.close();
    await remove();
  }
}, 3_600_000);
