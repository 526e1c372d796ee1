// Connections break off in every phase, and well-behaved clients notice nothing.
// The long tests have many more of them, also over two processes.

import { it } from '@jest/globals';
import { weather } from '../../support/storm.ts';

/** This machine may run other tests and be slow. The long tests allow only a second, and no 503. */
const WITHIN_MS = 20_000;

it('a server survives 12 broken connections and answers well-behaved clients correctly', () =>
  weather('1', 12, 1, { withinMs: WITHIN_MS, mayBeBusy: true }));
