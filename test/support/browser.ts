// Opens the system's Chromium for tests: `const browser = await openBrowser()`.

import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** @throws when no Chromium is on the PATH, with what to type. */
export function openBrowser(): Promise<Browser> {
  // Chromium refuses to sandbox itself for root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: findChromium(), args });
}

function findChromium(): string {
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    for (const name of PROGRAMS) {
      const file = path.join(folder, name);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {}
    }
  }
  throw new Error(
    `Chromium is not installed (none of ${PROGRAMS.join(', ')} is on the PATH). Install it: ` +
      'apt-get install chromium (Debian, Ubuntu), brew install --cask chromium (macOS), apk add chromium (Alpine)',
  );
}
