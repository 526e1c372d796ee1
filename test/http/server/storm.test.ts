// Connections that break off in every phase, beside clients that behave; the long tests have many more of them.

import { it } from '@jest/globals';
import { weather } from '../../support/storm.ts';

it.each([
  ['1', 600, 1],
  ['2', 200, 2],
])(
  '%s processes survive %s broken connections and answer well-behaved clients correctly and in time',
  async (PROCESSES, connections, seed) => {
    await weather(PROCESSES, connections, seed);
  },
);
