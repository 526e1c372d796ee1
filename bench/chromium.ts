// Finds the Chromium of this machine.

import { spawnSync } from 'node:child_process';

const PROGRAMS = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chromium-headless-shell',
];

/** The path of the first installed program of the list; null when none is installed. */
export function chromiumPath(): string | null {
  for (const program of PROGRAMS) {
    const { status, stdout } = spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' });
    if (status === 0) return stdout.trim();
  }
  return null;
}

/** The arguments for Chromium. It does not start for root unless its sandbox is off. */
export const chromiumArgs = (): string[] => (process.getuid?.() === 0 ? ['--no-sandbox'] : []);
