import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { unpooled } from '../../../src/cache/bufferPool.ts';
import { leavingOf } from '../../../src/http/api/leaving.ts';
import { transfer } from '../../../src/http/api/transfer.ts';

/** What a client sees of a body that is sent in these chunks, and what `transfer` says of it. */
async function sent(chunks: () => AsyncGenerator<Buffer>, bytes?: number) {
  let failure: Promise<unknown> = Promise.resolve();
  async function* leases() {
    for await (const chunk of chunks()) yield unpooled(chunk);
  }
  const server = http.createServer((_request, response) => {
    response.writeHead(200, bytes === undefined ? {} : { 'Content-Length': bytes });
    const pace = { minBytes: 1, windowMs: 60_000 };
    const options = { gzip: false, pace, signal: leavingOf(response as never) };
    failure = transfer(response, leases(), { ...options, ...(bytes !== undefined && { bytes }) }).then(
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
