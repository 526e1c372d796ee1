// The memory that caches report is the memory that they use.

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runProgram } from '../support/program.ts';
import { aDataDir, type DataDir, publishSql } from '../support/snapshot.ts';
import { NEVER_REPEATED_ROWS } from './neverRepeatedQueries.ts';
import type { MemoryAfterQueries } from './programs/measureMemory.ts';

let directory: DataDir;
beforeAll(async () => {
  directory = await aDataDir();
  await publishSql(directory.dataDir, '2026-11.1', { ggr: NEVER_REPEATED_ROWS });
});
afterAll(() => directory.remove());

/**
 * The number of queries that fill the caches, and before them the number without caches, which compile code and prepare row
 * texts. Filling takes so many because the body of a large page is cached only when the page is requested again.
 */
const COUNTS = [2000, 1500];

/** Memory for compiled code and for the buffers of the four clients' sockets. */
const BESIDES_BYTES = 2 * 2 ** 20;

describe('queries that are never repeated', () => {
  test('fill the caches up to their bounds, and take no more memory than the caches say', async () => {
    const [measured] = await runProgram<MemoryAfterQueries>(
      'test/long/programs/measureMemory.ts',
      [directory.dataDir, ...COUNTS],
      { nodeOptions: ['--expose-gc'] },
    );
    const { caches = {}, grownBytes } = measured ?? {};
    for (const { bytes, capacityBytes } of Object.values(caches))
      expect(bytes).toBeLessThanOrEqual(capacityBytes);
    const { responses } = caches;
    expect(responses?.bytes).toBeGreaterThan(0.9 * (responses?.capacityBytes ?? 0));
    const held = Object.values(caches).reduce((sum, { bytes }) => sum + bytes, 0);
    expect(grownBytes).toBeLessThanOrEqual(1.2 * held + BESIDES_BYTES);
  });
});
