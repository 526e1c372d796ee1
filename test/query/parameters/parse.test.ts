// Parameters become a typed query, or errors in the words of the contract.

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

  it.each([1, 20, 21, 200, 3000])('takes %i values of one dimension', (count) => {
    const values = Array.from({ length: count }, (_, i) => `Country ${i}`);
    const query = ['metric=ggr', ...values.map((value) => `country=${encodeURIComponent(value)}`)].join('&');
    expect(parseFinancials(query).filters.get('country')).toEqual(values);
  });

  it.each<[string, Record<string, string[]>]>([
    ['', { metric: MISSING }],
    ['metric[]=ggr', { metric: MISSING }],
    ['metric=', { metric: ['Expected a name, such as ggr'] }],
    ['metric=ggr&metric=ggr', { metric: TWICE }],
    ['metric=ggr&limit=0', { limit: LIMIT }],
    ['metric=ggr&limit=1001', { limit: LIMIT }],
    ['metric=ggr&limit=', { limit: LIMIT }],
    ['metric=ggr&limit=1e2', { limit: LIMIT }],
    ['metric=ggr&limit=%2B5', { limit: LIMIT }],
    ['metric=ggr&limit=-5', { limit: LIMIT }],
    ['metric=ggr&limit=5.0', { limit: LIMIT }],
    ['metric=ggr&limit=%205', { limit: LIMIT }],
    ['metric=ggr&limit=٣', { limit: LIMIT }],
    [`metric=ggr&limit=${'9'.repeat(400)}`, { limit: LIMIT }],
    ['metric=ggr&limit=5&limit=5', { limit: TWICE }],
    ['metric=ggr&cursor=a&cursor=a', { cursor: TWICE }],
    ['metric=ggr&year=', { year: YEAR }],
    ['metric=ggr&year=2020&year=20x&year=y', { year: YEAR }],
    ['metric=ggr&year=2020.0', { year: YEAR }],
    ['metric=ggr&year=%2B2020', { year: YEAR }],
    ['metric=nope&limit=0&period=x&year=y&colour=red', { limit: LIMIT, period: PERIOD, year: YEAR }],
  ])('names everything that is wrong with the form of %s', (query, errors) => {
    expect(fieldErrors(() => parseFinancials(Buffer.from(query).toString('latin1')))).toEqual(errors);
  });

  it.each([
    '',
    '2020',
    '2020-01-01',
    '2020-01-01:',
    '2020-1-1:2020-12-31',
    '2020-01-01:2020-12-32',
    '2020-02-30:2020-12-31',
    '2021-02-29:2021-12-31',
    '1900-02-29:1900-12-31',
    '2020-00-01:2020-12-31',
    '2020-13-01:2020-12-31',
    '2020-01-00:2020-12-31',
    '2021-01-01:2020-12-31',
    '2020-01-02:2020-01-01',
    ' 2020-01-01:2020-12-31',
    '2020-01-01:2020-12-31\n',
    '2020-01-01:2020-12-31:2021-01-01',
    '+020-01-01:2020-12-31',
    '２０２０-01-01:2020-12-31',
    '2020-01-01T00:2020-12-31',
  ])('refuses the period %j in the words of the contract', (period) => {
    const query = `metric=ggr&period=${encodeURIComponent(period)}`;
    expect(fieldErrors(() => parseFinancials(query))).toEqual({ period: PERIOD });
  });

  it('refuses a period given twice in the words of the contract', () => {
    const period = 'period=2020-01-01:2020-12-31';
    expect(fieldErrors(() => parseFinancials(`metric=ggr&${period}&${period}`))).toEqual({ period: PERIOD });
  });

  it.each<[string, number, number]>([
    ['2020-06-01:2021-05-31', 2020, 2021],
    ['2020-12-31:2020-12-31', 2020, 2020],
    ['2020-02-29:2020-03-01', 2020, 2020],
    ['2000-02-29:2000-02-29', 2000, 2000],
    ['0000-01-01:9999-12-31', 0, 9999],
  ])('keeps the years that %s touches', (period, firstYear, lastYear) => {
    expect(parseFinancials(`metric=ggr&period=${period}`).period).toEqual({ firstYear, lastYear });
  });

  it.each(['nope', 'country_reference', 'GGR', ' ggr', '__proto__', 'constructor'])(
    'does not know the metric %j, and says so before it looks at dimensions and cursor',
    (metric) => {
      expect(refusal(() => parseFinancials(`colour=red&metric=${metric}&cursor=`))).toEqual({
        error: `Unknown metric: '${metric}'. Use GET /catalog to see available datasets.`,
      });
    },
  );

  const MARKET = 'year, region, country, state, category, product, channel, sub_channel, fx, temporal';
  it.each([
    ['metric=ggr&calculation=x', 'calculation', 'ggr', MARKET],
    ['metric=turnover&fx_local_currency=x', 'fx_local_currency', 'turnover', MARKET],
    ['metric=fx&fx=x', 'fx', 'fx', 'year, region, country, state, fx_local_currency, temporal, calculation'],
    ['metric=country&fx=x', 'fx', 'country', 'year, region, country, state, temporal, calculation'],
    ['metric=ggr&a=1&b=2', 'a', 'ggr', MARKET],
    ['metric=ggr&Country=Malta', 'Country', 'ggr', MARKET],
    ['metric=ggr&calculation[]=x', 'calculation', 'ggr', MARKET],
    ['metric=ggr&country_type[]=x', 'country_type', 'ggr', MARKET],
    ['metric=ggr&foo[]=x', 'foo[]', 'ggr', MARKET],
    ['metric=ggr&limit[]=5', 'limit[]', 'ggr', MARKET],
    ['metric=ggr&country[][]=x', 'country[][]', 'ggr', MARKET],
    ['metric=ggr&country[0]=x', 'country[0]', 'ggr', MARKET],
    ['metric=ggr&dataset=ggr', 'dataset', 'ggr', MARKET],
    ['metric=ggr&=x', '', 'ggr', MARKET],
    ['metric=ggr&__proto__=x', '__proto__', 'ggr', MARKET],
    ['metric=ggr&constructor[]=x', 'constructor[]', 'ggr', MARKET],
  ])('names the dimension that %s does not have', (query, name, metric, dimensions) => {
    expect(refusal(() => parseFinancials(query))).toEqual({
      error: `Invalid filter dimension "${name}" for metric "${metric}". Valid dimensions: ${dimensions}`,
    });
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

  it.each(['ggr', 'country', 'nope'])('does not know the dataset %s', (dataset) => {
    expect(refusal(() => parseReference(`dataset=${dataset}&colour=red`))).toEqual({
      error: `Unknown dataset: '${dataset}'. Use GET /catalog to see available datasets.`,
    });
  });

  it.each(['metric', 'year', 'period', 'state', 'colour'])('has no column %s', (name) => {
    expect(refusal(() => parseReference(`dataset=country_reference&${name}=x`))).toEqual({
      error:
        `Invalid filter dimension "${name}" for dataset "country_reference". ` +
        'Valid dimensions: region, country, country_type',
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
