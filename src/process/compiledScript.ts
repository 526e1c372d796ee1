// Finds the compiled scripts of this package that other processes run.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The path of a compiled file below `dist`. It is the same whether this module itself runs as TypeScript or compiled.
 * A forked process needs the compiled file, because it cannot run TypeScript.
 *
 * @param script The file, such as `ingest/staging/readerProcess.js`.
 */
export const compiledScript = (script: string): string =>
  path.join(packageFolder(path.dirname(fileURLToPath(import.meta.url))), 'dist', script);

function packageFolder(folder: string): string {
  for (let candidate = folder; ; candidate = path.dirname(candidate)) {
    if (existsSync(path.join(candidate, 'package.json'))) return candidate;
    if (path.dirname(candidate) === candidate)
      throw new Error(`no folder above ${folder} has the package.json of this program; copy it beside dist`);
  }
}
