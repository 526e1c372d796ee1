// Sets how soon V8 optimises code: sooner during the warm-up, later once the code of requests is compiled.

import v8 from 'node:v8';

/*
 * V8's interrupt budget is a number of bytes of bytecode. A function that has used it up a few times is optimised. A
 * small function that runs once a request gets there after thousands of requests. Each compilation occupies a core for
 * some milliseconds, while Redis or a client may wait for that core. On two cores, compilations make the slowest 1 % of
 * the pages that are not cached.
 */
const DEFAULT_BUDGET_BYTES = 67_584;
const SOONER_BUDGET_BYTES = DEFAULT_BUDGET_BYTES / 4;
const LATER_BUDGET_BYTES = 4 * DEFAULT_BUDGET_BYTES;

/** Runs `act` with a quarter of V8's default budget. */
export async function compilingSooner<Result>(act: () => Promise<Result>): Promise<Result> {
  setBudget(SOONER_BUDGET_BYTES);
  try {
    return await act();
  } finally {
    setBudget(DEFAULT_BUDGET_BYTES);
  }
}

/**
 * Sets four times the default budget from now on. It is for a process whose code is warm, or that ends soon: further
 * compilations gain little there.
 */
export const compileLater = (): void => setBudget(LATER_BUDGET_BYTES);

/**
 * Sets the default budget until the returned function is called. V8 accepts the code cache that the build wrote only
 * under the flags of a fresh process, also in a thread.
 */
export function compilingAsAtStart(): () => void {
  const before = budget;
  setBudget(DEFAULT_BUDGET_BYTES);
  return () => setBudget(before);
}

/** True for V8 11, which Node 20 has. Later versions count calls under other flags, and are left as they are. */
export const hasBudget = process.versions.v8.startsWith('11.');

let budget = DEFAULT_BUDGET_BYTES;

function setBudget(bytes: number): void {
  budget = bytes;
  if (hasBudget) v8.setFlagsFromString(`--interrupt-budget=${bytes}`);
}
