// How many runs a property gets: `{ numRuns: runs(4) }` is four in `make test` and a hundred in `make test-long`.

/** `few` times TEST_DEPTH, which is 1 unless `make test-long` says otherwise. */
export const runs = (few: number): number => few * Number(process.env.TEST_DEPTH ?? 1);
