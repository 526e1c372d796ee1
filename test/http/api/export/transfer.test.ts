// A file is sent in chunks, and a client that reads too slowly is disconnected.

import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { unpooledLease } from '../../../../src/cache/bufferPool.ts';
import { disconnectSignalOf } from '../../../../src/http/api/clientDisconnect.ts';
import { transfer } from '../../../../src/http/api/export/transfer.ts';
import { aLatch } from '../../../support/latch.ts';

/** Sends these chunks as a body. Gives what the client receives and how `transfer` ends. */
async function sent(
  chunks: () => AsyncGenerator<Buffer>,
  contentLength?: number,
  pace = { minBytes: 1, windowMs: 60_000 },
) {
  let failure: Promise<unknown> = Promise.resolve();
  async function* leases() {
    for await (const chunk of chunks()) yield unpooledLease(chunk);
  }
  const server = http.createServer((_request, response) => {
    response.writeHead(200, contentLength === undefined ? {} : { 'Content-Length': contentLength });
    const options = { isGzip: false, pace, signal: disconnectSignalOf(response) };
    failure = transfer(response, leases(), {
      ...options,
      ...(contentLength !== undefined && { contentLength }),
    }).then(
      () => null,
      (cause: unknown) => cause,
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const body = await fetch(`http://127.0.0.1:${port}/`)
    .then((response) => response.text())
    .catch(() => 'cut');
  server.closeAllConnections();
  server.close();
  return { body, failure: await failure };
}

async function* twoChunks() {
  yield Buffer.from('ab');
  yield Buffer.from('cd');
}

it('sends all chunks, with or without a stated length', async () => {
  expect(await sent(twoChunks)).toEqual({ body: 'abcd', failure: null });
  expect(await sent(twoChunks, 4)).toEqual({ body: 'abcd', failure: null });
});

it('sends the first chunk at once, and the small ones behind it before it ends', async () => {
  const received = aLatch();
  let released = 0;
  const chunk = (text: string) => ({ ...unpooledLease(Buffer.from(text)), release: () => void released++ });
  async function* chunks() {
    yield chunk('first ');
    await received.opened;
    for (let i = 0; i < 5; i++) yield chunk(`${i} `);
  }
  let done: Promise<void> = Promise.resolve();
  const server = http.createServer((_request, response) => {
    response.writeHead(200);
    const pace = { minBytes: 1, windowMs: 60_000 };
    done = transfer(response, chunks(), { isGzip: false, pace, signal: disconnectSignalOf(response) });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  let text = '';
  for await (const part of response.body ?? []) {
    text += Buffer.from(part).toString();
    if (text === 'first ') received.open();
  }
  expect(text).toBe('first 0 1 2 3 4 ');
  await done;
  expect(released).toBe(6);
  server.closeAllConnections();
  server.close();
});

it('cuts the connection, and says why, when the body is shorter than its head says', async () => {
  const { body, failure } = await sent(twoChunks, 6);
  expect(body).toBe('cut');
  expect(failure).toMatchObject({ message: 'the body has 4 bytes and its head says 6' });
});

it('cuts the connection and passes the cause on when a chunk cannot be made', async () => {
  const { body, failure } = await sent(async function* () {
    yield Buffer.from('ab');
    throw new Error('the disk went away');
  });
  expect(body).toBe('cut');
  expect(failure).toMatchObject({ message: 'the disk went away' });
});

it('does not cut a client that waits for a slow export', async () => {
  async function* slowly() {
    for (const text of ['ab', 'cd', 'ef']) {
      yield Buffer.from(text);
      await sleep(100);
    }
  }
  const pace = { minBytes: 2 ** 16, windowMs: 10 };
  expect(await sent(slowly, undefined, pace)).toEqual({ body: 'abcdef', failure: null });
});

it('cuts a client that keeps reading, but less than the least', async () => {
  /** This is more than the buffers between server and client hold. */
  const BODY_BYTES = 32 * 2 ** 20;
  const server = http.createServer((_request, response) => {
    response.writeHead(200, { 'Content-Length': BODY_BYTES });
    async function* chunks() {
      for (let sent = 0; sent < BODY_BYTES; sent += 2 ** 17) yield unpooledLease(Buffer.alloc(2 ** 17));
    }
    // As many bytes as by default, but within 400 ms in place of a minute.
    const pace = { minBytes: 2 ** 16, windowMs: 400 };
    transfer(response, chunks(), { isGzip: false, pace, signal: disconnectSignalOf(response) }).catch(
      () => {},
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  let received = 0;
  for (let i = 0; i < 40 && !socket.destroyed; i++, await sleep(25))
    received += socket.read(2 ** 12)?.length ?? 0;
  // A client sees the reset only after it has read what arrived before.
  socket.on('data', ({ length }: Buffer) => {
    received += length;
  });
  await closed;
  expect(received).toBeLessThan(BODY_BYTES);
  server.close();
});
