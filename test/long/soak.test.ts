// A long soak. MINUTES sets its length, and PAUSE_MS the pause of a client between two rounds.
// `make soak MINUTES=120` runs the full one.

import { describe, expect, it } from '@jest/globals';
import { soak } from '../support/soak.ts';

const MINUTES = Number(process.env.MINUTES ?? 10);
const PAUSE_MS = Number(process.env.PAUSE_MS ?? 0);

describe('a long soak', () => {
  it(
    'ends with the memory that it had early on, within 10 %, and nothing left behind',
    async () => {
      const { counts, wrong, unchecked, descriptors, timers, temporaryFiles, memoryMb } = await soak(
        MINUTES * 60,
        PAUSE_MS,
      );
      process.stdout.write(
        `${MINUTES} minutes: ${JSON.stringify(counts)}, ${unchecked} × Redis too slow, memory ${memoryMb.map(Math.round).join(' → ')} MB, ` +
          `descriptors ${descriptors.join(' → ')}, timers ${timers.join(' → ')}\n`,
      );
      expect(wrong).toEqual([]);
      for (const name of ['publications', 'walks', 'exports', 'keys', 'deaths'])
        expect([name, (counts[name] ?? 0) > (counts[`${name} stopped`] ?? 0)]).toEqual([name, true]);
      expect(descriptors[1]).toBeLessThanOrEqual(descriptors[0]);
      expect(timers[1]).toBeLessThanOrEqual(timers[0]);
      expect(temporaryFiles).toEqual([]);
      expect(memoryMb[1]).toBeLessThan(1.1 * memoryMb[0]);
    },
    (MINUTES + 5) * 60_000,
  );
});
