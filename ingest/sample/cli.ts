// Entry point of `npm run sample`: writes synthetic months for trying out the service.

import { runProcess, typedPath } from '../../src/terminal/commandLine.ts';
import { sampleCommandLine } from './command.ts';

await runProcess(sampleCommandLine((typed) => typedPath('sample', typed)));
