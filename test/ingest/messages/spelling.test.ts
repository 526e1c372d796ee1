import { describe, expect, it } from '@jest/globals';
import {
  countryOfLetters,
  didYouMean,
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
  });
});

describe('countryOfLetters', () => {
  const known = ['Malta', 'United Kingdom', 'United States', 'United Arab Emirates', 'Isle of Man'];

  it.each([
    ['UK', 'United Kingdom'],
    ['GB', 'United Kingdom'],
    ['U.S.', 'United States'],
    ['USA', 'United States'],
    ['UAE', 'United Arab Emirates'],
    ['MT', 'Malta'],
  ])('finds the country that %j stands for', (text, country) => {
    expect(countryOfLetters(text, known)).toBe(country);
  });

  it('finds none for letters that stand for no known country, or are a name', () => {
    for (const text of ['M', 'MA', 'FR', 'QQ', 'XYZ', 'Chad', '', '12'])
      expect([text, countryOfLetters(text, known)]).toEqual([text, undefined]);
  });
});

describe('headingKey', () => {
  it('is the same with a colon behind the heading', () => {
    expect(headingKey('Sub Channel:')).toBe(headingKey('sub_channel'));
  });
});

describe('looseKey', () => {
  it('is the same for spellings a person would not tell apart', () => {
    expect(looseKey('Sub-Channel ')).toBe(looseKey('subchannel'));
    expect(looseKey('Curaçao')).toBe(looseKey('Curac\u0327ao'));
    expect(['Bıngo', 'Łotto', 'Møns', 'Straße'].map(looseKey)).toEqual(['bingo', 'lotto', 'mons', 'strasse']);
  });
});
