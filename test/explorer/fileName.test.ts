// The names of the explorer's downloads.

import { expect, it } from '@jest/globals';
import { fileName } from '../../src/explorer/model/fileName.ts';

const nameOf = (country: string) =>
  fileName(
    { dataset: { name: 'ggr' }, filters: { country: [country] }, period: null, defaultFilters: [] },
    '2026-11.1',
  );

it.each([
  ['Côte d’Ivoire', 'ggr-cote-d-ivoire-2026-11.1'],
  ['a/b\\c:"%"', 'ggr-a-b-c-2026-11.1'],
  ['مصر', 'ggr-مصر-2026-11.1'],
  ['日本', 'ggr-日本-2026-11.1'],
  ['대한민국', 'ggr-대한민국-2026-11.1'],
  // Each of these letters is a surrogate pair.
  [`x${'𐐨'.repeat(40)}`, `ggr-x${'𐐨'.repeat(29)}-2026-11.1`],
  ['Saint Vincent of the Grenadas now', 'ggr-saint-vincent-of-the-grenadas-2026-11.1'],
])('a file of %s is named after it, whatever its script', (country, name) => {
  expect(nameOf(country)).toBe(name);
});
