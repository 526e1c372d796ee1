// The handler of all endpoints refuses wrong definitions when it is made.

import { expect, it } from '@jest/globals';
import { CACHES } from '../../../src/cache/caches.ts';
import type { Snapshots } from '../../../src/catalog/snapshots.ts';
import { catalog } from '../../../src/http/api/catalog.ts';
import { createHandlers } from '../../../src/http/api/handler.ts';
import { createComputations } from '../../../src/query/computations/computations.ts';
import type { Selector } from '../../../src/query/selection/selector.ts';
import { createYielding } from '../../../src/query/yielding.ts';

it('refuses a second endpoint with a name, because the response cache would mix up their answers', () => {
  const handlerOf = createHandlers({
    snapshots: {} as Snapshots,
    selector: {} as Selector,
    computations: createComputations(CACHES),
    cacheMaxAgeSeconds: 0,
    caches: CACHES,
    yielding: createYielding(),
    basePath: '',
  });
  handlerOf(catalog);
  expect(() => handlerOf({ ...catalog })).toThrow('two endpoints have the name catalog');
});
