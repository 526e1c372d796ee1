// Entry point of `npm run sample`: writes synthetic months, with which the service can be tried out.

import { runProcess, typedPath } from '../../src/terminal/commandLine.ts';
import { sampleCommandLine } from './command.ts';

await runProcess(sampleCommandLine((typed) => typedPath('sample', typed)));
