// Runs the bundle beside this file, with code that V8 compiled at the build. dist/src/start.js is a copy of this file.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

const href = import.meta.url.replace(/\.js$/, '.bundle.cjs');
const file = fileURLToPath(href);
const source = readFileSync(file);
const cachedData = compiledCode(file.replace(/cjs$/, 'cache'));

// The bundle is ASCII. A text with one byte a character is read in a quarter of the time and takes half the memory.
const script = new Script(source.latin1Slice(), { filename: file, ...(cachedData && { cachedData }) });
// Node looks for source maps of modules and of evaluated texts, but not of scripts, so a text is evaluated for the map.
if (process.sourceMapsEnabled)
  // biome-ignore lint/security/noGlobalEval: nothing but comments that name the bundle and its map is evaluated.
  globalThis.eval(`//# sourceURL=${href}\n//# sourceMappingURL=${path.basename(file)}.map`);
const exports = {};
const dist = import.meta.url.slice(0, import.meta.url.lastIndexOf('/dist/') + '/dist/'.length);
script.runInThisContext()(exports, createRequire(import.meta.url), { exports }, (module) => dist + module);
await exports.ended;

/**
 * The code that `keepCompiled.mjs` wrote, if it is complete and belongs to this bundle. V8 itself only checks its
 * version and the length of the source. It would run damaged code, and code of another source of the same length.
 */
function compiledCode(cache) {
  if (!existsSync(cache)) return undefined;
  const kept = readFileSync(cache);
  const [digest, code] = [kept.subarray(0, 32), kept.subarray(32)];
  return createHash('sha256').update(source).update(code).digest().equals(digest) ? code : undefined;
}
