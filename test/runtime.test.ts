import { createRequire } from 'node:module';
import { expect, it } from '@jest/globals';

interface Loader {
  checkInternals(runtime: object, methods: object): void;
}
const loader = createRequire(import.meta.url)('./support/runtime.cjs') as Loader;

it('a jest that loads modules in another way is refused with what it lacks and what to do', () => {
  const newer = { esmLoader: { loadEsmModule() {}, resolution: {} } };
  expect(() => loader.checkInternals(newer, { requireModuleOrMock() {} })).toThrow(
    /does not have: esmLoader\.getContext, esmLoader\.resolution\.hasDistinctAsyncResolver, _resolution\.resolveCjs, methods\.requireInternalModule\. Install jest, .* 30\.5\.2, or adapt the file/,
  );
});
