// The key figures of a country: no small number is rounded to 0, and losses have no shares.

import { expect, it } from '@jest/globals';
import type { Entity, EntityRanking } from '../../src/explorer/model/entity.ts';
import { keyFigures } from '../../src/explorer/model/keyFigures.ts';
import { ENTITY } from '../../src/explorer/texts/entityTexts.ts';

const RANKING: EntityRanking = {
  rank: 2,
  rankedCount: 9,
  shareOfTotal: 0.25,
  hasForecasts: false,
  leftOutCountries: [],
  neighbours: [],
};

/** A country with this revenue in 2024, in US dollars, and a thousand adults. */
const country = (value: number, ranking: EntityRanking = RANKING): Entity => ({
  kind: 'country',
  name: 'Malta',
  unit: { kind: 'currency', code: 'USD' },
  snapshot: '2026-11.1',
  revenue: {
    name: '',
    kind: 'all',
    memberCount: 1,
    points: [{ year: 2024, value, forecastShare: 0, rowCount: 1 }],
  },
  onlyState: null,
  leftOut: [],
  year: 2024,
  ranking,
  indicators: { dimensions: {}, values: { adult_population: 1000, gdp_usd: null, inflation: null } },
  trends: [],
});

const figure = (entity: Entity, label: RegExp) => keyFigures(entity).find((one) => label.test(one.label));

it.each([
  [57_300, '57'],
  [1_234_567, '1,235'],
  [420, '0.42'],
  [9_870, '9.87'],
  [-57_300, '−57'],
])('revenue per adult of %d is %s', (revenue, shown) => {
  expect(figure(country(revenue), /per adult/)).toMatchObject({
    value: shown,
    label: expect.stringMatching(/2024.*US dollars|US dollars.*2024/),
  });
});

it('a share of the world is left out where values are negative', () => {
  expect(figure(country(5), /Share/)?.value).toBe('25.0 %');
  expect(figure(country(-5, { ...RANKING, shareOfTotal: null }), /Share/)).toBeUndefined();
});

it('a loss is not a share of the gross domestic product', () => {
  const indicators = { dimensions: {}, values: { adult_population: 1000, gdp_usd: 100, inflation: null } };
  expect(figure({ ...country(5), indicators }, /share of gross/)?.value).toBe('5.0 %');
  expect(figure({ ...country(-5), indicators }, /share of gross/)).toBeUndefined();
});

it('a place among values that are partly forecasts says so', () => {
  const entity = country(5, { ...RANKING, hasForecasts: true });
  expect(figure(entity, /Place/)?.detail).toBe('some values are forecasts');
  expect(figure(entity, /Share/)?.detail).toBe('in 2024; some values are forecasts');
  expect(figure(country(5), /Place/)?.detail).toBeNull();
});

it('the only entity of a ranking has no place, and one of a pair has one', () => {
  expect(figure(country(5, { ...RANKING, rank: 1, rankedCount: 1 }), /Place/)).toBeUndefined();
  expect(figure(country(5, { ...RANKING, rank: 1, rankedCount: 2 }), /Place/)?.value).toBe('1 of 2');
  expect(ENTITY.rankedAs('Solo', { rank: 1, rankedCount: 1 }, 'country', 2024)).toBe(
    'Solo is the only country in the ranking by gross gaming revenue in 2024',
  );
});

it('one adult is one', () => {
  const indicators = { dimensions: {}, values: { adult_population: 1, gdp_usd: null, inflation: null } };
  expect(figure({ ...country(5), indicators }, /per adult/)?.detail).toBe('1 adult');
  expect(figure(country(5), /per adult/)?.detail).toBe('1,000 adults');
});
