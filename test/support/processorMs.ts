// The CPU time of a computation, for tests of texts and numbers that could keep the processor busy for minutes.

/** The CPU time of this process in milliseconds. Unlike wall time, it does not grow with the load of the machine. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
