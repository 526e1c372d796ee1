// Writes the part of `publish --help` about guards: every rule, and the settings that hold their limits.

import { GUARD_DESCRIPTIONS } from './descriptions.ts';
import { RULES } from './finding.ts';

/** The help text: the rules in order, and the settings with their defaults. */
export function guardHelp(settings: Readonly<Record<string, { readonly fallback: string }>>): string {
  const width = Math.max(...RULES.map((rule) => rule.length));
  const rules = RULES.map((rule) => `  ${rule.padEnd(width)}  ${GUARD_DESCRIPTIONS[rule].objectsTo}`);
  const limits = Object.entries(settings)
    .filter(([name]) => name.startsWith('GUARD_'))
    .map(([name, { fallback }]) => `  ${name} ${fallback}`);
  return `Guards, in the order in which they report:\n${rules.join('\n')}\n\nTheir limits, as shares (settings and defaults):\n${limits.join('\n')}`;
}
