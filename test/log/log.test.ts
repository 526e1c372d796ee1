// The lines of rare events: their levels, which alert operators, and their remedies.

import { expect, it } from '@jest/globals';
import { type LogWriter, logTo } from '../../src/log/log.ts';
import type { Observation } from '../../src/observations.ts';

/** The lines of these observations, as `level message` and their data. */
function linesOf(...observations: readonly Observation[]): readonly (readonly [string, object])[] {
  const lines: [string, object][] = [];
  const at = (level: string) => (facts: object, message: string) =>
    void lines.push([`${level} ${message}`, facts]);
  const writer: LogWriter = { info: at('info'), warn: at('warn'), error: at('error') };
  for (const one of observations) logTo(writer)(one);
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
  // A failure that explains itself is logged without a stack.
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
  [
    { event: 'redis failed a page', reason: 'late' },
    'error Redis did not do what a page',
    { reason: 'late' },
  ],
  [{ event: 'redis awaited' }, 'warn Redis does not answer yet', {}],
  [{ event: 'sign-in failed', reason: 'no key' }, 'warn nobody is signed in', { reason: 'no key' }],
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
