// Slow readers get their own pages, although buffers are reused.

import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { isDeep, runs } from '../../support/depth.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { aRow } from '../../support/snapshot.ts';

/** The rows make pages of about half a megabyte, all of them different. */
const rows = {
  ggr: Array.from({ length: 1400 }, (_, i) =>
    aRow('ggr', { country: `Land ${i}`, product: `${i} `.repeat(80), year: 2000 + (i % 20), ggr: i / 7 }),
  ),
};
const pages = Array.from(
  { length: isDeep ? 24 : 10 },
  (_, i) => `/v1/financials?metric=ggr&limit=${1000 - i}`,
);

let server: TestServer;
const expected = new Map<string, string>();
beforeAll(async () => {
  server = await startServer({ rows });
  const plain = await startServer({ rows });
  for (const page of pages)
    expected.set(page, (await plain.get(page, { 'Accept-Encoding': 'identity' })).text);
  await plain.close();
});
afterAll(() => server.close());

/** Requests all pages at once on one connection. Reads nothing until the test says so. */
function slowReader(asked: readonly string[]) {
  const socket = net.connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.pause();
  socket.write(asked.map((page) => `GET ${page} HTTP/1.1\r\nHost: here\r\n\r\n`).join(''));
  return async (): Promise<string[]> => {
    const bodies: string[] = [];
    let held = Buffer.alloc(0);
    for await (const piece of socket) {
      held = Buffer.concat([held, piece]);
      for (;;) {
        const end = held.indexOf('\r\n\r\n');
        const length = Number(/content-length: (\d+)/i.exec(held.toString('latin1', 0, end))?.[1]);
        if (end < 0 || held.length < end + 4 + length) break;
        bodies.push(held.toString('utf8', end + 4, end + 4 + length));
        held = held.subarray(end + 4 + length);
      }
      if (bodies.length === asked.length) break;
    }
    socket.destroy();
    return bodies;
  };
}

it('gives slow and quick readers their own pages while others send requests', async () => {
  const orders = [pages, [...pages].reverse(), pages.filter((_, i) => i % 2), pages.filter((_, i) => i % 3)];
  const slow = orders.map((order) => ({ order, read: slowReader(order) }));
  for (let round = 0; round < runs(1); round++) {
    for (const page of pages) {
      const fresh = `${page}&year=${2000 + (round % 20)}`;
      const [quick, other, zipped] = await Promise.all([
        server.get(page, { 'Accept-Encoding': 'identity' }),
        server.get(fresh, { 'Accept-Encoding': 'identity' }),
        server.get(page, { 'Accept-Encoding': 'gzip' }),
      ]);
      expect(quick.text === expected.get(page) && zipped.text === expected.get(page)).toBe(true);
      expect(other.json.meta.row_count).toBe(70);
    }
    await sleep(20);
  }
  for (const { order, read } of slow) {
    const bodies = await read();
    expect(bodies.map((body, i) => body === expected.get(order[i] ?? ''))).toEqual(order.map(() => true));
  }
});
