// Random numbers by key are spread evenly.

import { describe, expect, it } from '@jest/globals';
import { draw, swing } from '../../../ingest/sample/keyedRandom.ts';

describe('randomness by key', () => {
  it.each([
    [['fx', 'GBP', 2023], 502433658],
    [['Türkiye', '', 'SO', 2024], 2059635169],
    [['rev', "Côte d'Ivoire", 'SR', 'Retail'], 3766961231],
  ])('draws for %j what any other program draws from the same key', (key, hash) => {
    expect(draw(...key)).toBe(hash / 2 ** 32);
    expect(swing(...key)).toBe((2 * hash) / 2 ** 32 - 1);
  });

  it('spreads keys that differ in one figure evenly', () => {
    const draws = Array.from({ length: 10_000 }, (_, i) => draw('spread', i));
    const tenths = Array.from({ length: 10 }, (_, tenth) =>
      draws.filter((u) => Math.floor(u * 10) === tenth),
    );
    for (const { length } of tenths) expect(Math.abs(length - 1000)).toBeLessThan(150);
  });
});
