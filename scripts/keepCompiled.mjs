// Preloaded into a command that runs one `Script`: keeps what V8 compiled of it, in the file that COMPILED names.

import { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import vm from 'node:vm';

vm.Script = class extends vm.Script {
  constructor(...args) {
    super(...args);
    process.on('exit', () => writeFileSync(process.env.COMPILED, this.createCachedData()));
  }
};
syncBuiltinESMExports();
