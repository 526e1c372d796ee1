// The TypeScript client's types are those of docs/openapi.json. test/long compiles the client and asks a server with it.

import { getEventListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataApiError, type Refusal } from '../../clients/typescript/src/dataApiError.ts';
import { expectValues } from '../../clients/typescript/src/expectValues.ts';
import { patientFetch } from '../../clients/typescript/src/patientFetch.ts';
import { sha256 } from '../../src/basics/sha256.ts';
import { itInDepth } from '../support/depth.ts';
import { orElse } from '../support/orElse.ts';

it('the TypeScript client was generated from the current docs/openapi.json', () => {
  const [first] = readFileSync('clients/typescript/src/schema.ts', 'utf8').split('\n');
  const digest = sha256(readFileSync('docs/openapi.json', 'utf8'), 'hex');
  const isCurrent = first?.includes(`docs/openapi.json with SHA-256 ${digest};`);
  orElse('run cd clients/typescript && npm ci && npm run generate', () => expect(isCurrent).toBe(true));
});

it('its lockfile names no host', () => {
  expect(readFileSync('clients/typescript/package-lock.json', 'utf8')).not.toMatch(/"resolved":/);
});

it('its filters have a value, because no value would be no filter', () => {
  const query = { dataset: 'ggr', by: [], change: [], dimension: [], country: ['Malta'], year: undefined };
  expect(expectValues(query)).toBe(query);
  expect(() => expectValues({ ...query, state: [] })).toThrow(/^state: \[\] has no value/);
  for (const state of [[undefined], ['', null], new Set(['Texas']), new Date()])
    expect(() => expectValues({ ...query, state })).toThrow(/^state: .* is not a value; give a text/);
});

it('its error has the words of the server, or else the status, whatever a proxy has sent', () => {
  const response = new Response(null, { status: 502, statusText: 'Bad Gateway' });
  const wordsOf = (refusal: unknown, of = response) => new DataApiError(refusal as Refusal, of).message;
  expect(wordsOf({ error: 'No', details: { formErrors: [], fieldErrors: { year: ['a', 'b'] } } })).toBe(
    'No; year: a; year: b',
  );
  for (const details of ['text', ['text'], { fieldErrors: 'text' }, { formErrors: 5, fieldErrors: { a: 5 } }])
    expect(wordsOf({ error: 'No', details })).toBe('No');
  expect(wordsOf('no route')).toBe('no route');
  for (const other of [null, undefined, '', {}, { error: { code: 5 } }, 5])
    expect(wordsOf(other)).toBe('Bad Gateway');
  // HTTP/2 sends no text with the status.
  for (const init of [{ status: 502 }, { status: 502, statusText: ' ' }])
    expect(wordsOf('', new Response(null, init))).toBe('HTTP status 502');
});

it('its error names the page that explains the refusal, with the address of the server where that is known', () => {
  const headers = { Link: '</docs#unknown-metric>; rel="help"' };
  const response = new Response(null, { status: 400, headers });
  const { name, status, help } = new DataApiError({ error: 'No' }, response);
  expect({ name, status, help }).toEqual({ name: 'DataApiError', status: 400, help: '/docs#unknown-metric' });
  const arrived = Object.defineProperty(response, 'url', { value: 'https://data.example/v1/catalog' });
  expect(new DataApiError('No', arrived).help).toBe('https://data.example/docs#unknown-metric');
  expect(new DataApiError('No', new Response(null, { status: 502 })).help).toBeNull();
});

describe('its requests', () => {
  /**
   * The next answers of the server, in turn; then it answers 200. `null` is no answer, `cut` the first half and then the
   * end of the connection, `stall` the first half and then nothing, `trickle` a part every 0.15 s, and `long head` an
   * answer with a header of 20 kB. The second value of a redirect is its target.
   */
  let answers: ([status: number, retryAfter?: string] | null | 'cut' | 'stall' | 'trickle' | 'long head')[] =
    [];
  let asked = 0;
  const server = http.createServer((_, response) => {
    asked += 1;
    const answer = answers.shift();
    if (answer === null) return;
    if (answer === 'cut') {
      response.writeHead(200, { 'Content-Length': 2 }).write('{');
      return void setTimeout(() => response.destroy(), 20);
    }
    if (answer === 'long head') return void response.writeHead(200, { Link: 'a'.repeat(20_000) }).end('{}');
    if (answer === 'stall') return void response.writeHead(200, { 'Content-Length': 2 }).write('{');
    if (answer === 'trickle') {
      response.writeHead(200, { 'Content-Length': 4 });
      for (const [i, part] of ['{', ' ', ' ', '}'].entries())
        setTimeout(() => response.write(part), 150 * i).unref();
      // The server answers the next request on this connection only after this answer has ended.
      return void setTimeout(() => response.end(), 450).unref();
    }
    const [status, value] = answer ?? [200];
    const header = status >= 300 && status < 400 ? 'Location' : 'Retry-After';
    response.writeHead(status, value === undefined ? {} : { [header]: value }).end('{}');
  });
  let request: () => Request;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    request = () => new Request(`http://127.0.0.1:${port}/v1/catalog`);
  });
  beforeEach(() => {
    answers = [];
    asked = 0;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const patient = patientFetch({ answerSeconds: 170, maxWaitSeconds: 2 });
  const strict = patientFetch({ answerSeconds: 0.3, maxWaitSeconds: 2 });

  it('are repeated when the server says so', async () => {
    answers = [
      [429, '0'],
      [503, '1'],
    ];
    expect((await patient(request())).status).toBe(200);
    expect(asked).toBe(3);
  });

  it('leave no timer behind, which would keep a program running after its last answer', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length;
    const before = timers();
    answers = [[503, '0']];
    expect((await patient(request())).status).toBe(200);
    expect(timers()).toBeLessThanOrEqual(before);
  });

  it('give the refusal when the wait would be too long, and every other one at once', async () => {
    answers = [[429, '1'], [429, '2'], [400]];
    expect((await patient(request())).status).toBe(429);
    expect((await patient(request())).status).toBe(400);
    expect(asked).toBe(3);
  });

  it('are not repeated without end by a server that asks for no wait', async () => {
    answers = Array.from({ length: 9 }, () => [503, '0'] as [number, string]);
    const hasty = patientFetch({ answerSeconds: 1, maxWaitSeconds: 0.5 });
    expect((await hasty(request())).status).toBe(503);
    expect(asked).toBe(3);
    // Without a valid `Retry-After`, the client waits for a second.
    answers = [[503], [503, '-5'], [503, 'soon']];
    for (let i = 0; i < 3; i += 1) expect((await hasty(request())).status).toBe(503);
    expect(asked).toBe(6);
  });

  it.each([301, 302, 303, 307, 308])(
    'do not follow a redirect %d, which would send the key on',
    async (status) => {
      answers = [
        [status, 'http://elsewhere.invalid/v1/catalog'],
        [status, '/elsewhere'],
      ];
      await expect(patient(request())).rejects.toThrow(
        /redirects to http:\/\/elsewhere.invalid; give the address/,
      );
      await expect(patient(request())).rejects.toThrow(`redirects to ${new URL(request().url).origin};`);
      expect(asked).toBe(2);
    },
  );

  it('have one listener on the signal of their caller, and a time limit of any length', async () => {
    answers = [
      [503, '0'],
      [503, '0'],
    ];
    const { signal } = new AbortController();
    const asking = Object.defineProperty(request(), 'signal', { value: signal });
    await patientFetch({ answerSeconds: Number.POSITIVE_INFINITY, maxWaitSeconds: 1 })(asking);
    expect(asked).toBe(3);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  });

  it('are not sent for a caller who has left', async () => {
    const signal = AbortSignal.abort(new Error('the page was closed'));
    const asking = Object.defineProperty(request(), 'signal', { value: signal });
    await expect(patient(asking)).rejects.toThrow('the page was closed');
    expect(asked).toBe(0);
  });

  it('are repeated while a server that has answered is away, and given up at once where none ever answered', async () => {
    const away = patientFetch({ answerSeconds: 5, maxWaitSeconds: 5 });
    expect((await away(request())).status).toBe(200);
    const { port } = server.address() as AddressInfo;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    const never = patientFetch({ answerSeconds: 5, maxWaitSeconds: 5 })(request());
    // Four more attempts would take six seconds.
    const outcome = Promise.race([never, sleep(5000, 'it is tried again', { ref: false })]);
    await expect(outcome).rejects.toThrow(TypeError);
    const answer = away(request());
    await sleep(500);
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    expect((await answer).status).toBe(200);
  });

  it('are repeated when their answer is cut, except those for files, which are read as they come', async () => {
    answers = ['cut', 'cut'];
    expect(await (await patient(request())).json()).toEqual({});
    expect(asked).toBe(3);
    answers = ['cut'];
    const file = await patient(new Request(new URL('/v1/export/ggr.csv', request().url)));
    await expect(file.text()).rejects.toThrow(TypeError);
    expect(asked).toBe(4);
  });

  // Only in depth, because the pauses between the attempts take six seconds in all.
  itInDepth('are given up after four more tries, while their answers are cut', async () => {
    answers = Array.from({ length: 9 }, () => 'cut' as const);
    await expect(patient(request())).rejects.toThrow(TypeError);
    expect(asked).toBe(5);
  });

  it('are not repeated when the head of their answer is longer than Node reads', async () => {
    answers = [[200], 'long head'];
    await patient(request());
    await expect(patient(request())).rejects.toThrow(
      `the headers of the answer of ${request().url} are longer than Node reads; filter by fewer values, or start it with node --max-http-header-size=131072`,
    );
    expect(asked).toBe(2);
  });

  it('give up a server that stops within an answer, and none that goes on slowly', async () => {
    answers = ['stall', 'trickle'];
    await expect(strict(request())).rejects.toThrow(/did not go on with its answer within 0.3 s; check/);
    expect(await (await strict(request())).json()).toEqual({});
    expect(asked).toBe(2);
  });

  it('give up a server that does not answer, and end when their caller leaves', async () => {
    answers = [null, null, [503, '2']];
    await expect(strict(request())).rejects.toThrow(/did not answer within 0.3 s; check the address/);
    const leaving = new AbortController();
    const left = patientFetch({ answerSeconds: 60, maxWaitSeconds: 60 });
    setTimeout(() => leaving.abort(new Error('left')), 50);
    await expect(left(new Request(request(), { signal: leaving.signal }))).rejects.toThrow('left');
    const waiting = new AbortController();
    setTimeout(() => waiting.abort(new Error('left')), 100);
    await expect(left(new Request(request(), { signal: waiting.signal }))).rejects.toThrow('left');
  });

  it('wait as long as the server says, also longer than a timer can', async () => {
    answers = [[503, '3000000']];
    const patience = { answerSeconds: 1, maxWaitSeconds: Number.POSITIVE_INFINITY };
    const leaving = new AbortController();
    setTimeout(() => leaving.abort(new Error('left')), 100);
    const asking = patientFetch(patience)(new Request(request(), { signal: leaving.signal }));
    await expect(asking).rejects.toThrow('left');
    expect(asked).toBe(1);
  });
});
