// Describes each guard in one line for the report, and writes the part of `publish --help` about guards.

import { RULES, type Rule } from './finding.ts';

interface GuardDescription {
  /** For the report: what the guard examines, whether or not it found anything. */
  readonly looksAt: string;
  /** For the help: what the guard refuses. */
  readonly objectsTo: string;
}

export const GUARD_DESCRIPTIONS: Readonly<Record<Rule, GuardDescription>> = {
  rows: {
    looksAt: 'the number of rows of a dataset',
    objectsTo: 'a dataset that grew or shrank, or a country that lost much',
  },
  totals: {
    looksAt: 'the total of a metric per currency and year',
    objectsTo: 'a total by metric, currency and year that moved',
  },
  'closed-years': {
    looksAt: 'figures of years that had ended before',
    objectsTo: 'figures of years that had ended before: totals, countries, products, rates',
  },
  vanished: {
    looksAt: 'countries, currencies and years that are gone',
    objectsTo:
      'a country, currency or year that is gone, also in one country alone; a product that a country lost',
  },
  renamed: {
    looksAt: 'a value gone and one new that are likely the same',
    objectsTo: 'a value gone and one new that are near in spelling or alike in numbers',
  },
  units: {
    looksAt: 'groups of values that are ten, a hundred, a thousand … times what they were',
    objectsTo: 'groups of values that are ten, a hundred, a thousand or a million times what they were',
  },
  nulls: {
    looksAt: 'values that are empty now',
    objectsTo: 'values that are empty now',
  },
  'new-values': {
    looksAt: 'values of text dimensions that no dataset had before',
    objectsTo: 'values of text dimensions that no dataset had before',
  },
  revisions: {
    looksAt: 'values that became ten times or a tenth of what they were, or changed their sign',
    objectsTo: 'values that became ten times or a tenth of what they were, or changed their sign',
  },
  copies: {
    looksAt: "years, countries and currencies that repeat another's figures",
    objectsTo: "a year, country or currency that repeats another's figures",
  },
  relations: {
    looksAt: 'turnover and ggr, currencies and rates, states and nation',
    objectsTo: 'turnover below ggr, currencies that disagree with the rates, states above their nation',
  },
  structure: {
    looksAt: 'zeros, totals among their parts, moved labels, swapped and doubled figures in one country',
    objectsTo: 'zeros, totals among their parts, moved labels, swapped and doubled figures in one country',
  },
};

/**
 * The help text: the rules in order, and the settings with their defaults.
 *
 * @param others Rules that are accepted like those of guards, each with what it refuses.
 */
export function guardHelp(
  settings: Readonly<Record<string, { readonly fallback: string }>>,
  others: readonly (readonly [rule: string, objectsTo: string])[],
): string {
  const all = [...RULES.map((rule) => [rule, GUARD_DESCRIPTIONS[rule].objectsTo] as const), ...others];
  const width = Math.max(...all.map(([rule]) => rule.length));
  const rules = all.map(([rule, objectsTo]) => `  ${rule.padEnd(width)}  ${objectsTo}`);
  const limits = Object.entries(settings)
    .filter(([name]) => name.startsWith('GUARD_'))
    .map(([name, { fallback }]) => `  ${name} ${fallback}`);
  return `Guards, in the order in which they report:\n${rules.join('\n')}\n\nTheir limits, as shares (settings and defaults):\n${limits.join('\n')}`;
}
