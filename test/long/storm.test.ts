// Fifty thousand connections that break off in every phase, beside clients that behave.

import { it } from '@jest/globals';
import { SEED } from '../support/seed.ts';
import { withstandStorm } from './storm.ts';

it.each([
  ['1', 50_000, 2 * SEED],
  ['2', 10_000, 2 * SEED + 1],
])(
  '%s processes survive %s broken connections and answer well-behaved clients correctly and in time',
  async (processes, connections, seed) => {
    await withstandStorm(processes, connections, seed);
  },
  1_800_000,
);
