// Counts the descriptors of a file that this process has open.

import { fstatSync, readdirSync, statSync } from 'node:fs';

/**
 * The number of descriptors of this process that belong to a file. Other tests in it may open and close files
 * meanwhile.
 */
export function openDescriptors(file: string): number {
  const { dev, ino } = statSync(file);
  return readdirSync('/dev/fd').filter((name) => {
    try {
      const one = fstatSync(Number(name));
      return one.dev === dev && one.ino === ino;
    } catch {
      return false;
    }
  }).length;
}
