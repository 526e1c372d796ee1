// Snapshots are loaded one at a time, the most urgent first, and too many waiting loads are refused.

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { createLoadQueue } from '../../src/catalog/loadQueue.ts';
import type { ApiError } from '../../src/errors.ts';

describe('a load queue', () => {
  it('runs one load at a time, the lowest rank first, then the first to come', async () => {
    const queue = createLoadQueue(16);
    const order: string[] = [];
    let running = 0;
    const load = (name: string) => async () => {
      running++;
      expect(running).toBe(1);
      await sleep(1);
      order.push(name);
      running--;
      return name;
    };
    const first = queue.run(load('first'), 9);
    await sleep(0);
    const all = await Promise.all([
      first,
      ...[3, 0, 3, 1, 0].map((rank, i) => queue.run(load(`${rank} ${i}`), rank)),
    ]);
    expect(order).toEqual(['first', '0 1', '0 4', '1 3', '3 0', '3 2']);
    expect(all).toEqual(['first', '3 0', '0 1', '3 2', '1 3', '0 4']);
  });

  it('refuses the highest rank, the last of them first, when too many wait', async () => {
    const queue = createLoadQueue(2);
    const run = (name: string, rank: number) =>
      queue.run(() => sleep(1, name), rank).catch((error: ApiError) => `${name} ${error.status}`);
    const first = run('first', 0);
    await sleep(0);
    const others = [run('a 5', 5), run('b 5', 5), run('c 9', 9), run('d 1', 1), run('e 5', 5)];
    expect(await Promise.all([first, ...others])).toEqual([
      'first',
      'a 5',
      'b 5 503',
      'c 9 503',
      'd 1',
      'e 5 503',
    ]);
  });

  it('continues after a failed load, and is idle when all loads are done', async () => {
    const queue = createLoadQueue(16);
    let done = false;
    const failing = queue.run(() => Promise.reject(new Error('damaged')), 0);
    const next = queue.run(async () => {
      await sleep(5);
      done = true;
    }, 0);
    await expect(failing).rejects.toThrow('damaged');
    await queue.idle();
    expect(done).toBe(true);
    await next;
    await queue.idle();
  });
});
