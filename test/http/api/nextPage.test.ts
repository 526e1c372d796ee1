// The query string and the link of the next page.

import { expect, it } from '@jest/globals';
import { withCursor } from '../../../src/http/api/nextPage.ts';

it.each([
  ['metric=ggr', 'metric=ggr&cursor=NEXT'],
  ['metric=ggr&cursor=old', 'metric=ggr&cursor=NEXT'],
  ['cursor=old&metric=ggr&limit=5', 'cursor=NEXT&metric=ggr&limit=5'],
  ['metric=ggr&cursor=NEXT', 'metric=ggr&cursor=NEXT'],
  ['metric=ggr&%63ursor=old', 'metric=ggr&cursor=NEXT'],
  ['metric=ggr&country=cursor=&country%5B%5D=a', 'metric=ggr&country=cursor=&country%5B%5D=a&cursor=NEXT'],
  ['metric=ggr&country=a%20b&cursor=o', 'metric=ggr&country=a%20b&cursor=NEXT'],
])('goes on from %s with its cursor set', (raw, next) => {
  expect(withCursor(raw, 'NEXT')).toBe(next);
});
