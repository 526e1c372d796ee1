// A country is recognised by any of its names and codes.

import { describe, expect, it } from '@jest/globals';
import {
  countryKey,
  countryKeyOfAnyLanguage,
  countryOfOtherName,
  isCountryName,
} from '../../../ingest/messages/countryNames.ts';

describe('countryOfOtherName', () => {
  const known = [
    ...[
      'Malta',
      'United Kingdom',
      'United States',
      'United Arab Emirates',
      'Isle of Man',
      'Greece',
      'Serbia',
      'Myanmar',
      'Russia',
      'Ireland',
      'Laos',
    ],
    ...['Türkiye', "Côte d'Ivoire", 'Bahamas', 'Bosnia and Herzegovina', 'Saint Lucia', 'Kosovo'],
  ];

  it.each([
    ['UK', 'United Kingdom'],
    ['Burma', 'Myanmar'],
    ['Eire', 'Ireland'],
    ['Lao PDR', 'Laos'],
    ['Russian Federation', 'Russia'],
    ['GB', 'United Kingdom'],
    ['GBR', 'United Kingdom'],
    ['Great Britain', 'United Kingdom'],
    ['U.S.', 'United States'],
    ['USA', 'United States'],
    ['UAE', 'United Arab Emirates'],
    ['MT', 'Malta'],
    ['MLT', 'Malta'],
    ['EL', 'Greece'],
    ['XKX', 'Kosovo'],
    ['Turkey', 'Türkiye'],
    ['Grèce', 'Greece'],
    ['Ivory Coast', "Côte d'Ivoire"],
    ['The Bahamas', 'Bahamas'],
    ['Bahamas, The', 'Bahamas'],
    ['Bosnia & Herzegovina', 'Bosnia and Herzegovina'],
    ['St. Lucia', 'Saint Lucia'],
  ])('finds the country that %j stands for', (text, country) => {
    expect(countryOfOtherName(text, known)).toBe(country);
  });

  it('finds none for names and codes of other countries, former ones included, and for other texts', () => {
    for (const text of [
      'M',
      'MA',
      'FR',
      'QQ',
      'XYZ',
      'YUG',
      'YU',
      'Chad',
      '',
      '12',
      'Saint Kitts',
      'Rest of Europe',
    ])
      expect([text, countryOfOtherName(text, known)]).toEqual([text, undefined]);
  });
});

describe('countryKey', () => {
  it('distinguishes countries with similar names', () => {
    const names = [
      'Congo, Republic of',
      'Congo, Democratic Republic of',
      'South Korea',
      'North Korea',
      'Guinea',
      'Niger',
    ];
    const others = [
      'Equatorial Guinea',
      'Guinea-Bissau',
      'Nigeria',
      'Dominica',
      'Dominican Republic',
      'Northern Ireland',
    ];
    expect(new Set([...names, ...others].map(countryKey)).size).toBe(names.length + others.length);
  });
});

describe('countryKeyOfAnyLanguage', () => {
  it.each([
    ['España', 'Spain'],
    ['Espagne', 'Spain'],
    ['Nederland', 'Netherlands'],
    ['Deutschland', 'Germany'],
    ['Türkei', 'Türkiye'],
    ['Россия', 'Russia'],
    ['日本', 'Japan'],
    ['中國', 'China'],
    ['UK', 'United Kingdom'],
  ])('is that of the English name: %s', (name, english) => {
    expect(countryKeyOfAnyLanguage(name)).toBe(countryKey(english));
    expect(isCountryName(name)).toBe(true);
  });

  it('keeps English names, names of several countries and unknown ones', () => {
    for (const name of ['Niger', 'Guinea', 'Austria', 'Georgia', 'Dominica', 'Kongo', 'Neverland', ''])
      expect([name, countryKeyOfAnyLanguage(name)]).toEqual([name, countryKey(name)]);
    expect(['Kongo', 'Neverland', ''].filter(isCountryName)).toEqual([]);
  });
});
