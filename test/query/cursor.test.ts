// The text of cursors, and cursors that are refused. test/contract/rulings-responses.test.ts has what a walk needs.

import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { DimensionName } from '../../src/catalog/datasets.ts';
import { ApiError } from '../../src/errors.ts';
import { type CursorPosition, decodeCursor, encodeCursor, expectSameWalk } from '../../src/query/cursor.ts';
import type { Period } from '../../src/query/parameters/period.ts';
import { codePoint } from '../support/codePoint.ts';
import { orElse } from '../support/orElse.ts';

const snapshot = { id: '2026-11.1', fingerprint: 'f'.repeat(64), rows: 1000 };

const query = (filters: Partial<Record<DimensionName, string[]>> = {}, period: Period | null = null) => ({
  dataset: 'ggr' as const,
  filters: new Map(Object.entries(filters) as [DimensionName, string[]][]),
  period,
});

function decoded(cursor: string): CursorPosition {
  const content = decodeCursor(cursor);
  if (content === 'malformed') throw new Error(`${cursor} is malformed`);
  return content;
}

const INVALID = new ApiError(400, 'Invalid pagination cursor');

describe('a cursor', () => {
  it('leads back to where it was made, on the snapshot it names', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999 }), (position) => {
        const content = decoded(encodeCursor(query(), snapshot, position));
        expect(content).toMatchObject({ snapshotId: '2026-11.1', position });
        expect(() => expectSameWalk(content, query(), snapshot)).not.toThrow();
      }),
    );
  });

  it('has the same form in every server of its version', () => {
    const cursor = encodeCursor(query({ country: ['Malta'] }), { ...snapshot, sinceId: '2026-10.1' }, 77);
    orElse('change VERSION of src/query/cursor.ts with the form, then this text', () =>
      expect(cursor).toBe('AQAAAE1gsIQvU6jOuzIwMjYtMTEuMSAyMDI2LTEwLjEdp_bh'),
    );
  });

  it('is refused with any one character altered, left out or added', () => {
    const cursor = encodeCursor(query({ country: ['Malta'] }), snapshot, 77);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. %\0é';
    for (let i = 0; i <= cursor.length; i++) {
      const [before, after] = [cursor.slice(0, i), cursor.slice(i + 1)];
      if (i < cursor.length) expect(decodeCursor(before + after)).toBe('malformed');
      if (i < cursor.length) expect(decodeCursor(before)).toBe('malformed');
      for (const character of alphabet) {
        expect(decodeCursor(before + character + cursor.slice(i))).toBe('malformed');
        if (i < cursor.length && character !== cursor[i]) {
          expect(decodeCursor(before + character + after)).toBe('malformed');
        }
      }
    }
  });

  it('is refused when the text is not a cursor', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (text) => {
        expect(decodeCursor(text)).toBe('malformed');
      }),
    );
    // Bytes that begin like those of a cursor.
    const [version = 0] = Buffer.from(encodeCursor(query(), snapshot, 7), 'base64url');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40, size: 'max' }), (bytes) => {
        const text = Buffer.from([version, ...bytes]).toString('base64url');
        expect(decodeCursor(text)).toBe('malformed');
      }),
    );
    expect(decodeCursor('A'.repeat(60_000))).toBe('malformed');
  });

  it('is refused when another version made it, or when it names no snapshot', () => {
    const made = Buffer.from(encodeCursor(query(), snapshot, 7), 'base64url');
    const resigned = (payload: Buffer) =>
      Buffer.concat([payload, createHash('sha256').update(payload).digest().subarray(0, 4)]).toString(
        'base64url',
      );
    const payload = made.subarray(0, -4);
    expect(decodeCursor(resigned(payload))).toMatchObject({ position: 7 });
    expect(decodeCursor(resigned(payload.subarray(0, -snapshot.id.length)))).toBe('malformed');
    const other = Buffer.from(payload);
    other[0] = (other[0] ?? 0) + 1;
    expect(decodeCursor(resigned(other))).toBe('malformed');
  });

  it.each([
    ['a value in another Unicode form', query({ country: ['Malta', 'A\u030aland'], fx: ['USD'] })],
    ['a value twice, in two forms', query({ country: ['Malta', 'Åland', 'A\u030aland'], fx: ['USD'] })],
  ])('goes on with %s', (_, other) => {
    const position = decoded(encodeCursor(query({ country: ['Malta', 'Åland'], fx: ['USD'] }), snapshot, 7));
    expect(() => expectSameWalk(position, other, snapshot)).not.toThrow();
  });

  const years = { firstYear: 2020, lastYear: 2021 };
  it.each([
    ['a value more that no row has', query({ country: ['Malta', 'Nowhere'] }), snapshot],
    ['the value under another name', query({ region: ['Malta'] }), snapshot],
    ['a period', query({ country: ['Malta'] }, years), snapshot],
    ['other content under the same id', query({ country: ['Malta'] }), { ...snapshot, fingerprint: 'e' }],
    ['fewer rows than it has walked', query({ country: ['Malta'] }), { ...snapshot, rows: 7 }],
  ])('is refused for %s', (_, other, served) => {
    const position = decoded(encodeCursor(query({ country: ['Malta'] }), snapshot, 7));
    expect(() => expectSameWalk(position, other, served)).toThrow(INVALID);
  });

  it('is refused for another period', () => {
    const position = decoded(encodeCursor(query({}, years), snapshot, 7));
    expect(() => expectSameWalk(position, query({}, { ...years }), snapshot)).not.toThrow();
    for (const other of [
      { ...years, firstYear: 2019 },
      { ...years, lastYear: 2022 },
    ])
      expect(() => expectSameWalk(position, query({}, other), snapshot)).toThrow(INVALID);
  });
});
