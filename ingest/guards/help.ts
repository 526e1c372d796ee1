// The guards in `publish --help`: every rule in order, and the settings with their limits.

import { RULES, type Rule } from './finding.ts';

/** What each rule objects to, in a line. */
const OBJECTS_TO: Readonly<Record<Rule, string>> = {
  rows: 'a dataset that grew or shrank, or a country that lost much',
  totals: 'a total by metric, currency and year that moved',
  'closed-years': 'figures of years that had ended before: totals, countries, products, rates',
  vanished:
    'a country, currency or year that is gone, also in one country alone; a product that a country lost',
  renamed: 'a value gone and one new that are near in spelling or alike in numbers',
  units: 'groups of values that are ten, a hundred, a thousand or a million times what they were',
  nulls: 'values that are empty now',
  'new-values': 'values of text dimensions that the current snapshot lacks',
  revisions: 'values that became ten times or a tenth of what they were, or changed their sign',
  copies: "a year, country or currency that repeats another's figures",
  relations: 'turnover below ggr, currencies that disagree with the rates, states above their nation',
  structure: 'zeros, totals among their parts, moved labels, swapped and doubled figures in one country',
};

/** The rules in order, the first of which reports a finding that several share, and the defaults of their settings. */
export function guardHelp(settings: Readonly<Record<string, { readonly fallback: string }>>): string {
  const width = Math.max(...RULES.map((rule) => rule.length));
  const rules = RULES.map((rule) => `  ${rule.padEnd(width)}  ${OBJECTS_TO[rule]}`);
  const limits = Object.entries(settings)
    .filter(([name]) => name.startsWith('GUARD_'))
    .map(([name, { fallback }]) => `  ${name} ${fallback}`);
  return `Guards, in the order in which they report:\n${rules.join('\n')}\n\nTheir limits, as shares (settings and defaults):\n${limits.join('\n')}`;
}
