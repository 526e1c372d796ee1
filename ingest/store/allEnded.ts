// Waits for several promises, also for those that are still running when another one fails.

/** The results of all promises. It waits for all of them even if one fails, so that nothing uses the files any more. */
export const allEnded = async <const Results extends readonly unknown[]>(
  promises: {
    readonly [I in keyof Results]: Promise<Results[I]>;
  },
): Promise<Results> =>
  (await Promise.all(promises).finally(() => Promise.allSettled(promises))) as unknown as Results;
