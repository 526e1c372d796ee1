// Guard `renamed`: a value is gone, and a new one is spelled nearly alike or has its numbers; or countries got another region.

import { onlyOf } from '../../src/onlyOf.ts';
import type { DatasetComparison } from '../compare/types.ts';
import { count, listed, listedLines } from '../messages/numbers.ts';
import { MANY_COUNTRIES } from './completeness.ts';
import type { Guard, Suspicion } from './guard.ts';
import { fewHolders, wordFor } from './wording.ts';

/** The number of pairs that a message names. */
const NAMED = 5;

/** Warns of renamed values, and of countries with another region or type. */
export const renamed: Guard = (comparison, { renamings }) => {
  const { dataset, countries: all } = comparison;
  const pairs = renamings.in(dataset);
  if (pairs.length === 0) return describedAnew(comparison);
  const each = pairs.map(({ dimension, from, to, why, countries }) => {
    const few = dimension === 'country' ? '' : fewHolders(countries, all);
    return `${dimension} "${from}" → "${to}"${few === '' ? '' : ` of ${few}`}, ${why}`;
  });
  const subject = pairs.length === 1 ? 'a value was renamed' : `${count(pairs.length)} values were renamed`;
  const named = pairs.flatMap(({ dimension, from, countries }) =>
    dimension === 'country' ? [from] : countries,
  );
  return [
    {
      severity: 'refuse',
      message: `${subject}: ${listed(each, NAMED)}`,
      lines: [subject, ...listedLines(each, NAMED)],
      country: onlyOf(named),
    },
  ];
};

/** Warns when a lookup gives many countries another region or type. Patterns do not find this, because a lookup has no figures. */
function describedAnew({ metrics, breakdown: { countries, dimensions } }: DatasetComparison): Suspicion[] {
  const anew = countries.filter(({ added, removed }) => added > 0 && removed > 0);
  if (Object.keys(metrics).length > 0 || anew.length < MANY_COUNTRIES) return [];
  const attributes = dimensions.map(({ dimension }) => wordFor(dimension)).join(' or ');
  const names = listed(
    anew.map(({ country }) => country),
    NAMED,
  );
  return [
    { severity: 'warn', message: `${count(anew.length)} countries have another ${attributes} now: ${names}` },
  ];
}
