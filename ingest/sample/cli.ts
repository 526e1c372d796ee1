// `npm run sample`: writes the synthetic months, for trying the service out.

import { sample } from './command.ts';

// Paths are meant from where the person stands; npm changes to the package's folder first.
const standsIn = process.env.npm_lifecycle_event === 'sample' ? process.env.INIT_CWD : undefined;

const { exitCode, stdout, stderr } = await sample(process.argv.slice(2), standsIn ?? process.cwd());
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = exitCode;
