// When a publication is killed at any step, `current` is either unchanged or switched.

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { currentId, snapshotIds } from '../../../src/catalog/dataDirectory.ts';
import { history } from '../../../src/catalog/history.ts';
import { itInDepth, some } from '../../support/depth.ts';
import { type Change, killedAt, wrongIn } from '../../support/killedCommand.ts';
import { aPublishedMonth, csvOf, type Month } from '../../support/month.ts';
import { aRow, publishRows } from '../../support/snapshot.ts';

let month: Month;
// There are two snapshots, so that a rollback is possible.
beforeEach(async () => {
  month = await aPublishedMonth({ 'ggr.csv': csvOf('ggr', [aRow('ggr', { ggr: 100 })]) }, [
    { month: '2026-10' },
    {},
  ]);
});
afterEach(() => month.remove());

/** The changes of the disk before which a command is killed. The long tests take all of them, and random moments. */
const CHANGES = {
  publish: [
    ['rename', 'current.new'],
    ['rename', 'tmp/snapshot'],
    ['writeFile', 'step.json'],
    ['appendFile', 'history.jsonl'],
  ],
  rollback: [
    ['rename', 'current.new'],
    ['appendFile', 'history.jsonl'],
  ],
  prune: [
    ['rename', 'tmp'],
    ['rm', 'tmp', 2],
  ],
} satisfies Record<string, Change[]>;

describe('killed before', () => {
  it.each<Change>(some(CHANGES.publish, 1))(
    '%s %s: a publish leaves the old snapshot or the new one, whole',
    async (...change) => {
      const before = await snapshotIds(month.dataDir);
      await month.write({ 'ggr.csv': csvOf('ggr', [aRow('ggr', { ggr: 100.5 })]) });
      const args = ['publish', month.directory, '--month', '2026-11'];
      const { signal, output } = await killedAt(month.dataDir, args, change);
      expect([signal, output]).toEqual(['SIGKILL', expect.stringContaining('reading')]);
      expect(await wrongIn(month.dataDir)).toEqual([]);
      const after = await snapshotIds(month.dataDir);
      expect(after.slice(0, before.length)).toEqual(before);
      expect(await currentId(month.dataDir)).toBe(after.at(-1));
    },
  );

  for (const change of CHANGES.rollback)
    itInDepth(`${change.join(' ')}: a rollback has happened or has not`, async () => {
      const from = await currentId(month.dataDir);
      const { signal } = await killedAt(month.dataDir, ['rollback'], change);
      expect(signal).toBe('SIGKILL');
      expect(await wrongIn(month.dataDir)).toEqual([]);
      const last = (await history(month.dataDir)).at(-1);
      const now = await currentId(month.dataDir);
      expect(now === from || (last?.event === 'rolled-back' && last.id === now && last.from === from)).toBe(
        true,
      );
    });

  for (const change of CHANGES.prune)
    itInDepth(`${change.join(' ')}: a removal has happened or has not`, async () => {
      await publishRows(month.dataDir, '2026-12.1');
      const before = await snapshotIds(month.dataDir);
      const { signal } = await killedAt(
        month.dataDir,
        ['prune', '--keep', String(before.length - 1)],
        change,
      );
      expect(signal).toBe('SIGKILL');
      expect(await wrongIn(month.dataDir)).toEqual([]);
      const after = await snapshotIds(month.dataDir);
      const gone = before.filter((id) => !after.includes(id));
      const pruned = (await history(month.dataDir)).flatMap(({ event, id }) =>
        event === 'pruned' ? [id] : [],
      );
      expect(gone.every((id) => pruned.includes(id))).toBe(true);
      expect(after.every((id) => !pruned.includes(id))).toBe(true);
    });
});
