// `X-Meta` is short ASCII for any content.

import { expect, it } from '@jest/globals';
import { metaHeader } from '../../../src/http/api/metaHeader.ts';

it('escapes what is not ASCII, and control characters', () => {
  const facts = { states_alone: ["Côte d'Ivoire", '日本', '😀', 'a\r\nb', '\x7f'], notes: ['state="X\\"'] };
  expect(metaHeader(facts)).toMatch(/^[ -~]+$/);
  expect(JSON.parse(metaHeader(facts))).toEqual(facts);
});

it('leaves the longest members out of a text that proxies would refuse, and names them', () => {
  const states_alone = Array.from({ length: 200 }, (_, i) => `Country ${i}`);
  const notes = ['a note'];
  expect(metaHeader({ states_alone, notes })).toBe('{"notes":["a note"],"left_out":["states_alone"]}');
  const long = 'x'.repeat(3000);
  expect(metaHeader({ states_alone, notes: [long] })).toBe('{"left_out":["notes","states_alone"]}');
});
