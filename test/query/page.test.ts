import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { DimensionName } from '../../src/catalog/datasets.ts';
import { ApiError } from '../../src/errors.ts';
import { decodeCursor, encodeCursor, expectSameWalk, pageOf } from '../../src/query/page.ts';
import type { Period } from '../../src/query/parse.ts';

const snapshot = { id: '2026-11.1', fingerprint: 'f'.repeat(64), rows: 1000 };

const query = (filters: Partial<Record<DimensionName, string[]>> = {}, period: Period | null = null) => ({
  dataset: 'ggr' as const,
  filters: new Map(Object.entries(filters) as [DimensionName, string[]][]),
  period,
});

const INVALID = new ApiError(400, 'Invalid pagination cursor');

describe('pageOf', () => {
  it('walks any selection once, in order, whatever the limits are', () => {
    const positions = fc.uniqueArray(fc.nat(500)).map((numbers) => Uint32Array.from(numbers).sort());
    const selections = fc.oneof(
      positions.map((found) => ({ rows: found.length, positions: found })),
      fc.nat(300).map((rows) => ({ rows, positions: null })),
    );
    const limits = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 });
    fc.assert(
      fc.property(selections, limits, (selection, sizes) => {
        const walked: number[] = [];
        for (let turn = 0, after = -1; ; turn++) {
          const limit = sizes[turn % sizes.length] ?? 1;
          const page = pageOf(selection, { after, limitRows: limit });
          walked.push(...page.positions);
          if (!page.hasMore) break;
          expect(page.positions.length).toBe(limit);
          after = page.positions.at(-1) ?? 0;
        }
        const all = selection.positions ?? Uint32Array.from({ length: selection.rows }, (_, i) => i);
        expect(walked).toEqual([...all]);
      }),
    );
  });

  it('goes on behind a row that is not selected', () => {
    const selection = { rows: 3, positions: Uint32Array.of(2, 5, 9) };
    expect(pageOf(selection, { after: 4, limitRows: 1 })).toEqual({
      positions: Uint32Array.of(5),
      hasMore: true,
    });
    expect(pageOf(selection, { after: 9, limitRows: 5 })).toEqual({
      positions: Uint32Array.of(),
      hasMore: false,
    });
    expect(pageOf({ rows: 3, positions: null }, { after: 7, limitRows: 5 })).toEqual({
      positions: Uint32Array.of(),
      hasMore: false,
    });
  });
});

describe('a cursor', () => {
  it('leads back to where it was made, on the snapshot it names', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999 }), (position) => {
        const place = decodeCursor(encodeCursor(query(), snapshot, position));
        expect(place).toMatchObject({ snapshotId: '2026-11.1', position });
        expect(() => expectSameWalk(place, query(), snapshot)).not.toThrow();
      }),
    );
  });

  it('stands in a URL as it is', () => {
    for (let position = 0; position < 1000; position++) {
      expect(encodeCursor(query(), snapshot, position)).toMatch(/^[A-Za-z0-9_-]+$/);
    }
  });

  it('is refused with any one character altered, left out or added', () => {
    const cursor = encodeCursor(query({ country: ['Malta'] }), snapshot, 77);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. %\0é';
    for (let i = 0; i <= cursor.length; i++) {
      const [before, behind] = [cursor.slice(0, i), cursor.slice(i + 1)];
      if (i < cursor.length) expect(() => decodeCursor(before + behind)).toThrow(INVALID);
      if (i < cursor.length) expect(() => decodeCursor(before)).toThrow(INVALID);
      for (const character of alphabet) {
        expect(() => decodeCursor(before + character + cursor.slice(i))).toThrow(INVALID);
        if (i < cursor.length && character !== cursor[i]) {
          expect(() => decodeCursor(before + character + behind)).toThrow(INVALID);
        }
      }
    }
  });

  it('is refused when it is none', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(() => decodeCursor(text)).toThrow(INVALID);
      }),
    );
    expect(() => decodeCursor('A'.repeat(60_000))).toThrow(INVALID);
  });

  it.each([
    ['filters in another order', query({ fx: ['USD'], country: ['Malta', 'Åland'] })],
    ['values in another order', query({ country: ['Åland', 'Malta'], fx: ['USD'] })],
    ['a value in another Unicode form', query({ country: ['Malta', 'A\u030aland'], fx: ['USD'] })],
    ['a value twice, in two forms', query({ country: ['Malta', 'Åland', 'A\u030aland'], fx: ['USD'] })],
  ])('goes on with %s', (_, other) => {
    const place = decodeCursor(
      encodeCursor(query({ country: ['Malta', 'Åland'], fx: ['USD'] }), snapshot, 7),
    );
    expect(() => expectSameWalk(place, other, snapshot)).not.toThrow();
  });

  const years = { firstYear: 2020, lastYear: 2021 };
  it.each([
    ['another value', query({ country: ['Spain'] }), snapshot],
    ['a value more', query({ country: ['Malta', 'Spain'] }), snapshot],
    ['a value more that no row has', query({ country: ['Malta', 'Nowhere'] }), snapshot],
    ['the value under another name', query({ region: ['Malta'] }), snapshot],
    ['no filter', query(), snapshot],
    ['a period', query({ country: ['Malta'] }, years), snapshot],
    ['another dataset', { ...query({ country: ['Malta'] }), dataset: 'turnover' as const }, snapshot],
    ['other content under the same id', query({ country: ['Malta'] }), { ...snapshot, fingerprint: 'e' }],
    ['fewer rows than it has walked', query({ country: ['Malta'] }), { ...snapshot, rows: 7 }],
  ])('is refused for %s', (_, other, of) => {
    const place = decodeCursor(encodeCursor(query({ country: ['Malta'] }), snapshot, 7));
    expect(() => expectSameWalk(place, other, of)).toThrow(INVALID);
  });
});
