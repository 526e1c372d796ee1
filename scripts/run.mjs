// `node scripts/run.mjs FILE …`: runs a built command in this process. Builds first if sources have changed.

import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildOrExit } from './build.mjs';

buildOrExit();
const [node, , file, ...args] = process.argv;
const command = path.resolve(file);
process.argv = [node, command, ...args];
await import(pathToFileURL(command).href);
