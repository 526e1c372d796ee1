import { expect, it } from '@jest/globals';
import { publishUnderLoad } from '../../support/publishingUnderLoad.ts';

it('answers rightly from the snapshot it names while snapshots are published, rolled back and removed', async () => {
  const { wrong, errors, answers, walked, seen } = await publishUnderLoad(3, 40);
  expect({ wrong, errors }).toEqual({ wrong: [], errors: [] });
  expect(answers).toBeGreaterThan(50);
  expect(walked).toBeGreaterThan(0);
  expect(seen.size).toBeGreaterThan(3);
});
