// Guard `renamed`: a value is gone, and a new value has nearly its spelling or its numbers.

import { listed, listedLines } from '../messages/numbers.ts';
import type { Guard } from './guard.ts';
import { holders } from './wording.ts';

/** The number of pairs that a message names. */
const NAMED = 5;

export const renamed: Guard = ({ dataset, countries: all }, { renamings }) => {
  const pairs = renamings.in(dataset);
  if (pairs.length === 0) return [];
  const each = pairs.map(
    ({ dimension, from, to, why, countries }) =>
      `${dimension} "${from}" → "${to}"${dimension === 'country' ? '' : holders(countries, all)}, ${why}`,
  );
  const what = pairs.length === 1 ? 'a value was renamed' : `${pairs.length} values were renamed`;
  const named = new Set(
    pairs.flatMap(({ dimension, from, countries }) => (dimension === 'country' ? [from] : countries)),
  );
  const [only = null] = named;
  return [
    {
      severity: 'refuse',
      message: `${what}: ${listed(each, NAMED)}`,
      lines: [what, ...listedLines(each, NAMED)],
      country: named.size === 1 ? only : null,
    },
  ];
};
