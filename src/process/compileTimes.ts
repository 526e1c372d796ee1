// Sets how soon V8 optimises code, and how much: sooner during the warm-up, later and less where optimising would not pay.

import v8 from 'node:v8';

/*
 * V8's interrupt budget is a number of bytes of bytecode. V8 optimises a function that has used up the budget a few times.
 * A small function that runs once per request has used it up after thousands of requests. A compilation keeps a core busy
 * for some milliseconds, and Redis or a client may be waiting for that core. On two cores, compilations cause the slowest
 * 1 % of the pages that are not cached.
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

/*
 * V8 12, which is in Node 22, counts the calls of a function instead of its bytecode. Pages are as fast there as with
 * V8 11, so only commands change this number.
 */
const DEFAULT_CALLS = 3000;
const MANY_CALLS = 4 * DEFAULT_CALLS;

/** The settings that V8 gets. */
interface V8Limits {
  readonly budgetBytes: number;
  readonly calls: number;
  readonly inlinedBytes: number;
}

const DEFAULT_LIMITS: V8Limits = {
  budgetBytes: DEFAULT_BUDGET_BYTES,
  calls: DEFAULT_CALLS,
  inlinedBytes: DEFAULT_INLINED_BYTES,
};

/** Runs `act` with a quarter of V8's default budget. */
export async function compilingSooner<Result>(act: () => Promise<Result>): Promise<Result> {
  setLimits({ ...DEFAULT_LIMITS, budgetBytes: SOONER_BUDGET_BYTES });
  try {
    return await act();
  } finally {
    setLimits(DEFAULT_LIMITS);
  }
}

/**
 * Sets four times the default budget. It is for a process whose code is compiled already, where more compiling would gain
 * little.
 */
export const compileLater = (): void => setLimits({ ...DEFAULT_LIMITS, budgetBytes: LATER_BUDGET_BYTES });

/** Sets the budget of `compileLater` with little inlining, for a process that ends soon. */
export const compileLittle = (): void =>
  setLimits({ budgetBytes: LATER_BUDGET_BYTES, calls: MANY_CALLS, inlinedBytes: FEW_INLINED_BYTES });

/**
 * Sets the defaults, until the returned function is called. A caller that starts a thread needs this, because V8 accepts
 * the code cache of the build only with the flags of a fresh process.
 */
export function compilingAsAtStart(): () => void {
  const before = limits;
  setLimits(DEFAULT_LIMITS);
  return () => setLimits(before);
}

const [version = ''] = process.versions.v8.split('.');

/** Whether V8 has the budget: V8 11, which is in Node 20. */
export const hasBudget = version === '11';

/**
 * Whether V8 counts calls, and we may change their number: V8 12, which is in Node 22. Later versions refuse the code cache
 * of the build for good once a flag was changed, so no flag is changed there.
 */
export const countsCalls = version === '12';

let limits = DEFAULT_LIMITS;

function setLimits(next: V8Limits): void {
  limits = next;
  if (hasBudget) v8.setFlagsFromString(`--interrupt-budget=${next.budgetBytes}`);
  if (countsCalls) v8.setFlagsFromString(`--invocation-count-for-turbofan=${next.calls}`);
  if (hasBudget || countsCalls)
    v8.setFlagsFromString(`--max-inlined-bytecode-size-cumulative=${next.inlinedBytes}`);
}
