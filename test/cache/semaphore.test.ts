import { describe, expect, it } from '@jest/globals';
import { createSlots } from '../../src/cache/semaphore.ts';
import { ApiError } from '../../src/errors.ts';

const never = new AbortController().signal;

describe('slots', () => {
  it('lets so many run, so many wait, and refuses the rest at once', async () => {
    const slots = createSlots({ running: 2, waiting: 2 });
    const order: number[] = [];
    const leaveFirst = await slots.enter(never);
    const leaveSecond = await slots.enter(never);
    const waiting = [3, 4].map((n) => slots.enter(never).then((leave) => [order.push(n), leave] as const));
    await expect(slots.enter(never)).rejects.toThrow(ApiError);
    leaveFirst();
    leaveSecond();
    await Promise.all(waiting);
    expect(order).toEqual([3, 4]);
  });

  it('gives a place back once, however often it is said', async () => {
    const slots = createSlots({ running: 1, waiting: 1 });
    const leave = await slots.enter(never);
    leave();
    leave();
    await slots.enter(never);
    const next = slots.enter(never);
    await expect(slots.enter(never)).rejects.toThrow(ApiError);
    await expect(Promise.race([next, 'still waiting'])).resolves.toBe('still waiting');
  });

  it('frees the place in the queue of one who gives up', async () => {
    const slots = createSlots({ running: 1, waiting: 1 });
    const leave = await slots.enter(never);
    const impatient = new AbortController();
    const gone = slots.enter(impatient.signal);
    impatient.abort();
    await expect(gone).rejects.toThrow(ApiError);
    const patient = slots.enter(never);
    leave();
    await expect(patient).resolves.toBeInstanceOf(Function);
  });

  it('lets nobody in who has already given up', async () => {
    await expect(createSlots({ running: 1, waiting: 1 }).enter(AbortSignal.abort())).rejects.toThrow(
      ApiError,
    );
  });
});
