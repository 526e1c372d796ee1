// Tells what new rows explain whose value is new to their countries, so that the finding about the value can say it.

import { addTo } from '../../src/maps.ts';
import type { Brought, BroughtAmount, CountryMove, Total } from '../compare/totalTypes.ts';
import type { DatasetComparison } from '../compare/types.ts';
import type { GuardLimits } from './guard.ts';

const nameOf = ({ metric, fx, year, forecast }: Pick<Total, 'metric' | 'fx' | 'year' | 'forecast'>) =>
  `${metric} ${fx} ${year} ${forecast}`;

/** What the rows of `Brought` add to a total. */
export function broughtAmounts({ amounts }: Brought): (total: Total) => number {
  const sums = new Map<string, number>();
  const add = (one: BroughtAmount) => addTo(sums, nameOf(one), one.by);
  for (const one of amounts) add(one);
  return (total) => sums.get(nameOf(total)) ?? 0;
}

/** Whether a country's totals moved because of such rows alone. */
export const isBroughtMove = (
  { country, mean, grown }: CountryMove,
  { brought }: DatasetComparison,
  { country: { warn } }: GuardLimits,
): boolean => mean - grown < warn && brought.values.some(({ countries }) => countries.includes(country));
