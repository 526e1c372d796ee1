import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { nearestValue } from '../../src/query/suggest.ts';

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
    expect(nearestValue(text, COUNTRIES)).toBe(value);
  });

  it('is the first of several as near', () => {
    expect(nearestValue('aac', ['aaa', 'aab'])).toBe('aaa');
  });

  it('is one that is nearer by a single letter than those before', () => {
    expect(nearestValue('abcdef', ['aacdez', 'abcdeg'])).toBe('abcdeg');
  });

  it('counts whole characters of scripts whose characters have parts', () => {
    expect(nearestValue('가나', ['가마'])).toBeNull();
    expect(nearestValue('대한민구', ['대한민국'])).toBe('대한민국');
  });

  it('is the nearest within a third of its length, whatever the values are', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'É', 'é', 'e'), maxLength: 6 });
    fc.assert(
      fc.property(word, fc.uniqueArray(word, { maxLength: 6 }), (text, some) => {
        const values = some.sort();
        const near = values
          .map((value) => ({ value, distance: distance(fold(text), fold(value)) }))
          .filter(({ value, distance }) => distance <= fold(value).length / 3)
          .sort((a, b) => a.distance - b.distance);
        expect(nearestValue(text, values)).toBe(near[0]?.value ?? null);
      }),
      { numRuns: 300 },
    );
  });
});

const fold = (text: string) => text.toLowerCase().replaceAll('é', 'e');

/** By definition: the shortest of all ways. */
function distance(one: string, other: string): number {
  if (one === '' || other === '') return one.length + other.length;
  const [rest, otherRest] = [one.slice(1), other.slice(1)];
  if (one[0] === other[0]) return distance(rest, otherRest);
  return 1 + Math.min(distance(rest, otherRest), distance(rest, other), distance(one, otherRest));
}
