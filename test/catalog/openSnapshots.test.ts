// Which open snapshots are closed to free memory for others.

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { createOpenSnapshots, NoRoom } from '../../src/catalog/openSnapshots.ts';
import { referenceCount } from '../../src/catalog/referenceCount.ts';
import type { Snapshot } from '../../src/catalog/snapshot.ts';

/** Opens snapshots of 10 bytes each, in the order of their last use. Gives the names of those that are still open. */
async function holding(
  names: readonly string[],
  limits: { readonly maxBytes: number; readonly maxOpen: number },
) {
  const open = new Set<string>();
  const snapshots = createOpenSnapshots(limits);
  const leases = new Map<string, () => void>();
  for (const name of names) {
    open.add(name);
    const snapshot = referenceCount(() => void open.delete(name)) as unknown as Snapshot;
    leases.set(name, snapshots.add(name, snapshot, 10).lease().release);
  }
  /** Releases the lease of a snapshot. This is its last use, later than those of all others. */
  const release = async (name: string) => {
    await sleep(2);
    leases.get(name)?.();
  };
  return { snapshots, release, open: () => [...open] };
}

describe('open snapshots', () => {
  it('are closed by their last use, the earliest first, and never while they are in use', async () => {
    const { snapshots, release, open } = await holding(['a', 'b', 'c', 'd'], { maxBytes: 40, maxOpen: 9 });
    for (const name of ['c', 'a', 'b']) await release(name);
    snapshots.makeRoom('new', 10, false);
    expect(open()).toEqual(['a', 'b', 'd']);
    snapshots.makeRoom('new', 20, false);
    expect(open()).toEqual(['b', 'd']);
    expect(snapshots.bytes()).toBe(20);
    snapshots.makeRoom('new', 30, false);
    expect(open()).toEqual(['d']);
  });

  it('stay open where closing them makes no room, and the refusal names the remedy', async () => {
    const { snapshots, release, open } = await holding(['a', 'b'], { maxBytes: 40, maxOpen: 9 });
    await release('a');
    expect(() => snapshots.makeRoom('new', 31, false)).toThrow(/set SNAPSHOT_MEMORY_MB to at least 1$/);
    expect(() => snapshots.makeRoom('new', 31, true)).toThrow(NoRoom);
    expect(open()).toEqual(['a', 'b']);
    const full = await holding(['a', 'b'], { maxBytes: 900, maxOpen: 2 });
    expect(() => full.snapshots.makeRoom('new', 10, false)).toThrow(
      /^snapshot new: cannot be opened, because 2 snapshots are open and in use; requests for it/,
    );
  });

  it('are closed where there are too many, though there is memory; the current one is opened beyond their number', async () => {
    const { snapshots, release, open } = await holding(['a', 'b', 'c'], { maxBytes: 900, maxOpen: 3 });
    for (const name of ['a', 'b']) await release(name);
    snapshots.makeRoom('new', 10, false);
    expect(open()).toEqual(['b', 'c']);
    const full = await holding(['a'], { maxBytes: 900, maxOpen: 1 });
    expect(() => full.snapshots.makeRoom('new', 10, false)).toThrow(NoRoom);
    expect(() => full.snapshots.makeRoom('new', 10, true)).not.toThrow();
    expect(full.open()).toEqual(['a']);
  });

  it('are closed when they were not used for long', async () => {
    const { snapshots, release, open } = await holding(['a', 'b'], { maxBytes: 900, maxOpen: 9 });
    await release('a');
    snapshots.closeIdle(60_000);
    expect(open()).toEqual(['a', 'b']);
    await sleep(2);
    snapshots.closeIdle(1);
    expect(open()).toEqual(['b']);
    // A snapshot in use is freed when its last lease is released.
    snapshots.closeAll();
    expect(open()).toEqual(['b']);
    await release('b');
    expect(open()).toEqual([]);
  });
});
