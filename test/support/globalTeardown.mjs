// Runs once after the tests: ends the services that they shared, and removes their temporary folder.

/** How long the process may take to end by itself before it is ended. jest's workers get less time. */
const END_MS = 15_000;

export default async function globalTeardown() {
  await globalThis.testServices?.stop();
  globalThis.removeTemporary?.();
  // A test that fails may leave a server open. A single test file runs in this process, which would then never end.
  const end = () => {
    process.stderr.write('Something that a test has opened is still open; see above for a failed test.\n');
    process.exit(1);
  };
  setTimeout(end, END_MS).unref();
}
