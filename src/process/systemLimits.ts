// Reads the limits that the system sets for this process.

import { readFileSync } from 'node:fs';

/** The soft limit of this process with this name; infinite when there is none, or when the system does not list it. */
export function softLimitOf(name: string): number {
  const [, soft] = new RegExp(`^${name}\\s+(\\d+)`, 'm').exec(limitsOfProcess()) ?? [];
  return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
}

/** The limits of this process as Linux lists them, one a line; empty on other systems. */
function limitsOfProcess(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}
