// Codes that are packed into words come out unchanged, and numbers that are no codes are detected.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Rows } from '../../../../ingest/compare/rows/codedRows.ts';
import { packedWords } from '../../../../ingest/compare/rows/codeSql.ts';
import { Codes } from '../../../../ingest/compare/rows/codes.ts';
import {
  addCodeWords,
  bitsFor,
  codeWordsOf,
  unpackCodes,
} from '../../../../ingest/compare/rows/codeWords.ts';
import { datasetOf } from '../../../../src/catalog/datasets.ts';
import type { DatasetManifest } from '../../../../src/catalog/manifest.ts';
import { runs } from '../../../support/depth.ts';

const DIMENSIONS = datasetOf('ggr').dimensions;

/** The number of values of each dimension. */
const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 3000 })), {
  minLength: DIMENSIONS.length,
  maxLength: DIMENSIONS.length,
});

function codesOf(numbers: readonly number[]): Codes {
  const values = (count: number) => Array.from({ length: count }, (_, i) => ({ value: `${i}`, rows: 1 }));
  const manifest = {
    rows: 2,
    years: [1000, 999 + (numbers[DIMENSIONS.indexOf('year')] ?? 1)],
    dimensions: Object.fromEntries(DIMENSIONS.map((name, i) => [name, values(numbers[i] ?? 1)])),
  } as unknown as DatasetManifest;
  return new Codes('ggr', manifest, manifest);
}

describe('words', () => {
  it('hold the codes of all dimensions, and give rows the names that their codes give', () => {
    fc.assert(
      fc.property(sizes, fc.array(fc.nat(), { minLength: 20, maxLength: 20 }), (numbers, drawn) => {
        const codes = codesOf(numbers);
        // Of the two rows, the first has random codes and the second one the last codes.
        const wanted = DIMENSIONS.map((one, i) => [(drawn[i] ?? 0) % codes.size(one), codes.size(one) - 1]);
        const columns = new Map(DIMENSIONS.map((one) => [one, codes.arrayFor(one, 2)]));
        const sums = new Float64Array(2);
        const words = packedWords(codes);
        for (const { fields, weight } of words) {
          const numbersOfWord = new Uint32Array(2);
          for (const { dimension, shift } of fields)
            for (const [row, code] of (wanted[DIMENSIONS.indexOf(dimension)] ?? []).entries())
              numbersOfWord[row] = (numbersOfWord[row] as number) + (code + 1) * 2 ** shift;
          for (const digit of fields) {
            const column = columns.get(digit.dimension) as Uint16Array;
            expect(unpackCodes(column, 0, numbersOfWord, digit)).toBe(true);
          }
          if (weight !== null) addCodeWords(sums, 0, numbersOfWord, weight);
        }
        expect(DIMENSIONS.map((one) => [...(columns.get(one) ?? [])])).toEqual(wanted);
        if (words.some(({ weight }) => weight === null)) return;
        const rows = new Rows(2, columns, [new Float64Array(2)]);
        const keys = codes.keys.whole(rows);
        const again = new Rows(2, columns, [new Float64Array(2)]);
        codes.keys.cacheSums(again, sums);
        expect(codes.keys.whole(again)).toEqual(keys);
      }),
      { numRuns: runs(40, 25) },
    );
  });

  it('have no more than 32 bits, and each dimension is in one of them', () => {
    const words = codeWordsOf(DIMENSIONS, (dimension) => (dimension === 'country' ? 2 ** 30 : 255));
    expect(words.length).toBeGreaterThan(2);
    expect(words.flatMap(({ fields }) => fields.map(({ dimension }) => dimension))).toEqual([...DIMENSIONS]);
    for (const { fields } of words)
      expect(fields.reduce((bits, digit) => bits + digit.bits, 0)).toBeLessThanOrEqual(32);
    const country = words.flatMap(({ fields }) => fields).find(({ dimension }) => dimension === 'country');
    const column = new Uint32Array(1);
    expect(unpackCodes(column, 0, Uint32Array.of(2 ** 30), country ?? NONE)).toBe(true);
    expect(column[0]).toBe(2 ** 30 - 1);
  });

  it('report a value without a code, and a code beyond the last one', () => {
    const digit = { dimension: 'fx', shift: 3, bits: bitsFor(5), size: 5 } as const;
    const column = new Uint16Array(2);
    expect(unpackCodes(column, 0, Uint32Array.of(5 << 3, 1 << 3), digit)).toBe(true);
    expect(unpackCodes(column, 0, Uint32Array.of(5 << 3, 0), digit)).toBe(false);
    expect(unpackCodes(column, 0, Uint32Array.of(6 << 3, 1 << 3), digit)).toBe(false);
  });
});

const NONE = { dimension: 'fx', shift: 0, bits: 0, size: 0 } as const;
