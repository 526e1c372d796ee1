// Runs a built command in this process, building it first when its sources have changed: node scripts/run.mjs FILE …

import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildOrExit } from './build.mjs';

buildOrExit();
const [node, , file, ...args] = process.argv;
const command = path.resolve(file);
process.argv = [node, command, ...args];
await import(pathToFileURL(command).href);
