// `npm run keys`: invite people, issue, list, limit, revoke and rotate keys, sign in, read the audit log.

import { constants } from 'node:os';
import { readConfig } from '../config/config.ts';
import { runProcess } from '../terminal/commandLine.ts';
import { keysCommandLine } from './commands/keysCommandLine.ts';

// A Redis that was started for this command is stopped on `exit`. The default action of a signal would skip that, also at a
// second signal.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => process.exit(128 + constants.signals[signal]));

// When the user of REDIS_URL may not run INFO, ioredis writes a warning to the console. The commands do not need INFO, so
// they suppress the warning. The server needs INFO, and its log says why.
const { warn } = console;
console.warn = (...words: unknown[]) => {
  if (!String(words[0]).includes('INFO command fails')) warn(...words);
};

await runProcess(keysCommandLine(() => readConfig(process.env)));
