// Events that Node passes on as sockets: CONNECT, upgrades, expectations, and clients that leave at any point.

import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Observation, RequestAnswered } from '../../../src/observations.ts';
import { createSelector, type Selector } from '../../../src/query/selection/selector.ts';
import { isDeep, itInDepth } from '../../support/depth.ts';
import { aLatch } from '../../support/latch.ts';
import { LONG_DEADLINE } from '../../support/longDeadlines.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { aRow } from '../../support/snapshot.ts';
import { statusesIn, talk } from '../../support/sockets.ts';

const GET = 'GET /v1/catalog HTTP/1.1\r\nHost: x\r\n';
const ROWS = '/v1/financials?metric=ggr&country=';
const CONNECT = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n';

/** A selector that gives no page until the test says so. */
function waitingSelector(): { selector: Selector; asked: () => number; stopped: () => number; go(): void } {
  const real = createSelector(LONG_DEADLINE);
  let asked = 0;
  let stopped = 0;
  const going = aLatch();
  const selector: Selector = {
    ...real,
    async page(snapshot, table, compiled, { disconnectSignal, ...request }) {
      asked += 1;
      disconnectSignal?.().addEventListener('abort', () => {
        stopped += 1;
      });
      await going.opened;
      return real.page(snapshot, table, compiled, request);
    },
  };
  return { selector, asked: () => asked, stopped: () => stopped, go: going.open };
}

describe('a connection', () => {
  let server: TestServer;
  let seen: Observation[];
  let waiting: ReturnType<typeof waitingSelector>;
  let first: TestServer;
  beforeAll(async () => {
    const rows = { ggr: ['A', 'B', 'C'].map((country) => aRow('ggr', { country })) };
    first = await startServer({ rows });
  });
  afterAll(() => first.close());
  beforeEach(async () => {
    seen = [];
    waiting = waitingSelector();
    server = await startServer({
      snapshots: first.snapshots,
      selector: waiting.selector,
      observe: (one) => seen.push(one),
    });
  });
  afterEach(async () => {
    waiting.go();
    await server.close();
  });
  const answers = () => seen.filter((one): one is RequestAnswered => one.event === 'request answered');
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await sleep(5);
  };

  it.each([
    ['CONNECT', CONNECT],
    ['a GET before CONNECT', `${GET}\r\n${CONNECT}`],
    ['a request to upgrade', `${GET}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`],
    ['an expectation', `${GET}Expect: 100-continue\r\nContent-Length: 5\r\n\r\n`],
    ['rubbish', 'rubbish\r\n\r\n'],
    ['half a request', GET],
  ])('that is reset after %s does no harm to the server', async (_, bytes) => {
    for (const waitMs of [0, 0, 5, 30]) {
      await talk(server.url, [bytes], {
        after: (socket) => setTimeout(() => socket.resetAndDestroy(), waitMs),
      });
    }
    expect(statusesIn(await talk(server.url, [`${GET}Connection: close\r\n\r\n`]))).toEqual([200]);
  });

  it('answers a GET before a CONNECT, and then the CONNECT', async () => {
    const talking = talk(server.url, [`GET ${ROWS}A HTTP/1.1\r\nHost: x\r\n\r\n${CONNECT}more bytes`]);
    await until(() => waiting.asked() === 1);
    await sleep(50);
    waiting.go();
    const text = await talking;
    expect(statusesIn(text)).toEqual([200, 404]);
    expect(text).toMatch(/"has_more":false\}\}HTTP\/1\.1 404 .+\{"error":"Endpoint does not exist"\}$/s);
  });

  const UPGRADE = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAA\r\n';
  const POST = `POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n${UPGRADE}\r\n`;

  it('that asks to upgrade, as Java does with each request, is answered in HTTP/1.1 and stays usable', async () => {
    const asking = `${GET}${UPGRADE}\r\n`;
    const last = `${GET}Connection: close\r\n\r\n`;
    const text = await talk(server.url, [asking, asking, `${GET}\r\n`, last], { awaitsAnswers: true });
    expect(statusesIn(text)).toEqual([200, 200, 200, 200]);
    expect(text.match(/^connection: .*$/gim)).toEqual([
      'Connection: keep-alive',
      'Connection: keep-alive',
      'Connection: keep-alive',
      'Connection: close',
    ]);
  });

  // Node's parser loses the request after the upgrade, so the client must learn that it gets no answer.
  it.each([
    ['together with the next request', [`${GET}${UPGRADE}\r\n${GET}\r\n`], [200]],
    ['behind another request', [`${GET}\r\n${GET}${UPGRADE}\r\n`], [200, 200]],
    ['with lines that end in LF alone', [`${GET}${UPGRADE}\n${GET}\r\n`], [400]],
    ['in two parts, the second of them a line feed', [`${GET}${UPGRADE}\r`, `\n${GET}\r\n`], [200]],
    ['in two parts, the second of them an empty line', [`${GET}${UPGRADE}`, `\r\n${GET}\r\n`], [200]],
    ['with a body', [POST, '{}'], [400]],
    ['with a body before the next request', [`${POST}{}${GET}\r\n`], [400]],
  ])('that asks to upgrade %s is closed after the answer', async (_, parts, statuses) => {
    const text = await talk(server.url, parts, { pauseMs: 100 });
    expect(statusesIn(text)).toEqual(statuses);
    expect(text.match(/^connection: .*$/gim)?.at(-1)).toBe('Connection: close');
  });

  itInDepth('whose headers do not end is answered 408 after 15 s, and at most 5 s later', async () => {
    const startMs = performance.now();
    const text = await talk(server.url, [GET], { staysOpen: true });
    const afterMs = performance.now() - startMs;
    expect(statusesIn(text)).toEqual([408]);
    expect(afterMs).toBeGreaterThan(14_900);
    expect(afterMs).toBeLessThan(22_000);
  });

  it('reads and drops a body that is too large, so that clients that send all of it first are answered', async () => {
    const accept = 'Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n';
    const post = `POST /mcp HTTP/1.1\r\nHost: x\r\n${accept}Content-Length: 20000000\r\n\r\n`;
    const parts = [post, 'x'.repeat(20_000_000), `${GET}Connection: close\r\n\r\n`];
    expect(statusesIn(await talk(server.url, parts))).toEqual([413, 200]);
  });

  it('that waits to be asked for a body is answered instead, and closed', async () => {
    const text = await talk(server.url, [`${GET}Expect: 100-continue\r\nContent-Length: 5\r\n\r\n`]);
    expect(statusesIn(text)).toEqual([200]);
    expect(text).toMatch(/^connection: close$/im);
  });

  it('is answered although the body that a handler waits for cannot arrive any more', async () => {
    const post = 'POST /mcp HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
    const text = await talk(server.url, [`${GET}\r\n${post}2\r\n{}\r\n`, 'no size\r\n']);
    expect(statusesIn(text)).toEqual([200, 400]);
    expect(text).toMatch(/\{"error":"Malformed request: it is not valid HTTP"\}$/);
    await until(() => answers().length === 2);
    expect(seen.filter(({ event }) => event === 'connection refused')).toHaveLength(1);
  });

  it('answers a GET whose body is malformed before it refuses the rest', async () => {
    const get = `GET ${ROWS}A HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const talking = talk(server.url, [get, 'no size\r\n']);
    await until(() => waiting.asked() === 1);
    await sleep(50);
    waiting.go();
    expect(statusesIn(await talking)).toEqual([200, 400]);
  });

  it('that a client leaves in the middle of a body is not a fault of the server', async () => {
    await talk(server.url, ['POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{'], {
      after: (socket) => setTimeout(() => socket.resetAndDestroy(), 50),
    });
    await until(() => answers().length === 1);
    await sleep(20);
    expect(seen.map(({ event }) => event)).not.toContain('request failed');
  });

  it('that is reset stops all of its requests, including queued ones', async () => {
    const requests = ['A', 'B', 'C'].map((country) => `GET ${ROWS}${country} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const leaving = talk(server.url, requests, {
      after: async (socket) => {
        await until(() => waiting.asked() === 3);
        socket.resetAndDestroy();
      },
    });
    await leaving;
    await until(() => waiting.stopped() === 3);
    expect(answers().map(({ isCutShort }) => isCutShort)).toEqual([true, true, true]);
  });

  it('whose client ends its side after its requests gets all answers', async () => {
    const talking = talk(
      server.url,
      ['A', 'B'].map((country) => `GET ${ROWS}${country} HTTP/1.1\r\nHost: x\r\n\r\n`),
      { after: (socket) => socket.end() },
    );
    const old = talk(server.url, [`GET ${ROWS}C HTTP/1.0\r\n\r\n`], { after: (socket) => socket.end() });
    await until(() => waiting.asked() === 3);
    await sleep(150);
    waiting.go();
    const [finals, early] = [statusesIn(await talking), statusesIn(await old)];
    expect(finals.filter((status) => status !== 102)).toEqual([200, 200]);
    expect(finals[0]).toBe(102);
    // HTTP/1.0 has no informational answers.
    expect(early).toEqual([200]);
    expect(waiting.stopped()).toBe(0);
  });

  it('that a client closes without a reset stops its query', async () => {
    await talk(server.url, [`GET ${ROWS}A HTTP/1.1\r\nHost: x\r\n\r\n`], {
      after: async (socket) => {
        await until(() => waiting.asked() === 1);
        socket.destroy();
      },
    });
    await until(() => waiting.stopped() === 1);
    expect(answers().map(({ isCutShort }) => isCutShort)).toEqual([true]);
  });

  it('that a client resets in the middle of an answer is logged with its address and what was sent', async () => {
    await talk(server.url, [`GET ${ROWS}A HTTP/1.1\r\nHost: x\r\n\r\n`], {
      after: async (socket) => {
        await until(() => waiting.asked() === 1);
        // In these 250 ms the server sends the informational answer 102.
        socket.end();
        await sleep(250);
        socket.resetAndDestroy();
      },
    });
    await until(() => answers().length === 1);
    expect(answers().map(({ bytes, isCutShort, details }) => [bytes, isCutShort, details().address])).toEqual(
      [['HTTP/1.1 102 Processing\r\n\r\n'.length, true, '127.0.0.1']],
    );
  });

  it('of a client that is refused and never leaves is closed within two seconds', async () => {
    await talk(server.url, ['rubbish\r\n\r\n'], { staysOpen: true });
    const connections = () =>
      new Promise<number>((resolve) => server.server.getConnections((_, count) => resolve(count)));
    expect(await connections()).toBe(1);
    // By itself, the client would leave only after ten seconds.
    const endMs = performance.now() + (isDeep ? 2500 : 9000);
    while ((await connections()) > 0 && performance.now() < endMs) await sleep(50);
    expect(await connections()).toBe(0);
    expect(seen.filter(({ event }) => event === 'connection refused')).toMatchObject([
      { address: '127.0.0.1' },
    ]);
  });
});

describe('a drain', () => {
  it('closes idle and half-sent connections at once, answers the others, and says what it waits for', async () => {
    const seen: Observation[] = [];
    const waiting = waitingSelector();
    const rows = { ggr: ['A', 'B'].map((country) => aRow('ggr', { country })) };
    const server = await startServer({ rows, selector: waiting.selector, observe: (one) => seen.push(one) });
    const closed: string[] = [];
    const client = (name: string, bytes: string, after?: (socket: Socket) => void) =>
      talk(server.url, [bytes], { staysOpen: true, ...(after && { after }) }).finally(() =>
        closed.push(name),
      );
    const answered = aLatch();
    const idle = client('idle', `${GET}\r\n`, (socket) => socket.once('data', answered.open));
    const silent = client('silent', '');
    const half = client('half a head', GET);
    const body = client('half a body', 'POST /v1/x HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab');
    const running = client('running', `GET ${ROWS}A HTTP/1.1\r\nHost: x\r\n\r\n`);
    await answered.opened;
    while (waiting.asked() === 0) await sleep(5);
    await sleep(50);
    const begunMs = performance.now();
    // This deadline is longer than any test takes.
    const drained = server.drain(600_000).then(() => closed.push('drained'));
    await Promise.all([idle, silent, half, body]);
    expect(closed).toHaveLength(4);
    const drains = () => seen.filter(({ event }) => event.startsWith('drain'));
    while (drains().length < 2) await sleep(5);
    waiting.go();
    expect(statusesIn(await running)).toEqual([200]);
    await drained;
    const tookMs = Math.ceil(performance.now() - begunMs);
    // On a busy machine the drain takes more than a second, and then logs again what it waits for.
    expect([...drains().slice(0, 2), drains().at(-1)]).toEqual([
      { event: 'drain begun', closed: 4, waitsFor: 1 },
      { event: 'drain waits', unanswered: 1, unread: 0 },
      { event: 'drain ended', durationMs: expect.any(Number), cut: 0 },
    ]);
    const ended = drains().at(-1);
    expect(ended?.event === 'drain ended' && ended.durationMs <= tookMs).toBe(true);
    await server.close();
  });
});
