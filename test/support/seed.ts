// The seed of this run: 1 in `make test`, another one in each run of `make test-long`, which prints it.

/** The value of TEST_SEED. Setting it repeats a run: TEST_SEED=7 repeats one whose seed was 7. */
export const SEED = Number(process.env.TEST_SEED ?? 1);
