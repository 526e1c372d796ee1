// The log line of an answered request is the same as pino's.

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pino } from 'pino';
import { ANSWERED, type AnsweredFacts, accessLine, answeredFacts } from '../../src/log/accessLog.ts';
import { printableJson } from '../../src/text/printable.ts';
import { codePoint } from '../support/codePoint.ts';

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: codePoint }),
  fc.constantFrom('"', '\\', '\u202e', '\n'),
);

const facts: fc.Arbitrary<AnsweredFacts> = fc.record({
  requestId: fc.uuid(),
  address: fc.option(text, { nil: undefined }),
  keyId: fc.option(text, { nil: undefined }),
  method: fc.option(text, { nil: undefined }),
  path: text,
  route: text,
  status: fc.integer({ min: 100, max: 599 }),
  bytes: fc.nat(),
  durationMs: fc.nat().map((microseconds) => microseconds / 1000),
  snapshot: fc.option(text, { nil: undefined }),
  left: fc.option(fc.constant(true as const), { nil: undefined }),
});

describe('the line of an answered request', () => {
  test('is byte for byte the line that pino writes, made printable', () => {
    let written = '';
    const base = { pid: 7, hostname: 'a "host"' };
    const log = pino({ level: 'info', base }, { write: (line: string) => (written = line) });
    const line = accessLine(base);
    fc.assert(
      fc.property(facts, (given) => {
        log.info(given, ANSWERED);
        const epochMs = (JSON.parse(written) as { time: number }).time;
        expect(line(given, epochMs)).toBe(printableJson(written));
      }),
    );
  });

  test('may lack facts of its own', () => {
    const given = { requestId: 'r', path: '/', route: 'none', status: 404, bytes: 1, durationMs: 0.5 };
    const missing = {
      address: undefined,
      keyId: undefined,
      method: undefined,
      snapshot: undefined,
      left: undefined,
    };
    expect(JSON.parse(accessLine({})({ ...given, ...missing }, 7))).toEqual({
      level: 30,
      time: 7,
      ...given,
      msg: 'answered',
    });
  });
});

describe('the facts about an answered request', () => {
  const factsOf = (route: string) =>
    answeredFacts({
      event: 'request answered',
      route,
      status: 200,
      bytes: 9,
      durationMs: 12.3456789,
      isCutShort: true,
      details: () => ({
        requestId: 'r',
        method: 'GET',
        path: '/v1/usage',
        address: undefined,
        keyId: null,
        snapshot: null,
      }),
    });

  test('have the duration to the microsecond, and lack what is not known', () => {
    expect(factsOf('/v1/usage')).toEqual({
      requestId: 'r',
      method: 'GET',
      path: '/v1/usage',
      route: '/v1/usage',
      status: 200,
      bytes: 9,
      durationMs: 12.346,
      left: true,
    });
  });

  test.each(['/healthz', '/readyz'])('are none for the probe %s', (route) => {
    expect(factsOf(route)).toBeNull();
  });
});
