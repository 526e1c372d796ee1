// The texts of rows in memory: their bytes, their capacity, and the memory that counts.

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { bytesOfPiece, piecesOf } from '../../../src/query/rendering/pieces.ts';
import { createRowTexts, rowTextsBytes } from '../../../src/query/rendering/rowTexts.ts';
import { collectGarbage } from '../../support/collectGarbage.ts';

describe('the texts of rows', () => {
  test('are stored as UTF-8, short and long ones', () => {
    // The limit includes what other tests of this process have stored.
    const texts = createRowTexts(rowTextsBytes() + 2 ** 20);
    const given = ['', 'a', 'é', '\u{1f600}'.repeat(20_000), 'end'];
    const stored = given.map((text) => texts.store(text));
    expect(stored.map((bytes) => Buffer.from(bytes ?? []).toString())).toEqual(given);
  });

  test('are refused beyond the capacity, and counted within it', () => {
    const before = rowTextsBytes();
    const texts = createRowTexts(before + 1000);
    const stored = Array.from({ length: 100 }, () => texts.store('twelve bytes'));
    expect(stored[0]).not.toBeNull();
    expect(stored.at(-1)).toBeNull();
    expect(rowTextsBytes() - before).toBeLessThanOrEqual(1000);
    expect(rowTextsBytes()).toBeGreaterThan(before);
  });

  test('are the same when no memory is left for them', () => {
    const column = { codes: Uint8Array.of(0, 1, 0), size: 2, fragments: ['one', 'two'] };
    const [piece] = piecesOf([column]);
    if (piece === undefined) throw new Error('no piece');
    const full = { ...piece, written: [undefined, undefined], texts: createRowTexts(0) };
    for (const one of [piece, full])
      expect([0, 1, 2].map((row) => Buffer.from(bytesOfPiece(one, row)).toString())).toEqual([
        'one',
        'two',
        'one',
      ]);
    expect(full.written).toEqual([undefined, undefined]);
  });

  test('count, once pieces are made, 8 bytes for each combination of values', () => {
    const before = rowTextsBytes();
    const column = (size: number) => ({ codes: Uint8Array.of(0), size, fragments: [] });
    // The second piece begins where the first one would have more than 65,536 combinations.
    expect(piecesOf([column(100), column(600), column(2)]).length).toBe(2);
    expect(rowTextsBytes() - before).toBe(8 * (100 * 600 + 2));
  });

  test('do not count any more once nothing refers to them', async () => {
    const bytes = 2 ** 40;
    const before = rowTextsBytes();
    createRowTexts().reserve(bytes);
    expect(rowTextsBytes()).toBe(before + bytes);
    for (let attempts = 0; rowTextsBytes() > before && attempts < 1000; attempts += 1) {
      collectGarbage();
      await sleep(1);
    }
    expect(rowTextsBytes()).toBeLessThanOrEqual(before);
  });
});
