// Units that texts state are found. Words that only look like units are not.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { statedUnit, unitBesideLabel, unitBesideNumber } from '../../../ingest/messages/statedUnits.ts';
import { runs } from '../../support/depth.ts';

describe('a unit', () => {
  it.each([
    ['GGR GBPm', '1e6'],
    ['GGR (MUSD)', '1e6'],
    ['GGR (Mio. EUR)', '1e6'],
    ["GGR '000", '1e3'],
    ['GGR x1,000', '1e3'],
    ['Amounts divided by 1,000', '1e3'],
    ['Unit: 10^6 USD', '1e6'],
    ['INR crore', '1e7'],
    ['Figures in lakh', '1e5'],
    ["en milliers d'euros", '1e3'],
    ['Millones de euros', '1e6'],
    ['GGR (EUR mln)', '1e6'],
    ['€mln', '1e6'],
    ['млн руб.', '1e6'],
    ['GGR, MSEK', '1e6'],
    ['GGR in mkr', '1e6'],
    ['GGR, m EUR', '1e6'],
    ['10⁶ EUR', '1e6'],
    ['Fr. Mio', '1e6'],
    ['(単位：百万円)', '1e6'],
    ['TEUR', '1e3'],
    ['T€', '1e3'],
    ['GGR (k€)', '1e3'],
    ['Angaben in Tausend Euro', '1e3'],
    ['Angaben in 1.000 EUR', '1e3'],
    ['EUR 1,000', '1e3'],
    ['tys. zł', '1e3'],
    ['valori in migliaia di euro', '1e3'],
    ['miles de euros', '1e3'],
    ['GGR in hundred thousands', '1e5'],
    ['USD thousand millions', '1e9'],
    ['Rs. crore', '1e7'],
    ['GGR ₹ cr', '1e7'],
    ['GGR (Rs cr)', '1e7'],
    ['GGR R$ bi', '1e9'],
    ['GGR R$ mi', '1e6'],
    ['mia. kr.', '1e9'],
    ['mdsEUR', '1e9'],
    ['IDR trillion', '1e12'],
    ['GGR ($B)', '1e9'],
    ['USD B', '1e9'],
    ['EURb', '1e9'],
    ['$bil', '1e9'],
    ['in T EUR', '1e3'],
    ["R'000", '1e3'],
    ['1000 USD', '1e3'],
    ['GGR EUR, 000', '1e3'],
    ["RM'000", '1e3'],
    ['MM USD', '1e6'],
    ['tuh. EUR', '1e3'],
    ['tūkst. EUR', '1e3'],
    ['ezer Ft', '1e3'],
    ['mii lei', '1e3'],
    ['milijuna EUR', '1e6'],
    ['mdp', '1e6'],
    ['εκατ. €', '1e6'],
    ['mlrd EUR', '1e9'],
    ['EUR Bio', '1e12'],
    ['Rs. mn', '1e6'],
    ['mDKK', '1e6'],
    ['kTL', '1e3'],
    ['GGR (kTL)', '1e3'],
    ['GGR mn TL', '1e6'],
    ['GGR, bn Rp', '1e9'],
    ['M RM', '1e6'],
    ['€ 000', '1e3'],
    ["USD'000", '1e3'],
    ['in thousands', '1e3'],
    ['GBP thousand', '1e3'],
    ['Tsd. EUR', '1e3'],
    ['(000s)', '1e3'],
  ])('is found in %s', (text, factor) => {
    expect(statedUnit(text)?.factor).toBe(factor);
  });

  it.each([
    'Sports betting, 18 of 1000 adults',
    'Miles City',
    'GGR',
    'MBET',
    'over 2 million adults',
    'Operators above 2 m EUR',
    'licences below 100 k€',
    'All 1000 venues',
    'deposits of 1 000 EUR',
    'in 1000 venues',
    'Years (kept)',
    'Milano',
    'GGR in USD',
    'gdp_usd',
    'GDP (local currency)',
    'Kenya',
    'Category B',
    'USD Bonus',
    'B2B in EUR',
    "1'000",
    'All T-shirts',
    'GGR in MTL',
    'GGR (TL)',
    'stakes below 100 kTL',
    'OkTL',
    'Countries with over 2 million adults',
    'EUR, constant terms',
    'Monthly delivery, 2026-11',
    'EUR 000123',
  ])('is not found in %s', (text) => {
    expect(statedUnit(text)).toBeNull();
  });

  it('is the same in a text that every pattern is tried on', () => {
    const pieces = [
      'USD',
      'usd',
      'kr',
      'Rs.',
      'cr',
      'TEUR',
      'mil',
      'trn',
      'tys.',
      '000',
      'TRY',
      'Malta',
      '$',
      "'000",
      '1,000',
      'x',
      '10^6',
      'k',
      'mn',
      'M',
      'bn',
    ];
    const accented = ['é', 'Ô', 'ÿ', '’', '’000', 'milhões', 'bilhões', 'millió'];
    const words = [
      'B',
      'b',
      'bil',
      'T',
      'EUR',
      'MM',
      'tuh.',
      'mii',
      'lei',
      'hiljada',
      'mlrd',
      'mdp',
      'thousands',
      'Millionen',
      'milioni',
      'mrd.',
      'tsd',
      'crore',
      'lac',
      'in',
      '7',
      'over',
      'mDKK',
      'fromUSD',
      'Country',
      'é',
      'orders',
      'units of',
      '1.000',
      'milj.',
      'mil',
      'omitted',
      "000's",
      'FCFA',
      'RM',
      'R',
      'Ft',
      'in CHF',
      ',',
      'x USD',
      '1000',
      "1'000",
      'EUR,',
    ];
    const piece = fc.constantFrom(...pieces, ...accented, ...words, ' ', ' ', '(', ')', '_', '/');
    const text = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (one) => expect(statedUnit(one)?.factor).toBe(statedUnit(`${one},†`)?.factor)),
      { numRuns: runs(250, 1000) },
    );
  });
});

it('a number before or after the label of a unit is that factor, which has one meaning', () => {
  expect(unitBesideLabel('Scale factor', '1,000,000')).toEqual({
    text: '1,000,000',
    word: 'millions',
    factor: '1e6',
  });
  expect(unitBesideLabel('Multiplier:', 1000)).toEqual({ text: '1000', word: 'thousands', factor: '1e3' });
  expect(unitBesideLabel('Unit', 7)).toBeNull();
  expect(unitBesideLabel('Country', 1000)).toBeNull();
});

it('a unit beside a number that its format divides has one meaning', () => {
  expect(unitBesideNumber('bn', 1000)).toEqual({ text: 'bn', word: 'millions', factor: '1e6' });
});

it('a unit of two words is the product of both', () => {
  expect(statedUnit('GGR (miles de millones de pesos)')).toEqual({
    text: 'miles de millones',
    word: 'billions',
    factor: '1e9',
  });
});
