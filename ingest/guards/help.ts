// Writes the part of `publish --help` about guards: every rule, and the settings for the limits.

import { GUARD_DESCRIPTIONS } from './descriptions.ts';
import { RULES } from './finding.ts';

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
