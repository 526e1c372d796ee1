// Sets how soon V8 optimises code: sooner during the warm-up, and later when the code of requests is compiled.

import v8 from 'node:v8';

/*
 * V8's interrupt budget is a number of bytes of bytecode. V8 optimises a function that has used up the budget a few
 * times. A small function that runs once per request has done so after thousands of requests. A compilation keeps a
 * core busy for some milliseconds, and Redis or a client may be waiting for that core. On two cores, compilations cause
 * the slowest 1 % of the pages that are not cached.
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
 * Sets four times the default budget. It is for a process whose code is compiled or that ends soon, because further
 * compilations would gain little.
 */
export const compileLater = (): void => setBudget(LATER_BUDGET_BYTES);

/**
 * Sets the default budget, until the returned function is called. It is for starting a thread: V8 accepts the code
 * cache of the build only with the flags of a fresh process.
 */
export function compilingAsAtStart(): () => void {
  const before = budget;
  setBudget(DEFAULT_BUDGET_BYTES);
  return () => setBudget(before);
}

/**
 * Whether V8 has this budget. V8 11, which is in Node 20, has it. Later versions have other flags and are not changed.
 */
export const hasBudget = process.versions.v8.startsWith('11.');

let budget = DEFAULT_BUDGET_BYTES;

function setBudget(bytes: number): void {
  budget = bytes;
  if (hasBudget) v8.setFlagsFromString(`--interrupt-budget=${bytes}`);
}
