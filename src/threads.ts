// Asks for enough libuv threads before anything uses one: import it first. Statements and file reads run on them.

/** Eight statements at once, and some threads for files, hashes and name look-ups. */
const NEEDED = 16;

// libuv reads this variable when its first thread starts. From Node 22 on nothing has needed a thread yet. Node 20 has
// read this very file with one, so there only the environment of the start counts.
const set = process.env.UV_THREADPOOL_SIZE;
process.env.UV_THREADPOOL_SIZE ??= String(NEEDED);

/** One line that says what to do about too few threads; null when there are enough. */
export function threadsAdvice(
  nodeVersion: string = process.versions.node,
  asked: string | undefined = set,
): string | null {
  const isTooLate = asked === undefined && Number.parseInt(nodeVersion, 10) < 22;
  const threads = isTooLate ? 4 : Number(asked ?? NEEDED);
  if (threads >= NEEDED) return null;
  return `only ${threads} threads for files and statements; start with UV_THREADPOOL_SIZE=${NEEDED} (npm start does)`;
}
