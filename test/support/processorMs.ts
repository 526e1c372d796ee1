// The time that a computation takes of the processor, for tests of texts and numbers that could keep it busy for minutes.

/** The processor time of this process in milliseconds. Other processes delay a test, but do not count. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
