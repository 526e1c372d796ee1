// Clients get correct answers while snapshots are published, rolled back and removed.

import { expect, it } from '@jest/globals';
import { publishUnderLoad } from './publishingUnderLoad.ts';

it('fails no request and gives no wrong answer in 200 rounds of publications, rollbacks and removals', async () => {
  const { wrong, errors, answers, walked, ended, seen, memoryMb } = await publishUnderLoad(200, 50);
  const [first, last] = memoryMb;
  process.stderr.write(
    `${answers} answers by ${seen.size} snapshots, ${walked} walks to their end, ${ended} ended by a removal, ` +
      `${first} MB of memory after the first round and ${last} MB after the last\n`,
  );
  expect({ wrong, errors }).toEqual({ wrong: [], errors: [] });
  expect(seen.size).toBeGreaterThan(100);
  expect(walked).toBeGreaterThan(100);
  expect(last).toBeLessThan(first + 300);
}, 3_600_000);
