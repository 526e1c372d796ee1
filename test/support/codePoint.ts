// Draws any character that Unicode has, for texts: `fc.string({ unit: codePoint })`.

import fc from 'fast-check';

/**
 * Draws the same characters as the unit `binary` of fast-check, without its table of all characters, which takes a second.
 */
export const codePoint: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 0xd800, arbitrary: fc.integer({ min: 0, max: 0xd7ff }) },
    { weight: 0x110000 - 0xe000, arbitrary: fc.integer({ min: 0xe000, max: 0x10ffff }) },
  )
  .map(
    (point) => String.fromCodePoint(point),
    (text) => {
      const point = typeof text === 'string' ? text.codePointAt(0) : undefined;
      if (point === undefined || text !== String.fromCodePoint(point)) throw new Error('not one character');
      return point;
    },
  );
