// The seed of this run: 1 in `make test`, another one in each run of `make test-long`, which prints it.

/** TEST_SEED=7 repeats a run. */
export const SEED = Number(process.env.TEST_SEED ?? 1);
