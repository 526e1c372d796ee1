// A question that is written as an address is read back unchanged, for random questions and hostile addresses.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readPageAddress, writePageAddress } from '../../src/explorer/model/pageAddress.ts';
import { CHART_KINDS, DEFAULT_QUESTION, type Question, VIEWS } from '../../src/explorer/model/question.ts';
import { codePoint } from '../support/codePoint.ts';
import { runs } from '../support/depth.ts';

const OWN = [
  'dataset',
  'metric',
  'all',
  'from',
  'to',
  'by',
  'view',
  'chart',
  'scale',
  'scales',
  'as-of',
  'since',
];

const text = fc.string({ unit: 'grapheme', maxLength: 12 }).map((made) => made.normalize('NFC'));
const dimension = text.filter((name) => !OWN.includes(name) && !/^\d+$/.test(name) && name !== '__proto__');
const values = fc.uniqueArray(text, { minLength: 1, maxLength: 4 });
const year = fc.option(fc.integer({ min: 1000, max: 9999 }));

const page = fc.oneof(
  fc.constant({ kind: 'explore' as const }),
  fc.record({
    kind: fc.constantFrom('country' as const, 'product' as const),
    name: text.filter((name) => name !== ''),
  }),
);

const question: fc.Arbitrary<Question> = fc
  .record({
    page,
    dataset: text.filter((name) => name !== ''),
    metric: text,
    filters: fc.dictionary(dimension, values, { maxKeys: 5, noNullPrototype: true }),
    unfilteredDimensions: fc.uniqueArray(dimension, { maxLength: 3 }),
    firstYear: year,
    lastYear: year,
    by: text,
    view: fc.constantFrom(...VIEWS),
    chartKind: fc.constantFrom('' as const, ...CHART_KINDS),
    axisScale: fc.constantFrom('linear' as const, 'log' as const),
    panelScales: fc.constantFrom('' as const, 'own' as const, 'shared' as const),
    asOf: text,
    since: text,
  })
  // A dimension cannot have both a filter and the mark that it has no filter.
  .map((made) => ({
    ...made,
    unfilteredDimensions: made.unfilteredDimensions.filter((name) => !(name in made.filters)),
  }))
  .filter(({ firstYear, lastYear }) => firstYear === null || lastYear === null || firstYear <= lastYear);

const read = (address: string) => {
  const [path = '', ...search] = address.split('?');
  return readPageAddress(path, search.join('?'));
};

describe('an address', () => {
  it('that was written from a question reads back as the same question', () => {
    fc.assert(
      fc.property(question, (asked) => {
        expect(read(writePageAddress(asked))).toEqual({ question: asked, ignored: [] });
      }),
      { numRuns: runs(50, 200) },
    );
  });

  it('is empty for the first question, and contains only what differs from it', () => {
    expect(writePageAddress(DEFAULT_QUESTION)).toBe('');
    expect(
      writePageAddress({ ...DEFAULT_QUESTION, filters: { country: ["Côte d'Ivoire"] }, asOf: '2026-10.1' }),
    ).toBe('country=C%C3%B4te+d%27Ivoire&as-of=2026-10.1'.replace(/^/, '?'));
  });

  it('has no period whose years are turned round or have less than four digits', () => {
    const { question: turned, ignored } = readPageAddress('product/Poker', 'from=2030&to=2015');
    expect(turned).toMatchObject({ firstYear: null, lastYear: null });
    expect(ignored).toEqual(['from=2030', 'to=2015']);
    expect(readPageAddress('', 'from=0000&to=2015')).toMatchObject({
      question: { firstYear: null, lastYear: 2015 },
      ignored: ['from=0000'],
    });
  });

  it('has one value of each parameter of its own: further ones are left out', () => {
    expect(readPageAddress('', 'dataset=fx&dataset=ggr&view=table&view=table&to=2020&to=2021')).toMatchObject(
      {
        question: { dataset: 'fx', view: 'table', lastYear: 2020 },
        ignored: ['dataset=ggr', 'to=2021'],
      },
    );
  });

  it('has each value once, in NFC, in whatever form of Unicode it is written', () => {
    const [composed, decomposed] = ["Côte d'Ivoire".normalize('NFC'), "Côte d'Ivoire".normalize('NFD')];
    const search = new URLSearchParams([
      ['country', decomposed],
      ['country', composed],
    ]).toString();
    const { question: asked } = readPageAddress(`country/${encodeURIComponent(decomposed)}`, search);
    expect(asked.filters).toEqual({ country: [composed] });
    expect(asked.page).toEqual({ kind: 'country', name: composed });
  });

  it('is read whatever it contains, and lists the parameters that no question can have', () => {
    const { question: asked, ignored } = readPageAddress(
      'country/%E0%A4%A',
      'view=sideways&from=MMX&country=%3Cscript%3E&__proto__=x',
    );
    expect(ignored).toEqual(['view=sideways', 'from=MMX']);
    expect(asked.page).toEqual({ kind: 'country', name: '%E0%A4%A' });
    expect(asked.filters.country).toEqual(['<script>']);
    expect(Object.keys(asked.filters)).toEqual(['country', '__proto__']);
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), fc.string({ unit: codePoint }), (path, search) => {
        readPageAddress(path, search);
      }),
      { numRuns: runs(50, 200) },
    );
  });
});
