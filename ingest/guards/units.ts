// Guard `units`: all values of a group are 10, 100, 1,000 or 1,000,000 times as large or as small as before.

import type { ScaledGroup } from '../compare/types.ts';
import { count, listed } from '../messages/numbers.ts';
import type { Guard } from './guard.ts';

/** The number of groups that a message names. */
const NAMED = 5;

/** Refuses all groups together, without those that the verdict on a pattern already reports. */
export const units: Guard = ({ scaled }, { verdicts }) => {
  const reported = new Set(verdicts.flatMap((verdict) => verdict.scaled));
  const unreported = scaled.filter((group) => !reported.has(group));
  return unreported.length === 0
    ? []
    : [{ severity: 'refuse', message: scaledWords(unreported), country: onlyCountry(unreported) }];
};

/** The words about groups, of which five are named: `all 4 values of ggr of country Malta are what they were ÷ 1,000`. */
export const scaledWords = (groups: readonly ScaledGroup[]): string => listed(groups.map(wordsOf), NAMED);

function onlyCountry(scaled: readonly ScaledGroup[]): string | null {
  const countries = new Set(scaled.map(({ group }) => group.country ?? null));
  const [only = null] = countries;
  return countries.size === 1 && only !== null ? String(only) : null;
}

function wordsOf({ metric, group, factor, values }: ScaledGroup): string {
  const of = Object.entries(group).map(
    ([dimension, value]) => `${dimension} ${value === '' ? '(none)' : value}`,
  );
  const where = of.length === 0 ? '' : ` of ${of.join(', ')}`;
  const by = factor > 1 ? `× ${count(factor)}` : `÷ ${count(Math.round(1 / factor))}`;
  const every = values === 1 ? 'the value' : `all ${count(values)} values`;
  return `${every} of ${metric}${where} ${values === 1 ? 'is what it was' : 'are what they were'} ${by}`;
}
