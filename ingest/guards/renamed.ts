// Guard `renamed`: a value is gone and a new one is the same by its spelling or its numbers.

import { listed } from '../messages/numbers.ts';
import type { Guard } from './guard.ts';

/** How many pairs are named. */
const NAMED = 5;

export const renamed: Guard = ({ dataset }, { renamings }) => {
  const pairs = renamings.in(dataset);
  if (pairs.length === 0) return [];
  const each = pairs.map(({ dimension, from, to, why }) => `${dimension} "${from}" → "${to}", ${why}`);
  const what = pairs.length === 1 ? 'a value was renamed' : `${pairs.length} values were renamed`;
  return [{ severity: 'refuse', message: `${what}: ${listed(each, NAMED)}` }];
};
