// A publication that is killed leaves the old snapshot or the new one. test/long/killed.test.ts kills all commands.

import { expect, it } from '@jest/globals';
import { currentId, snapshotIds } from '../../../src/catalog/dataDirectory.ts';
import { killedAt, wrongIn } from '../../support/killedCommand.ts';
import { aPublishedMonth, csvOf } from '../../support/month.ts';
import { aRow } from '../../support/snapshot.ts';

it('killed before current is switched, a publish leaves the old snapshot or the new one, whole', async () => {
  const month = await aPublishedMonth({ 'ggr.csv': csvOf('ggr', [aRow('ggr', { ggr: 100 })]) });
  const before = await snapshotIds(month.dataDir);
  await month.write({ 'ggr.csv': csvOf('ggr', [aRow('ggr', { ggr: 100.5 })]) });
  const args = ['publish', month.directory, '--month', '2026-11'];
  const { signal, output } = await killedAt(month.dataDir, args, ['rename', 'current.new']);
  expect([signal, output]).toEqual(['SIGKILL', expect.stringContaining('reading')]);
  expect(await wrongIn(month.dataDir)).toEqual([]);
  const after = await snapshotIds(month.dataDir);
  expect(after.slice(0, before.length)).toEqual(before);
  expect(await currentId(month.dataDir)).toBe(after.at(-1));
  await month.remove();
});
