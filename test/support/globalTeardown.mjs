// Runs once after the tests: ends the services that they shared, and removes their temporary folder.

/** Longer than jest lets its workers take to end. */
const END_MS = 15_000;

export default async function globalTeardown() {
  await globalThis.testServices?.stop();
  globalThis.removeTemporary?.();
  // A test that fails may leave a server open. Where it ran in this process, as a single file does, nothing else would end it.
  const end = () => {
    process.stderr.write('Something that a test has opened is still open; see above for a failed test.\n');
    process.exit(1);
  };
  setTimeout(end, END_MS).unref();
}
