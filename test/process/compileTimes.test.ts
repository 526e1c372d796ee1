// V8's flags are set without invalidating its code cache.

import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from '@jest/globals';
import { countsCalls, hasBudget } from '../../src/process/compileTimes.ts';

// V8 answers whether a function is compiled only with the flag `--allow-natives-syntax`.
const PROGRAM = `
  const { compilingSooner, compileLater, compilingAsAtStart } = await import(process.argv[1]);
  let functions = 0;
  const callsUntilCompiled = () => {
    // Each function has another text, because V8 remembers what it compiled of the same text.
    const name = 'sum' + functions++;
    const work = new Function('i', \`let \${name} = 0; for (const n of [i, 1, 2, 3]) \${name} += n; return \${name};\`);
    const isCompiled = 1 << 4;
    for (let calls = 1; calls < 1_000_000; calls++) {
      work(calls);
      if (%GetOptimizationStatus(work) & isCompiled) return calls;
    }
    return Infinity;
  };
  const sooner = await compilingSooner(async () => callsUntilCompiled());
  const usually = callsUntilCompiled();
  compileLater();
  const endStart = compilingAsAtStart();
  const atStart = callsUntilCompiled();
  endStart();
  console.log(JSON.stringify([sooner, usually, callsUntilCompiled(), atStart]));
`;

// V8 accepts a code cache for any source of the same length. It also remembers the code of each text that it has compiled,
// so each source here has another text.
const ACCEPTANCE = `
  import { Script } from 'node:vm';
  const { compileLater, compileLittle, compilingAsAtStart } = await import(process.argv[1]);
  const cachedData = new Script('1000').createCachedData();
  let source = 1000;
  const isAccepted = () => !new Script(String(++source), { cachedData }).cachedDataRejected;
  const accepted = [isAccepted()];
  for (const compile of [compileLater, compileLittle]) {
    compile();
    const endStart = compilingAsAtStart();
    accepted.push(isAccepted());
    endStart();
    accepted.push(isAccepted());
  }
  console.log(JSON.stringify(accepted));
`;

function run<Result>(program: string, ...flags: readonly string[]): Result {
  const module = pathToFileURL(path.resolve('dist/src/process/compileTimes.js')).href;
  const args = [...flags, '--input-type=module', '--eval', program, module];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  // V8 reports unknown flags on stderr.
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Result;
}

// With the second flag, V8 compiles without a thread, so the counts do not depend on the machine.
const callsUntilCompiled = () =>
  run<number[]>(PROGRAM, '--allow-natives-syntax', '--no-concurrent-recompilation');

it(
  hasBudget
    ? 'V8 compiles after fewer calls than usual in a warm-up, and after more once the code of clients is compiled, but while a thread starts'
    : `V8 ${process.versions.v8} is left as it is by servers, because only V8 11 compiles after so many bytes of bytecode`,
  () => {
    const [sooner = 0, usually = 0, later = 0, atStart = 0] = callsUntilCompiled();
    if (!hasBudget) return;
    expect(sooner).toBeLessThan(usually / 2);
    expect(later).toBeGreaterThan(2 * usually);
    expect(later).toBeLessThan(1_000_000);
    expect(atStart).toBeLessThan(later / 2);
  },
);

it('V8 accepts the code cache of a fresh process while a thread starts, whatever was set before', () => {
  const [afterLater, afterLittle] = [!hasBudget, !(hasBudget || countsCalls)];
  expect(run<boolean[]>(ACCEPTANCE)).toEqual([true, true, afterLater, true, afterLittle]);
});
