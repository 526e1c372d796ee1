// Connections that break off in every phase, beside clients that behave.
// The long tests have many more of them, also over two processes.

import { it } from '@jest/globals';
import { weather } from '../../support/storm.ts';

/** A machine that runs other tests may be slow; the long tests allow a second, and no 503. */
const WITHIN_MS = 20_000;

it('a server survives 12 broken connections and answers well-behaved clients correctly', () =>
  weather('1', 12, 1, { withinMs: WITHIN_MS, mayBeBusy: true }));
