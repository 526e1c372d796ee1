// The headers of a request choose the format, the encoding and strict handling.

import { describe, expect, it } from '@jest/globals';
import {
  encodingOf,
  PAGE_REPRESENTATIONS,
  representationOf,
  splitOutsideQuotes,
  wantsStrict,
} from '../../../src/http/api/negotiate.ts';

describe('the encoding of an answer', () => {
  it.each([
    ['gzip', 'gzip'],
    ['deflate, gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['*', 'gzip'],
    ['gzip;q=0.001', 'gzip'],
    ['gzip;q=0', 'identity'],
    ['identity;q=1, gzip;q=0.1', 'identity'],
    ['identity, *;q=0.5', 'identity'],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['identity;q=0, gzip;q=0.1', 'gzip'],
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

const MANY = Array.from({ length: 199 }, (_, i) => `application/x-${i};q=0.${i}`).join(', ');

describe('the format of an answer', () => {
  it.each([
    [undefined, 'json'],
    ['', 'json'],
    ['*/*', 'json'],
    ['application/json', 'json'],
    ['text/html', 'json'],
    ['text/csv', 'csv'],
    ['TEXT/CSV', 'csv'],
    ['text/*', 'csv'],
    ['text/csv;q=0.5', 'csv'],
    ['text/csv;q=0', 'json'],
    ['text/csv;q=0.000, */*;q=0.1', 'json'],
    ['text/csv, application/json', 'json'],
    ['text/csv;q=0.9, application/json;q=0.8', 'csv'],
    ['application/json;q=0.1, text/csv ; q=0.2', 'csv'],
    ['*/*;q=0.1, text/csv', 'csv'],
    ['text/csv;q=0.3, */*;q=0.9', 'json'],
    ['text/csv; header=present', 'csv'],
    ['text/csv; charset="utf-8"', 'csv'],
    ['text/csv/x', 'json'],
    ['text/csv;', 'csv'],
    ['text/csv; ;q=1, application/json;q=0.5', 'csv'],
    ['text/csv; header=absent', 'json'],
    ['text/csv;q=2', 'json'],
    ['text/csv;q=abc, text/csv', 'csv'],
    ['text', 'json'],
    ['/csv, ;, ,', 'json'],
    ['application/x; v="a,text/csv"', 'json'],
    ['application/x; v="a\\",text/csv"', 'json'],
    ['application/x; v="a, text/csv', 'csv'],
    ['text/csv; v="a;q=0.1"; q=0.2, application/json;q=0.1', 'json'],
    ['application/vnd.apache.arrow.stream', 'arrow'],
    ['application/vnd.apache.arrow.stream, text/csv', 'csv'],
    ['application/vnd.apache.arrow.stream, text/csv;q=0.9', 'arrow'],
    ['application/vnd.apache.arrow.file', 'json'],
    [`${MANY}, text/csv`, 'csv'],
    [`${MANY}, text/html`, 'json'],
  ])('for Accept: %j is %s', (given, name) => {
    const headers = given === undefined ? {} : { accept: given };
    expect(representationOf({ headers }, PAGE_REPRESENTATIONS).name).toBe(name);
  });
});

describe('strict handling', () => {
  it.each([
    [undefined, false],
    ['', false],
    ['handling=strict', true],
    ['HANDLING = "strict"', true],
    ['respond-async, wait=5, handling=strict', true],
    ['handling=strict; foo=bar', true],
    ['handling=lenient', false],
    ['handling=lenient, handling=strict', false],
    ['handling', false],
    ['note="a, handling=strict"', false],
    ['"', false],
    ['note="a, handling=strict', true],
    ['note="\\", handling=strict', true],
  ])('for Prefer: %j is %s', (prefer, strict) => {
    expect(wantsStrict({ headers: prefer === undefined ? {} : { prefer } })).toBe(strict);
  });
});

it.each([
  ['a,b', ['a', 'b']],
  ['', ['']],
  ['a,', ['a', '']],
  ['"a,b",c', ['"a,b"', 'c']],
  // An escaped quote does not end a quoted text, and an escaped backslash escapes nothing.
  ['"a\\",b",c', ['"a\\",b"', 'c']],
  ['"a\\\\",b,c', ['"a\\\\"', 'b', 'c']],
  ['a\\,b', ['a\\', 'b']],
  // A quote that is never closed is plain text.
  ['"a,b', ['"a', 'b']],
  ['"a,\\"b,c', ['"a', '\\"b', 'c']],
  ['"a,b",c,"d,e', ['"a,b"', 'c', '"d', 'e']],
])('the parts of the header %s, of which quoted ones may contain separators', (text, parts) => {
  expect(splitOutsideQuotes(text, ',')).toEqual(parts);
});
