// The lines of rare events: their levels, which alert operators, and their remedies.

import { expect, it } from '@jest/globals';
import { type LogOptions, type LogWriter, logTo } from '../../src/log/log.ts';
import type { Observation, RequestAnswered } from '../../src/observations.ts';

/** The lines of these observations, as `level message` and their data. */
function linesOf(...observations: readonly Observation[]): readonly (readonly [string, object])[] {
  return linesWith({}, ...observations);
}

function linesWith(
  options: LogOptions,
  ...observations: readonly Observation[]
): readonly (readonly [string, object])[] {
  const lines: [string, object][] = [];
  const at = (level: string) => (facts: object, message: string) =>
    void lines.push([`${level} ${message}`, facts]);
  const writer: LogWriter = { info: at('info'), warn: at('warn'), error: at('error') };
  for (const one of observations) logTo(writer, options)(one);
  return lines;
}

const failure = new Error('no folder');
const fault = new TypeError('x is undefined');

it.each<[Observation, string, object]>([
  [{ event: 'request failed', requestId: 'r', error: fault }, 'error failed', { requestId: 'r', err: fault }],
  [{ event: 'connection not accepted', error: failure }, 'error a connection could not be', { err: failure }],
  [
    { event: 'keys cannot be checked', reason: 'late' },
    'error requests cannot be checked',
    { reason: 'late' },
  ],
  [{ event: 'snapshot served', snapshot: '2026-11.1' }, 'info serving this', { snapshot: '2026-11.1' }],
  [
    { event: 'snapshot refused', snapshot: '2026-11.1', reason: 'cut' },
    'error cut',
    { snapshot: '2026-11.1' },
  ],
  // A plain Error is an expected failure and is logged by its message. An error of another class is logged with its stack.
  [{ event: 'snapshots cannot be followed', error: failure }, 'error cannot follow', { reason: 'no folder' }],
  [{ event: 'snapshots cannot be followed', error: fault }, 'error cannot follow', { err: fault }],
  [{ event: 'history read hangs', file: 'history.jsonl' }, 'error reading history.jsonl hangs: see', {}],
  [{ event: 'store up', address: 's3://a' }, 'info the snapshot store answers', { address: 's3://a' }],
  [{ event: 'store failed', reason: 'it is away' }, 'error it is away; serving on what is here', {}],
  [
    { event: 'no snapshot', dataDir: '/data' },
    'warn no snapshot in /data yet: answering 503',
    { dataDir: '/data' },
  ],
  [{ event: 'redis up' }, 'info Redis answers', {}],
  [{ event: 'redis down' }, 'error Redis is away: answering 503', {}],
  [{ event: 'redis loading' }, 'warn Redis is loading its data', {}],
  [{ event: 'redis refuses writes', reason: 'OOM' }, 'error Redis refuses writes', { reason: 'OOM' }],
  [{ event: 'redis takes writes' }, 'info Redis takes writes again', {}],
  [{ event: 'redis may evict', policy: 'allkeys-lru' }, 'warn Redis forgets keys', { policy: 'allkeys-lru' }],
  [{ event: 'redis too old', version: '6.0.16' }, 'error Redis 6.0.16 is too old', {}],
  [{ event: 'redis not reached', reason: 'refused' }, 'error Redis cannot be reached', { reason: 'refused' }],
  [
    { event: 'redis not reached', reason: 'refused', remedy: 'start it' },
    'error Redis cannot be reached',
    { reason: 'refused', remedy: 'start it' },
  ],
  [
    { event: 'redis not started', reason: 'damaged' },
    'error the private Redis cannot',
    { reason: 'damaged' },
  ],
  [{ event: 'redis lost data', reason: 'cut' }, 'error the private Redis has lost data', { reason: 'cut' }],
  [
    { event: 'redis files gone', reason: 'gone', isWrittenAnew: true },
    'warn the private Redis writes its files anew',
    { reason: 'gone' },
  ],
  [
    { event: 'redis files gone', reason: 'gone', isWrittenAnew: false },
    'error the private Redis has its data in memory only',
    { reason: 'gone' },
  ],
  [
    { event: 'redis failed a page', reason: 'late' },
    'error Redis did not do what a page',
    { reason: 'late' },
  ],
  [{ event: 'redis awaited' }, 'warn Redis does not answer yet', {}],
  [{ event: 'sign-in failed', reason: 'no key' }, 'warn nobody is signed in', { reason: 'no key' }],
  [
    { event: 'sign-in failed', reason: 'no key', remedy: 'set it' },
    'warn nobody is signed in',
    { reason: 'no key', remedy: 'set it' },
  ],
  [{ event: 'library warned', warning: 'old option' }, 'warn old option', {}],
  [{ event: 'setting doubted', advice: 'did you mean PORT?' }, 'warn did you mean PORT?', {}],
  [{ event: 'few threads', advice: 'set UV_THREADPOOL_SIZE' }, 'warn set UV_THREADPOOL_SIZE', {}],
  [
    { event: 'links lead here only', publicUrl: 'http://localhost:3000', host: '0.0.0.0' },
    'warn PUBLIC_URL is not set: claim and sign-in links begin with http://localhost:3000, which',
    { host: '0.0.0.0' },
  ],
  [
    { event: 'snapshot not fetched', snapshot: '2026-11.1', reason: 'cut' },
    'error cut; requests for it get 503',
    { snapshot: '2026-11.1' },
  ],
  [
    { event: 'connection refused', status: 431, code: 'long', address: '::1' },
    'info refused',
    { status: 431, code: 'long', address: '::1' },
  ],
  [
    { event: 'drain begun', closed: 3, waitsFor: 2 },
    'info ending: 2 unfinished connections are waited for',
    { closed: 3, waitsFor: 2 },
  ],
  [
    { event: 'drain waits', unanswered: 1, unread: 2 },
    'info ending: waiting for 1 answers and 2 slow readers',
    { unanswered: 1, unread: 2 },
  ],
  [
    { event: 'worker died', pid: 7, code: null, signal: 'SIGKILL' },
    'error a process of the server died',
    { died: 7, code: null, signal: 'SIGKILL' },
  ],
  [{ event: 'no claim link', error: failure }, 'error no claim link could be made', { err: failure }],
  [
    { event: 'drain ended', durationMs: 5, cut: 2 },
    'warn ended: 2 connections were cut',
    { durationMs: 5, cut: 2 },
  ],
  [{ event: 'reads hang' }, 'warn ended while reads of files hang', {}],
])('%j has its line', (observation, begin, facts) => {
  expect(linesOf(observation)).toEqual([[expect.stringContaining(begin), facts]]);
});

it('an end without cut connections says no more than that', () => {
  const ended = { event: 'drain ended', durationMs: 5, cut: 0 } as const;
  expect(linesOf(ended)).toEqual([['info ended', { durationMs: 5, cut: 0 }]]);
});

it('what the metrics alone count has no line', () => {
  expect(
    linesOf({ event: 'export refused' } as Observation, { event: 'key checked' } as Observation),
  ).toEqual([]);
});

it('an answered request has a line with its facts, unless the access log is off or it is a probe', () => {
  const request: RequestAnswered = {
    ...{ event: 'request answered', route: '/v1/values', status: 200, durationMs: 1.23456, bytes: 900 },
    isCutShort: true,
    details: () => ({
      ...{ requestId: 'r', method: 'GET', path: '/v1/values', address: '::1' },
      ...{ keyId: 'k', snapshot: '2026-11.1' },
    }),
  };
  const facts = {
    ...{ requestId: 'r', address: '::1', keyId: 'k', method: 'GET', path: '/v1/values', route: '/v1/values' },
    ...{ status: 200, bytes: 900, durationMs: 1.235, snapshot: '2026-11.1', left: true },
  };
  expect(linesOf(request)).toEqual([['info answered', facts]]);
  expect(linesWith({ hasAccessLog: false }, request)).toEqual([]);
  expect(linesOf({ ...request, route: '/healthz' }, { ...request, route: '/readyz' })).toEqual([]);
});
