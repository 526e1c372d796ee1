// Waits for the end of several promises, even after one of them has failed.

/** The results of all promises. If one fails, it throws only when all have ended, so that none still uses a file. */
export const allEnded = async <const Results extends readonly unknown[]>(
  promises: {
    readonly [I in keyof Results]: Promise<Results[I]>;
  },
): Promise<Results> =>
  (await Promise.all(promises).finally(() => Promise.allSettled(promises))) as unknown as Results;
