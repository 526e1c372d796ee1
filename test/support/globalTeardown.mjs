// Runs once after the tests: ends the services that they shared.

export default async function globalTeardown() {
  await globalThis.testServices?.stop();
}
