// Runs once after the tests: ends the services that they shared, and removes their temporary folder.

export default async function globalTeardown() {
  await globalThis.testServices?.stop();
  globalThis.removeTemporary?.();
}
