// Preloaded into a bundled program: writes the code that V8 compiled to the file COMPILED, for bundledProgram.mjs.

import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import v8 from 'node:v8';
import vm from 'node:vm';

vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    process.on('exit', () => {
      const code = this.createCachedData();
      const digest = createHash('sha256').update(source, 'latin1').update(code).digest();
      writeFileSync(process.env.COMPILED, Buffer.concat([digest, code]));
    });
  }
};
// V8 refuses code that was compiled with other flags than those at the start. The programs change flags
// (src/process/compileTimes.ts), so changing a flag does nothing here.
v8.setFlagsFromString = () => {};
syncBuiltinESMExports();
