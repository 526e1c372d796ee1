// The memory limit of staging.

import os from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { Staging } from '../../../../ingest/staging/database/staging.ts';
import { raiseMemoryLimit, usualMemoryBytes } from '../../../../ingest/staging/database/stagingEngine.ts';
import { queryRows } from '../../../../src/duckdb.ts';

it('the engine may use more memory for a month of many millions of rows, and at most half of the machine', async () => {
  const staging = await Staging.openInMemory(path.join(os.tmpdir(), 'nowhere'));
  const limits: number[] = [];
  for (const rows of [30_000, 4_000_000, 6_000_000, 1e12]) {
    await raiseMemoryLimit(staging.connection, rows, 24e9);
    const [[limit] = []] = await queryRows(staging.connection, "SELECT current_setting('memory_limit')");
    limits.push(mebibytes(String(limit)));
  }
  staging.close();
  const expected = [384e6, 384e6, 576e6, 24e9 / 2].map((bytes) => bytes / 2 ** 20);
  // DuckDB prints one decimal: `366.2 MiB`, `11.7 GiB`.
  expect(limits.map((limit, i) => limit / (expected[i] ?? 0))).toEqual(
    expected.map(() => expect.closeTo(1, 1)),
  );
});

it('the engine may use less memory in a small container, where the kernel would kill the command', () => {
  expect([24e9, 1e9, 512e6, 256e6].map(usualMemoryBytes)).toEqual([384e6, 384e6, 204.8e6, 102.4e6]);
});

function mebibytes(text: string): number {
  const [, number, unit] = /^([\d.]+) (MiB|GiB)$/.exec(text) ?? [];
  return Number(number) * (unit === 'GiB' ? 1024 : 1);
}
