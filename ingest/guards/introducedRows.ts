// Tells which moves come from rows with a value that is new to their country. The finding about the value reports these moves.

import { addTo } from '../../src/maps.ts';
import type { CountryMove, IntroducedAmount, IntroducedRows, Total } from '../compare/totalTypes.ts';
import type { DatasetComparison } from '../compare/types.ts';
import type { GuardLimits } from './guard.ts';

const nameOf = ({ metric, fx, year, forecast }: Pick<Total, 'metric' | 'fx' | 'year' | 'forecast'>) =>
  `${metric} ${fx} ${year} ${forecast}`;

/** A function that gives the amount that rows with a value new to their country add to a total. */
export function introducedAmounts({ amounts }: IntroducedRows): (total: Total) => number {
  const sums = new Map<string, number>();
  const add = (one: IntroducedAmount) => addTo(sums, nameOf(one), one.by);
  for (const one of amounts) add(one);
  return (total) => sums.get(nameOf(total)) ?? 0;
}

/** Whether a country's totals moved too far only because of rows with a value that is new to the country. */
export const isIntroducedMove = (
  { country, mean, introduced: byIntroduced }: CountryMove,
  { introduced }: DatasetComparison,
  { country: { warn } }: GuardLimits,
): boolean =>
  mean - byIntroduced < warn && introduced.values.some(({ countries }) => countries.includes(country));
