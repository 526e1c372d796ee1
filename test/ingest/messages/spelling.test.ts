import { describe, expect, it } from '@jest/globals';
import { didYouMean, looseKey, nearest } from '../../../ingest/messages/spelling.ts';

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
    expect(nearest(text, COUNTRIES)).toBe(meant);
  });

  it('suggests nothing that is far off', () => {
    expect(nearest('Brazil', COUNTRIES)).toBeUndefined();
    expect(didYouMean('Brazil', COUNTRIES)).toBe('');
  });
});

describe('looseKey', () => {
  it('is the same for spellings a person would not tell apart', () => {
    expect(looseKey('Sub-Channel ')).toBe(looseKey('subchannel'));
    expect(looseKey('Curaçao')).toBe(looseKey('Curac\u0327ao'));
  });
});
