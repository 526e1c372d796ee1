// Counts requests without a valid key per client address: an exact sliding minute, in memory, bounded.

import { isIP } from 'node:net';
import type { Request } from 'express';
import { ipKeyGenerator, type Store } from 'express-rate-limit';
import type { Window } from '../../access/gate.ts';

/** 100 a minute, whatever the other settings say (ruling 24). */
const LIMIT = 100;
const MINUTE_MS = 60_000;

/** Each takes at most a kilobyte; beyond so many the one that asked longest ago is forgotten. */
const MOST_ADDRESSES = 10_000;

/** A store for express-rate-limit, which refuses above `limit`. */
export interface Addresses extends Store {
  readonly limit: number;
  /** The address's window as it stands; takes no slot. */
  window(address: string): Window;
}

/** `nowMs` is a clock that never steps back. */
export function countAddresses(nowMs: () => number, most: number = MOST_ADDRESSES): Addresses {
  /** When each was counted, oldest first; the address that asked last stands last. */
  const counted = new Map<string, number[]>();

  function slide(address: string): number[] {
    const times = counted.get(address) ?? [];
    const cut = nowMs() - MINUTE_MS;
    const first = times.findIndex((time) => time > cut);
    return first === 0 ? times : first < 0 ? [] : times.slice(first);
  }

  function forgetSome(): void {
    for (const [address, times] of counted) {
      const isOver = (times.at(-1) ?? 0) <= nowMs() - MINUTE_MS;
      if (!isOver && counted.size <= most) return;
      counted.delete(address);
    }
  }

  const windowOf = (times: readonly number[]): Window => ({
    limit: LIMIT,
    used: times.length,
    freesMs: (times[0] ?? nowMs()) + MINUTE_MS - nowMs(),
  });

  return {
    localKeys: true,
    limit: LIMIT,
    window: (address) => windowOf(slide(address)),
    increment(address) {
      const times = slide(address);
      const isFull = times.length >= LIMIT;
      if (!isFull) times.push(nowMs());
      counted.delete(address);
      counted.set(address, times);
      forgetSome();
      return { totalHits: isFull ? LIMIT + 1 : times.length, resetTime: undefined };
    },
    decrement() {},
    resetKey(address) {
      counted.delete(address);
    },
  };
}

/** The client's address; of IPv6 its network, for a single host has more addresses than can be counted. */
export function addressOf(request: Request): string {
  // A proxy may name a port too, or write what is no address at all.
  const named = request.ip?.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1') ?? '';
  return ipKeyGenerator(isIP(named) ? named : (request.socket.remoteAddress ?? ''));
}
