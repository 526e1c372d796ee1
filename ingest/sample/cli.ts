// `npm run sample`: writes the synthetic months, for trying the service out.

import { sample } from './command.ts';

// npm changes to the package's folder; relative paths mean the folder in which the person typed the command.
const standsIn = process.env.npm_lifecycle_event === 'sample' ? process.env.INIT_CWD : undefined;

const { exitCode, stdout, stderr } = await sample(process.argv.slice(2), standsIn ?? process.cwd());
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = exitCode;
