// Runs the bundle beside it, with the code that V8 compiled of it when it was built: what dist/ingest/cli.js becomes.

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

const file = fileURLToPath(new URL('cli.bundle.cjs', import.meta.url));
const cache = file.replace(/cjs$/, 'cache');

const script = new Script(readFileSync(file, 'utf8'), {
  filename: file,
  ...(existsSync(cache) && { cachedData: readFileSync(cache) }),
});
const exports = {};
const urlOf = (module) => new URL(`../${module}`, import.meta.url).href;
script.runInThisContext()(exports, createRequire(import.meta.url), { exports }, urlOf);
await exports.ended;
