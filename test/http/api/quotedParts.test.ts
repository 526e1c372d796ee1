// The parts of a header's value, of which quoted ones may contain separators.

import { expect, it } from '@jest/globals';
import { partsOf } from '../../../src/http/api/quotedParts.ts';

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
])('of %s', (text, parts) => {
  expect(partsOf(text, ',')).toEqual(parts);
});
