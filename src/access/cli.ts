// `npm run keys`: invite people, issue, list, limit, revoke and rotate keys, sign in, read the audit log.

import { readConfig } from '../config.ts';
import { runKeys } from './commands/run.ts';

// Ended like this, and not at once, so that a Redis that was started for the command ends too.
process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));

const exitCode = await runKeys(process.argv.slice(2), () => readConfig(process.env), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
// What ends a connection goes on for two seconds; only what was printed is worth waiting for.
process.stdout.write('', () => process.exit(exitCode));
