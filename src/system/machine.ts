// Finds the cores and the memory that this process may use: those of the machine, or of its container if that has less.

import { readFileSync } from 'node:fs';
import os from 'node:os';

/**
 * The number of cores that this process may use, from 1 to 64: those of the machine, or fewer if its container has a limit.
 */
export function usableCores(): number {
  const cores = Math.min(os.availableParallelism(), cgroupCores() ?? Number.POSITIVE_INFINITY);
  return Math.min(64, Math.max(1, Math.floor(cores)));
}

/** The processor limit of a container (cgroup v2), in cores, such as 1.5; null without a limit. */
function cgroupCores(): number | null {
  try {
    const [quota, period] = readFileSync('/sys/fs/cgroup/cpu.max', 'utf8').split(' ').map(Number);
    return quota && period ? quota / period : null;
  } catch {
    return null;
  }
}

/** The memory of the machine, or of its container if that has less. */
export function usableBytes(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, os.totalmem()) : os.totalmem();
}
