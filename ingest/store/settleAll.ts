// Waits for the end of several promises, even after one of them has failed.

/**
 * The results of all promises. After a failure, it throws only when all have ended: none of them uses a file any more then.
 */
export const settleAll = async <const Results extends readonly unknown[]>(
  promises: {
    readonly [I in keyof Results]: Promise<Results[I]>;
  },
): Promise<Results> =>
  (await Promise.all(promises).finally(() => Promise.allSettled(promises))) as unknown as Results;
