// Requests without a key are counted by address in an exact sliding minute.

import { describe, expect, it } from '@jest/globals';
import type { Request } from 'express';
import {
  ADDRESSES_CAPACITY_BYTES,
  clientAddressOf,
  createAddressCounts,
} from '../../../src/http/middleware/addressWindows.ts';
import { addressRateLimitHeaders } from '../../../src/http/middleware/rateLimitHeaders.ts';

/** A count of requests with a clock that the test sets. */
function aCount(most?: number) {
  const clock = { ms: 1_000_000 };
  const addresses = createAddressCounts(() => clock.ms, most);
  const ask = async (address = '192.0.2.1') =>
    (await addresses.increment(address)).totalHits <= addresses.limit;
  const admitted = async (times: number, address?: string) => {
    let count = 0;
    for (let i = 0; i < times; i++) if (await ask(address)) count += 1;
    return count;
  };
  return { clock, addresses, ask, admitted };
}

describe('counting by address', () => {
  it('admits 100 in any minute, and 10,000 guesses get no further', async () => {
    const { clock, ask, admitted } = aCount();
    expect(await admitted(60)).toBe(60);
    clock.ms += 30_000;
    expect(await admitted(10_000)).toBe(40);
    clock.ms += 29_999;
    expect(await ask()).toBe(false);
    clock.ms += 1;
    expect(await admitted(100)).toBe(60);
    clock.ms += 30_000;
    expect(await admitted(100)).toBe(40);
  });

  it('names the first whole second at which the window admits a request, never one before', () => {
    expect(addressRateLimitHeaders({ limit: 100, used: 100, freesMs: 1 }, 1_800_000_000_000)).toEqual([
      ...['X-RateLimit-Limit', '100', 'X-RateLimit-Remaining', '0', 'X-RateLimit-Reset', '1800000001'],
      ...['RateLimit-Policy', '"minute";q=100;w=60', 'RateLimit', '"minute";r=0;t=1'],
    ]);
  });

  it('reports the remaining requests and when the window next admits one', async () => {
    const { clock, addresses, admitted } = aCount();
    expect(addresses.window('192.0.2.1')).toEqual({ limit: 100, used: 0, freesMs: 60_000 });
    await admitted(3);
    clock.ms += 20_000;
    await admitted(200);
    expect(addresses.window('192.0.2.1')).toEqual({ limit: 100, used: 100, freesMs: 40_000 });
    clock.ms += 40_000;
    expect(addresses.window('192.0.2.1')).toEqual({ limit: 100, used: 97, freesMs: 20_000 });
  });

  it('forgets each request a minute after it, the first as well as the last', async () => {
    const { clock, addresses, ask } = aCount();
    const window = () => addresses.window('192.0.2.1');
    await ask();
    clock.ms += 10_000;
    await ask();
    expect(window()).toEqual({ limit: 100, used: 2, freesMs: 50_000 });
    clock.ms += 50_000;
    expect(window()).toEqual({ limit: 100, used: 1, freesMs: 10_000 });
    clock.ms += 10_000;
    expect(window()).toEqual({ limit: 100, used: 0, freesMs: 60_000 });
  });

  it('forgets an address that is reset', async () => {
    const { addresses, admitted } = aCount();
    await admitted(100);
    await addresses.resetKey('192.0.2.1');
    expect(await admitted(200)).toBe(100);
  });

  it('keeps addresses apart', async () => {
    const { ask, admitted } = aCount();
    await admitted(100, '192.0.2.1');
    expect([await ask('192.0.2.1'), await ask('192.0.2.2')]).toEqual([false, true]);
  });

  it('forgets who asked longest ago when there are too many, and everybody after a minute', async () => {
    const { clock, addresses, admitted } = aCount(50);
    for (let i = 0; i < 50; i++) await admitted(2, `192.0.2.${i}`);
    await admitted(1, '192.0.2.0');
    await admitted(1, '198.51.100.1');
    expect(addresses.window('192.0.2.0').used).toBe(3);
    expect(addresses.window('192.0.2.1').used).toBe(0);
    expect(addresses.window('192.0.2.2').used).toBe(2);
    const fullBytes = addresses.bytes();
    clock.ms += 60_000;
    await admitted(1, '192.0.2.0');
    expect(addresses.window('192.0.2.2').used).toBe(0);
    expect(addresses.bytes()).toBeLessThan(fullBytes / 10);
  });

  it('takes no more memory than its capacity', async () => {
    const { addresses, admitted } = aCount(100);
    for (let i = 0; i < 200; i++) await admitted(110, `192.0.2.${i}`);
    expect(addresses.bytes()).toBeGreaterThan(0.9 * (ADDRESSES_CAPACITY_BYTES / 100));
    expect(addresses.bytes()).toBeLessThanOrEqual(ADDRESSES_CAPACITY_BYTES / 100);
  });
});

describe('a client address', () => {
  const requestFrom = (ip: string | undefined, remoteAddress = '203.0.113.9') =>
    ({ ip, socket: { remoteAddress } }) as unknown as Request;

  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:52344', '192.0.2.1'],
    ['[2001:db8::1]:443', '2001:db8::/56'],
    ['[2001:db8::1]', '2001:db8::/56'],
    ['2001:db8:1:2:3:4:5:80', '2001:db8:1::/56'],
    ['2001:67c:2e8::1', '2001:67c:2e8::/56'],
    ['2001:db8:0:11::1', '2001:db8::/56'],
    ['2001:db8:0:111::1', '2001:db8:0:100::/56'],
    ['unknown', '203.0.113.9'],
    ['192.0.2.[1]', '203.0.113.9'],
    ['[192.0.2.1]:80 x', '203.0.113.9'],
    ['x 192.0.2.1:80', '203.0.113.9'],
    ['192.0.2.1:80 x', '203.0.113.9'],
    ['[2001:db8::]1', '203.0.113.9'],
    ['x'.repeat(50_000), '203.0.113.9'],
    [undefined, '203.0.113.9'],
  ])('%s counts as %s', (ip, counted) => {
    expect(clientAddressOf(requestFrom(ip))).toBe(counted);
  });

  it('of a connection that has just closed is not an address', () => {
    const request = { ip: undefined, socket: {} } as unknown as Request;
    expect(clientAddressOf(request)).toBe('');
  });
});
