// Sets the number of libuv threads, on which statements and file reads run. Must be imported first.

/** Enough for eight concurrent statements, and for files, hashes and DNS look-ups beside them. */
const NEEDED_THREADS = 16;

// libuv reads this variable when it starts its first thread. Node 20 starts one to load this very file, so there only
// the value in the process's environment counts. Node 22 and later have started none yet.
const given = process.env.UV_THREADPOOL_SIZE;
process.env.UV_THREADPOOL_SIZE ??= String(NEEDED_THREADS);

/** A line that says how to get more threads; null when there are enough. */
export function threadsAdvice(
  nodeVersion: string = process.versions.node,
  configured: string | undefined = given,
): string | null {
  const isTooLate = configured === undefined && Number.parseInt(nodeVersion, 10) < 22;
  const threads = isTooLate ? 4 : Number(configured ?? NEEDED_THREADS);
  if (threads >= NEEDED_THREADS) return null;
  return `only ${threads} threads for files and statements; start with UV_THREADPOOL_SIZE=${NEEDED_THREADS} (npm start does)`;
}
