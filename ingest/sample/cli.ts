// `npm run sample`: writes the synthetic months, for trying the service out.

import { runProcess, typedPath } from '../../src/terminal/commandLine.ts';
import { sampleCommandLine } from './command.ts';

await runProcess(sampleCommandLine((typed) => typedPath('sample', typed)));
