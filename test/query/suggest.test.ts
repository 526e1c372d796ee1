// Suggestions for misspelt values.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { suggestAmong } from '../../src/query/suggest.ts';
import { processorMs } from '../support/processorMs.ts';

const COUNTRIES = ['Chad', 'China', "Côte d'Ivoire", 'Malta', 'Mali', 'Türkiye', 'United States'].sort();

describe('a suggestion', () => {
  it.each([
    ['Maltta', 'Malta'],
    ['malta', 'Malta'],
    ['Turkiye', 'Türkiye'],
    ['cote d ivoire', "Côte d'Ivoire"],
    ['United Stats', 'United States'],
    ['Atlantis', null],
    ['', null],
    ['Chin', 'China'],
    ['xxxxxxxxxxxxxxxxxxxxxxxxx', null],
  ])('for %j is %j', (text, value) => {
    expect(suggestAmong(COUNTRIES)(text)).toBe(value);
  });

  it('is the first of several as near', () => {
    expect(suggestAmong(['aaa', 'aab'])('aac')).toBe('aaa');
  });

  it('is one that is nearer by a single letter than those before', () => {
    expect(suggestAmong(['aacdez', 'abcdeg'])('abcdef')).toBe('abcdeg');
  });

  it('counts whole characters of scripts whose characters have parts', () => {
    expect(suggestAmong(['가마'])('가나')).toBeNull();
    expect(suggestAmong(['대한민국'])('대한민구')).toBe('대한민국');
  });

  it('is looked for at once for each of the thousands of values that a request holds', () => {
    const suggest = suggestAmong(Array.from({ length: 300 }, (_, i) => `${nameOf(i)}land`).sort());
    const began = processorMs();
    const found = Array.from({ length: 2000 }, (_, i) => suggest(`${nameOf(7 * i)}kraut`));
    expect(new Set(found)).toEqual(new Set([null]));
    expect(processorMs() - began).toBeLessThan(2000);
  });

  // Words of up to 32 letters are compared by bits, longer ones letter by letter.
  it('is looked for in less than a third of the time when words have 32 letters, not 33', () => {
    const looking = (letters: number) => {
      const shared = 'Land '.repeat(7).slice(0, letters - 4);
      const suggest = suggestAmong(NUMBERS.map((number) => `${shared}${number}`));
      const unknown = NUMBERS.map((number) => `${[...shared].reverse().join('')}${number}`);
      return () => expect(new Set(unknown.map(suggest))).toEqual(new Set([null]));
    };
    const [within, beyond] = [looking(32), looking(33)];
    expect(3 * leastProcessorMs(within)).toBeLessThan(leastProcessorMs(beyond));
  });

  it.each([
    ['follows', 0],
    ['follows', 27],
    ['follows', 29],
    ['follows', 32],
    ['precedes', 32],
  ] as const)('is the nearest within a third of its length, whatever %s %d letters', (where, n) => {
    const letters = 'ж'.repeat(n);
    const word = fc
      .string({ unit: fc.constantFrom('a', 'b', 'É', 'é', 'e', 'ж'), maxLength: 6 })
      .map((some) => (where === 'follows' ? letters + some : some + letters));
    // Two words are as far apart backwards. `distance` is slow unless they begin with the same letters.
    const turned = (text: string) => (where === 'follows' ? fold(text) : [...fold(text)].reverse().join(''));
    fc.assert(
      fc.property(word, fc.uniqueArray(word, { maxLength: 6 }), (text, some) => {
        const values = some.sort();
        const near = values
          .map((value) => ({ value, distance: distance(turned(text), turned(value)) }))
          .filter(({ value, distance }) => distance <= fold(value).length / 3)
          .sort((a, b) => a.distance - b.distance);
        expect(suggestAmong(values)(text)).toBe(near[0]?.value ?? null);
      }),
      { numRuns: 300 },
    );
  });
});

/** Numbers of four digits. */
const NUMBERS = Array.from({ length: 100 }, (_, i) => String(i).padStart(4, '0'));

/** The CPU time of the quickest of several calls: the others may have been disturbed by the machine or by V8. */
const leastProcessorMs = (act: () => unknown): number =>
  Math.min(
    ...Array.from({ length: 7 }, () => {
      const began = processorMs();
      act();
      return processorMs() - began;
    }),
  );

/** A name of six letters, different for each number. */
const nameOf = (i: number): string =>
  Array.from({ length: 6 }, (_, at) => String.fromCharCode(97 + ((i * (2 * at + 3) + (i >> at)) % 26))).join(
    '',
  );

const fold = (text: string) => text.toLowerCase().replaceAll('é', 'e');

/** The distance by its definition: the shortest of all ways. */
function distance(one: string, other: string): number {
  if (one === '' || other === '') return one.length + other.length;
  const [rest, otherRest] = [one.slice(1), other.slice(1)];
  if (one[0] === other[0]) return distance(rest, otherRest);
  return 1 + Math.min(distance(rest, otherRest), distance(rest, other), distance(one, otherRest));
}
