// `npm run keys`: invite people, issue, list, limit, revoke and rotate keys, sign in, read the audit log.

import { readConfig } from '../config.ts';
import { runProcess } from '../terminal/commandLine.ts';
import { keysCommandLine } from './commands/program.ts';

// A Redis that was started for this command is stopped on `exit`. The default action of a signal would skip that.
process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));

// Where the user of REDIS_URL may not run INFO, ioredis advises on the console to change the program. The commands do without INFO,
// and the log of the server says what it needs the right for.
const { warn } = console;
console.warn = (...words: unknown[]) => {
  if (!String(words[0]).includes('INFO command fails')) warn(...words);
};

await runProcess(keysCommandLine(() => readConfig(process.env)));
