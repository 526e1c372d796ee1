import { describe, expect, it } from '@jest/globals';
import { encodingOf } from '../../../src/http/api/negotiate.ts';

describe('the encoding of an answer', () => {
  it.each([
    ['gzip', 'gzip'],
    ['deflate, gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['*', 'gzip'],
    ['gzip;q=0.001', 'gzip'],
    ['gzip;q=0', 'identity'],
    ['gzip; q=0.0', 'identity'],
    ['*, gzip;q=0', 'identity'],
    ['br', 'identity'],
    ['identity', 'identity'],
    ['', 'identity'],
    [undefined, 'identity'],
  ])('for Accept-Encoding: %j is %s', (given, encoding) => {
    expect(encodingOf({ headers: given === undefined ? {} : { 'accept-encoding': given } })).toBe(encoding);
  });
});
