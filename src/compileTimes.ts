// When V8 compiles: sooner during the warm-up, later once the code of clients is compiled.

import v8 from 'node:v8';

/*
 * V8 has a budget of bytes of bytecode. It optimises a function that has run that many bytes a few times. A small
 * function that runs once a request gets there after thousands of requests. Each compilation takes a core for some
 * milliseconds, while Redis or a client may wait to run. On two cores this makes the slowest hundredth of pages that
 * were never requested before.
 */
const USUALLY = 67_584;
const SOONER = USUALLY / 4;
const LATER = 4 * USUALLY;

/** While `act` runs, V8 compiles after a quarter of what it takes usually. */
export async function compilingSooner<Result>(act: () => Promise<Result>): Promise<Result> {
  setBudget(SOONER);
  try {
    return await act();
  } finally {
    setBudget(USUALLY);
  }
}

/**
 * From now on V8 compiles after four times as much. For a process whose code is warm, or that ends soon: what it still
 * compiles gains little.
 */
export const compileLater = (): void => setBudget(LATER);

/**
 * V8 compiles as at the start until the function that this gives is called. V8 takes code that the build kept only under the
 * flags of a start, also in a thread.
 */
export function compilingAsAtStart(): () => void {
  const before = budget;
  setBudget(USUALLY);
  return () => setBudget(before);
}

/** V8 11, which Node 20 has. Later versions count calls, by flags of other names, and compile as they do anyway. */
export const hasBudget = process.versions.v8.startsWith('11.');

let budget = USUALLY;

function setBudget(bytes: number): void {
  budget = bytes;
  if (hasBudget) v8.setFlagsFromString(`--interrupt-budget=${bytes}`);
}
