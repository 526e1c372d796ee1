// The way in which jest loads the product's modules.

import { executionAsyncResource } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { expect, it } from '@jest/globals';

interface Loader {
  checkInternals(runtime: object, methods: object): void;
}
const loader = createRequire(import.meta.url)('./support/runtime.cjs') as Loader;

it('a jest that loads modules in another way is refused with what it lacks and what to do', () => {
  const newer = { esmLoader: { loadEsmModule() {}, resolution: {} } };
  expect(() => loader.checkInternals(newer, { requireModuleOrMock() {} })).toThrow(
    /does not have: esmLoader\.getContext, esmLoader\.cjsExportsCache\.getExportsOf, esmLoader\.resolution\.hasDistinctAsyncResolver, _resolution\.resolveCjs, methods\.requireInternalModule\. Install jest, .* 30\.5\.2, or adapt the file/,
  );
});

it('jest keeps nothing on every promise, which would take more time with each test file of a worker', () => {
  const resource = executionAsyncResource() as Record<symbol, { test?: unknown } | undefined>;
  const stores = Object.getOwnPropertySymbols(resource).map((symbol) => resource[symbol]);
  expect(stores.filter((store) => store?.test !== undefined)).toEqual([]);
});
