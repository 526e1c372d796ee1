// Suggestions for misspelt names.

import { describe, expect, it } from '@jest/globals';
import {
  didYouMean,
  differByOneLetter,
  headingKey,
  looseKey,
  nearestWord,
} from '../../../ingest/messages/spelling.ts';

const COUNTRIES = ['Malta', 'Mali', 'Norway', 'Türkiye', "Côte d'Ivoire", 'Congo, Democratic Republic of'];

describe('nearest', () => {
  it.each([
    ['Maltta', 'Malta'],
    ['malta', 'Malta'],
    ['Matla', 'Malta'],
    ['Turkiye', 'Türkiye'],
    ['Cote d’Ivoire', "Côte d'Ivoire"],
    ['Norwey', 'Norway'],
  ])('finds what %j was meant to be', (text, meant) => {
    expect(nearestWord(text, COUNTRIES)).toBe(meant);
  });

  it('suggests nothing that is far off', () => {
    expect(nearestWord('Brazil', COUNTRIES)).toBeUndefined();
    expect(didYouMean('Brazil', COUNTRIES)).toBe('');
    // Two of five letters differ, so Malta is not near enough.
    expect(nearestWord('Melto', COUNTRIES)).toBeUndefined();
  });
});

describe('differByOneLetter', () => {
  it.each([
    ['Malta', 'Matla', true],
    ['Malta', 'Maltta', true],
    ['Malta', 'Mala', true],
    ['Malta', 'Malda', true],
    ['Malta', 'Malta', false],
    ['Malxy', 'Malyz', false],
    ['x', 'ab', false],
    ['Toto 6', 'Toto 5', false],
  ])('of %j and %j is %s', (text, other, isOne) => {
    expect(differByOneLetter(text, other)).toBe(isOne);
    expect(differByOneLetter(other, text)).toBe(isOne);
  });
});

describe('headingKey', () => {
  it('is the same with a colon behind the heading', () => {
    expect(headingKey('Sub Channel:')).toBe(headingKey('sub_channel'));
  });
});

describe('looseKey', () => {
  it('is the same for spellings that a person would not distinguish', () => {
    expect(looseKey('Sub-Channel ')).toBe(looseKey('subchannel'));
    expect(looseKey('Bets & Games')).toBe(looseKey('Bets and Games'));
    expect(looseKey('Curaçao')).toBe(looseKey('Curac\u0327ao'));
    expect(['Bıngo', 'Łotto', 'Møns', 'Straße'].map(looseKey)).toEqual(['bingo', 'lotto', 'mons', 'strasse']);
  });
});
