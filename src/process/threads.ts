// Sets the number of libuv threads, which run statements and file reads.
// `main.ts` imports this file first, before a thread can start.

/** How many threads the server needs: for eight concurrent statements, and for files, hashes and DNS look-ups. */
const NEEDED_THREADS = 16;

// libuv reads this variable when it starts its first thread. Node 20 has started one to load this very file, so this
// assignment comes too late there. Node 22 and later have not started a thread yet.
const setting = process.env.UV_THREADPOOL_SIZE;
process.env.UV_THREADPOOL_SIZE ??= String(NEEDED_THREADS);

/** The advice to start with more threads; null when there are enough. */
export function threadsAdvice(
  nodeVersion: string = process.versions.node,
  configured: string | undefined = setting,
): string | null {
  const isTooLate = configured === undefined && Number.parseInt(nodeVersion, 10) < 22;
  const threads = isTooLate ? 4 : Number(configured ?? NEEDED_THREADS);
  if (threads >= NEEDED_THREADS) return null;
  return `only ${threads} threads for files and statements; start with UV_THREADPOOL_SIZE=${NEEDED_THREADS} (npm start does)`;
}
