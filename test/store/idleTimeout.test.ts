// A store that stops in the middle of an answer is given up, however much it has sent before.

import { once } from 'node:events';
import { expect, it } from '@jest/globals';
import { startIdleTimeout } from '../../src/store/idleTimeout.ts';

it('a store that sends nothing more is given up, also after it was fast', async () => {
  const timeout = startIdleTimeout(20);
  for (let part = 0; part < 3; part++) timeout.received(1_000_000);
  await once(timeout.signal, 'abort', { signal: AbortSignal.timeout(20_000) });
  expect(String(timeout.signal.reason)).toMatch(/^TimeoutError: .*timeout/);
});
