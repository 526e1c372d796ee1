// Parameters become a typed query, or errors with a message for each field. test/contract has what is refused.

import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../../../src/errors.ts';
import { parseFinancials, parseNothing, parseReference } from '../../../src/query/parameters/parse.ts';

const refusal = (parse: () => unknown) => {
  try {
    parse();
  } catch (error) {
    if (error instanceof ApiError) return JSON.parse(JSON.stringify(error));
    throw error;
  }
  throw new Error('it was accepted');
};

const fieldErrors = (parse: () => unknown) => {
  const { error, details } = refusal(parse);
  expect(error).toBe('Invalid query parameters');
  expect(details.formErrors).toEqual([]);
  return details.fieldErrors;
};

const LIMIT = ['Expected a whole number from 1 to 1000'];
const PERIOD = ['Expected format: YYYY-MM-DD:YYYY-MM-DD'];
const YEAR = ['Expected a whole number, such as 2024'];
const MISSING = ['Invalid input: expected string, received undefined'];
const TWICE = ['Expected one value: give the parameter once'];

describe('parseFinancials', () => {
  it('gives a typed query, its filters as given', () => {
    const query =
      'metric=ggr&fx=USD&country=Spain&limit=5&country[]=Malta&country=Spain&cursor=abc&year=2020';
    expect(parseFinancials(query)).toEqual({
      dataset: 'ggr',
      datasetParameter: 'metric',
      filters: new Map([
        ['fx', ['USD']],
        ['country', ['Spain', 'Malta']],
        ['year', ['2020']],
      ]),
      period: null,
      limitRows: 5,
      cursor: 'abc',
    });
    expect([...parseFinancials(query).filters.keys()]).toEqual(['fx', 'country', 'year']);
  });

  it('asks for 100 rows unless told otherwise', () => {
    expect(parseFinancials('metric=fx')).toMatchObject({ limitRows: 100, cursor: null, period: null });
  });

  it.each<[string, Record<string, string[]>]>([
    ['', { metric: MISSING }],
    ['metric[]=ggr', { metric: MISSING }],
    ['metric=', { metric: ['Expected a name, such as ggr'] }],
    ['metric=ggr&metric=ggr', { metric: TWICE }],
    ['metric=ggr&limit=0', { limit: LIMIT }],
    ['metric=ggr&limit=5&limit=5', { limit: TWICE }],
    ['metric=ggr&cursor=a&cursor=a', { cursor: TWICE }],
    ['metric=ggr&period=2020', { period: PERIOD }],
    ['metric=ggr&period=2020-01-01:2020-12-31&period=2020-01-01:2020-12-31', { period: PERIOD }],
    ['metric=ggr&year=', { year: YEAR }],
    ['metric=ggr&year=2020&year=20x&year=y', { year: YEAR }],
    ['metric=nope&limit=0&period=x&year=y&colour=red', { limit: LIMIT, period: PERIOD, year: YEAR }],
  ])('names everything that is wrong with the form of %s', (query, errors) => {
    expect(fieldErrors(() => parseFinancials(Buffer.from(query).toString('latin1')))).toEqual(errors);
  });
});

describe('parseReference', () => {
  it('takes the columns of the lookup as filters', () => {
    expect(parseReference('dataset=country_reference&country_type=Tracked&limit=7')).toEqual({
      dataset: 'country_reference',
      datasetParameter: 'dataset',
      filters: new Map([['country_type', ['Tracked']]]),
      period: null,
      limitRows: 7,
      cursor: null,
    });
  });

  it.each<[string, Record<string, string[]>]>([
    ['', { dataset: MISSING }],
    ['dataset=a&dataset=b&limit=x', { dataset: TWICE, limit: LIMIT }],
  ])('names everything that is wrong with the form of %j', (query, errors) => {
    expect(fieldErrors(() => parseReference(query))).toEqual(errors);
  });
});

describe('parseNothing', () => {
  it('takes no parameter', () => {
    expect(parseNothing('')).toEqual({});
    expect(parseNothing('&')).toEqual({});
  });

  it('names every parameter, whatever it is called', () => {
    const errors = fieldErrors(() => parseNothing('limit=5&__proto__=x&foo[]=1&limit=6'));
    const message = ['This endpoint takes no parameters'];
    expect(Object.entries(errors)).toEqual([
      ['limit', message],
      ['__proto__', message],
      ['foo[]', message],
    ]);
    const refusal = expect.objectContaining({ status: 400, help: ['no-parameters'] });
    expect(() => parseNothing('limit=5')).toThrow(refusal);
  });
});
