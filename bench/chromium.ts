// Finds the Chromium of this machine.

import { spawnSync } from 'node:child_process';

const PROGRAMS = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chromium-headless-shell',
];

/** The path of the first browser that is installed; null without one. */
export function chromiumPath(): string | null {
  for (const program of PROGRAMS) {
    const { status, stdout } = spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' });
    if (status === 0) return stdout.trim();
  }
  return null;
}

/** Chromium refuses to sandbox itself for root. */
export const chromiumArgs = (): string[] => (process.getuid?.() === 0 ? ['--no-sandbox'] : []);
