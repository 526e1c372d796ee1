// Numbers, texts and bytes are written in order, however long they are.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createBufferPool } from '../../../src/cache/bufferPool.ts';
import { BytesWriter } from '../../../src/query/rendering/bytesWriter.ts';
import { runs } from '../../support/depth.ts';

const pool = createBufferPool();

const written = (write: (out: BytesWriter) => void) => {
  const out = new BytesWriter(pool);
  write(out);
  return out.take().bytes.toString();
};

const double = fc.double({ noNaN: true, noDefaultInfinity: true });
/** A number as people write it, with a given number of digits before and after the point. */
const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }), fc.integer({ min: 0, max: 9 }))
  .map(([digits, places]) => Number(`${digits}e-${places}`));
const small = fc.tuple(fc.integer({ min: -2000, max: 2000 }), fc.constantFrom(1, 10, 100, 1e6, 1e7));
const number = fc.oneof(
  double,
  decimal,
  small.map(([digits, unit]) => digits / unit),
);

describe('BytesWriter', () => {
  it('writes every number as JSON.stringify does', () => {
    fc.assert(
      fc.property(number, (value) => {
        const text = written((out) => out.number(value));
        if (text !== JSON.stringify(value)) throw new Error(`${JSON.stringify(value)} came out as ${text}`);
      }),
      { numRuns: runs(1_000, 5_000) },
    );
  });

  it.each([
    [0, '0'],
    [-0, '0'],
    [0.000001, '0.000001'],
    [1e-7, '1e-7'],
    [999_999_999.99, '999999999.99'],
    [1_000_000_000.01, '1000000000.01'],
    [9_999_999_999_999.99, '9999999999999.99'],
    [123_456_789_012_345, '123456789012345'],
    [1e21, '1e+21'],
    [0.1 + 0.2, '0.30000000000000004'],
    [-1.5, '-1.5'],
    [100, '100'],
    [1.1, '1.1'],
  ])('writes %d as %s', (value, text) => {
    expect(written((out) => out.number(value))).toBe(text);
  });

  it('takes a text and bytes of several times its buffer', () => {
    const text = '€ and 1,'.repeat(200_000);
    for (const length of [0, 1]) {
      const before = 'x'.repeat(length);
      expect(written((out) => out.text(before + text)) === before + text).toBe(true);
      expect(written((out) => out.bytes(Buffer.from(before + text))) === before + text).toBe(true);
    }
  });

  it('keeps everything in order however large it grows, and leaves what was taken alone', () => {
    const parts = Array.from({ length: 3000 }, (_, i) => `${i}: ${'€'.repeat(i % 300)} `);
    const write = (out: BytesWriter) => {
      for (const [i, part] of parts.entries()) {
        if (i % 2) out.text(part);
        else out.bytes(Buffer.from(part));
        out.number(i / 8);
        out.text(',');
        out.drop(1);
      }
    };
    const out = new BytesWriter(pool);
    write(out);
    const taken = out.take();
    written((next) => next.text('x'.repeat(100_000)));
    expect(taken.bytes.toString()).toBe(parts.map((part, i) => part + i / 8).join(''));
  });
});
