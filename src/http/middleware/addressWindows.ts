// Counts requests without a valid key per client address, in an exact sliding minute and in limited memory.

import { isIP } from 'node:net';
import type { Request } from 'express';
import { ipKeyGenerator, type Store } from 'express-rate-limit';
import type { Window } from '../../access/gate/gateReply.ts';

/** How many requests without a valid key an address may make in a minute. It is not a setting (ruling 24). */
const LIMIT_REQUESTS = 100;
const MINUTE_MS = 60_000;

/** How many addresses are counted. Beyond this number, the address that was seen least recently is forgotten. */
const MAX_ADDRESSES = 10_000;

/** The measured memory of an address, without the times of its requests. */
const ADDRESS_BYTES = 200;
const TIME_BYTES = 8;

/** The most memory of the counts of all addresses. */
export const ADDRESSES_CAPACITY_BYTES = MAX_ADDRESSES * (ADDRESS_BYTES + LIMIT_REQUESTS * TIME_BYTES);

/** A store for express-rate-limit, which refuses requests above `limit`. */
export interface AddressCounts extends Store {
  readonly limit: number;
  /** The state of the window of an address. Counts nothing. */
  window(address: string): Window;
  /** The approximate memory of all counts. */
  bytes(): number;
}

/**
 * Makes the store. It remembers the times of each address's requests.
 *
 * @param nowMs a monotonic clock.
 */
export function createAddressCounts(
  nowMs: () => number,
  maxAddresses: number = MAX_ADDRESSES,
): AddressCounts {
  /** The times of each address's requests, oldest first. The address that was seen last is the last entry. */
  const timesByAddress = new Map<string, number[]>();

  /** The times of an address's requests in the last minute. */
  function slide(address: string): number[] {
    const times = timesByAddress.get(address) ?? [];
    const cut = nowMs() - MINUTE_MS;
    const first = times.findIndex((time) => time > cut);
    if (first === 0) return times;
    return first < 0 ? [] : times.slice(first);
  }

  function evict(): void {
    for (const [address, times] of timesByAddress) {
      const isExpired = (times.at(-1) ?? 0) <= nowMs() - MINUTE_MS;
      if (!isExpired && timesByAddress.size <= maxAddresses) return;
      timesByAddress.delete(address);
    }
  }

  const windowOf = (times: readonly number[]): Window => ({
    limit: LIMIT_REQUESTS,
    used: times.length,
    freesMs: (times[0] ?? nowMs()) + MINUTE_MS - nowMs(),
  });

  return {
    localKeys: true,
    limit: LIMIT_REQUESTS,
    window: (address) => windowOf(slide(address)),
    bytes() {
      let times = 0;
      for (const counts of timesByAddress.values()) times += counts.length;
      return timesByAddress.size * ADDRESS_BYTES + times * TIME_BYTES;
    },
    increment(address) {
      const times = slide(address);
      const isFull = times.length >= LIMIT_REQUESTS;
      if (!isFull) times.push(nowMs());
      timesByAddress.delete(address);
      timesByAddress.set(address, times);
      evict();
      return { totalHits: isFull ? LIMIT_REQUESTS + 1 : times.length, resetTime: undefined };
    },
    decrement() {},
    resetKey(address) {
      timesByAddress.delete(address);
    },
  };
}

/** The key by which a request is counted: the address of its client, which a trusted proxy names in `X-Forwarded-For`. */
export function clientAddressOf(request: Request): string {
  // A proxy may add a port, or write something that is not an address.
  const named = request.ip?.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1') ?? '';
  return ipKeyGenerator(isIP(named) ? named : (request.socket.remoteAddress ?? ''));
}

/**
 * The key by which an address is counted. For IPv4 it is the address itself. For IPv6 it is the network, because one
 * client may own a whole network.
 */
export const networkOf = (address: string): string => ipKeyGenerator(address);
