// A poll begins only after the one before it has ended.

import { describe, expect, it } from '@jest/globals';
import { startPolling } from '../../src/catalog/polling.ts';

/** A poll that lasts until `end` is called. */
function aPoll() {
  const ends: (() => void)[] = [];
  return {
    begun: () => ends.length,
    end: () => ends.at(-1)?.(),
    poll: () => new Promise<void>((resolve) => void ends.push(resolve)),
  };
}

const turns = async (count: number) => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setTimeout(resolve, 1));
};

describe('polling', () => {
  it('polls at once, and again only after the poll before has ended', async () => {
    const { begun, end, poll } = aPoll();
    const polling = startPolling(poll, 0);
    await turns(5);
    expect(begun()).toBe(1);
    end();
    await polling.firstPoll;
    while (begun() < 2) await turns(1);
    const stopped = polling.stop();
    end();
    await stopped;
  });

  it('waits for a poll that is running when it is stopped, and begins no other', async () => {
    const { begun, end, poll } = aPoll();
    const polling = startPolling(poll, 0);
    let isStopped = false;
    const stopped = polling.stop().then(() => {
      isStopped = true;
    });
    await turns(5);
    expect(isStopped).toBe(false);
    end();
    await stopped;
    await turns(5);
    expect(begun()).toBe(1);
  });
});
