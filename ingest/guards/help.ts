// The guards in `publish --help`: every rule in order, and the settings with their limits.

import { GUARD_DESCRIPTIONS } from './descriptions.ts';
import { RULES } from './finding.ts';

/** The rules in order, the first of which reports a finding that several share, and the defaults of their settings. */
export function guardHelp(settings: Readonly<Record<string, { readonly fallback: string }>>): string {
  const width = Math.max(...RULES.map((rule) => rule.length));
  const rules = RULES.map((rule) => `  ${rule.padEnd(width)}  ${GUARD_DESCRIPTIONS[rule].objectsTo}`);
  const limits = Object.entries(settings)
    .filter(([name]) => name.startsWith('GUARD_'))
    .map(([name, { fallback }]) => `  ${name} ${fallback}`);
  return `Guards, in the order in which they report:\n${rules.join('\n')}\n\nTheir limits, as shares (settings and defaults):\n${limits.join('\n')}`;
}
