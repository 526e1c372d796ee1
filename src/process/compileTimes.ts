// Sets how soon V8 optimises code, and how much: sooner during the warm-up, later and less where it would not pay.

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

/*
 * How many bytes of bytecode of other functions V8 puts into a function that it optimises, besides tiny ones. With the
 * default, optimising takes a third of the CPU of publishing a month of usual size. With less, the code is as fast there.
 */
const DEFAULT_INLINED_BYTES = 920;
const FEW_INLINED_BYTES = 100;

/** What V8 is told. */
interface Limits {
  readonly budgetBytes: number;
  readonly inlinedBytes: number;
}

const AT_START: Limits = { budgetBytes: DEFAULT_BUDGET_BYTES, inlinedBytes: DEFAULT_INLINED_BYTES };

/** Runs `act` with a quarter of V8's default budget. */
export async function compilingSooner<Result>(act: () => Promise<Result>): Promise<Result> {
  setLimits({ ...AT_START, budgetBytes: SOONER_BUDGET_BYTES });
  try {
    return await act();
  } finally {
    setLimits(AT_START);
  }
}

/** Sets four times the default budget. It is for a process whose code is compiled, so that more would gain little. */
export const compileLater = (): void => setLimits({ ...AT_START, budgetBytes: LATER_BUDGET_BYTES });

/** The same with little inlining, for a process that ends soon. */
export const compileLittle = (): void =>
  setLimits({ budgetBytes: LATER_BUDGET_BYTES, inlinedBytes: FEW_INLINED_BYTES });

/**
 * Sets the defaults, until the returned function is called. It is for starting a thread: V8 accepts the code cache of
 * the build only with the flags of a fresh process.
 */
export function compilingAsAtStart(): () => void {
  const before = limits;
  setLimits(AT_START);
  return () => setLimits(before);
}

/**
 * Whether V8 has this budget. V8 11, which is in Node 20, has it. Later versions have other flags and are not changed.
 */
export const hasBudget = process.versions.v8.startsWith('11.');

let limits = AT_START;

function setLimits(to: Limits): void {
  limits = to;
  if (!hasBudget) return;
  v8.setFlagsFromString(`--interrupt-budget=${to.budgetBytes}`);
  v8.setFlagsFromString(`--max-inlined-bytecode-size-cumulative=${to.inlinedBytes}`);
}
