// Merges the verdicts on many groups of values that each moved by a factor of its own, for example because a source was restated.

import { onlyOf } from '../../src/basics/lists.ts';
import { change, counted, listed } from '../messages/numbers.ts';
import type { Verdict } from './guard.ts';
import { placeName } from './wording.ts';

/** From this number of groups on, one finding reports all of them. */
const MANY_GROUPS = 20;

/** The number of groups that the line names. */
const NAMED = 3;

/** The verdicts. If many groups of a metric moved by a factor, one verdict stands for theirs. */
export function withFewFactors(verdicts: readonly Verdict[]): readonly Verdict[] {
  const merged = new Set<string | null>();
  return verdicts.flatMap((verdict) => {
    const { family, metric } = verdict.pattern;
    if (family !== 'factor' || verdict.severity !== 'warn') return [verdict];
    const alike = verdicts.filter(
      ({ pattern, severity }) =>
        pattern.family === family && pattern.metric === metric && severity === 'warn',
    );
    if (alike.length < MANY_GROUPS) return [verdict];
    if (merged.has(metric)) return [];
    merged.add(metric);
    return [verdictOnAll(verdict, alike)];
  });
}

const verdictOnAll = (first: Verdict, alike: readonly Verdict[]): Verdict => ({
  ...first,
  country: onlyOf(alike.flatMap(({ country }) => country ?? [])),
  factors: alike,
});

/** The words for many groups that moved by factors of their own. */
export function factorsWords(alike: readonly Verdict[]): string {
  const countries = new Set(alike.flatMap(({ country }) => country ?? []));
  const groups = alike.map(({ pattern: { place, ratio } }) =>
    ratio === null ? placeName(place) : `${placeName(place)} (${change(ratio - 1)})`,
  );
  return `${counted(countries.size, 'country', 'countries')}: ${counted(alike.length, 'group')} of values moved, each by one factor, as where a source is restated: ${listed(groups, NAMED)}`;
}
