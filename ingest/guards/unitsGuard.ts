// Guard `units`: all values of a group are 10, 100, 1,000 or 1,000,000 times as large or as small as before.

import { groupBy, onlyOf } from '../../src/basics/lists.ts';
import type { ScaledGroup } from '../compare/comparisonTypes.ts';
import { count, listed, partOf, yearSpans } from '../messages/numbers.ts';
import type { Guard } from './guard.ts';
import { placeName } from './wording.ts';

const MOST_GROUPS_NAMED = 5;

/** Refuses all groups in one suspicion. */
export const unitsGuard: Guard<ScaledGroup, readonly ScaledGroup[]> = {
  find: ({ scaled }) => scaled,
  gather: (found) => [{ rule: 'units', severity: 'refuse', country: onlyCountry(found), about: found }],
  words: (groups) => ({ message: scaledGroupsWords(groups, null) }),
};

/**
 * The words about groups: `Malta: all 4 values of ggr are what they were ÷ 1,000`. They name at most five groups. Groups
 * that differ in their years only are named as one.
 *
 * @param country The country of groups that name no country; null when such groups are of all countries.
 */
export function scaledGroupsWords(groups: readonly ScaledGroup[], country: string | null): string {
  const alike = groupBy(groups, ({ metric, factor, group: { year, ...rest } }) =>
    JSON.stringify([metric, factor, year === undefined, rest]),
  );
  return listed(
    [...alike.values()].map((few) => scaledGroupWords(inAllYears(few), country)),
    MOST_GROUPS_NAMED,
  );
}

/** Groups that differ in their years only, as one group. */
function inAllYears([first, ...others]: readonly [ScaledGroup, ...ScaledGroup[]]): ScaledGroup {
  if (others.length === 0) return first;
  const all = [first, ...others];
  return {
    ...first,
    group: { ...first.group, year: yearSpans(all.map(({ group }) => Number(group.year))) },
    values: all.reduce((sum, { values }) => sum + values, 0),
  };
}

function onlyCountry(scaled: readonly ScaledGroup[]): string | null {
  const country = onlyOf(scaled.map(({ group }) => group.country ?? null));
  return country === null ? null : String(country);
}

function scaledGroupWords({ metric, group, factor, values }: ScaledGroup, country: string | null): string {
  const by = factor > 1 ? `× ${count(factor)}` : `÷ ${count(Math.round(1 / factor))}`;
  return `${placeName(country === null ? group : { country, ...group })}: ${partOf(values, values, 'value')} of ${metric} ${values === 1 ? 'is what it was' : 'are what they were'} ${by}`;
}
