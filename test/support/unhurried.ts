// Long deadlines for tests of which they are not the point: `createSelector(UNHURRIED)`.

import type { Caches } from '../../src/cache/caches.ts';
import { SELECTOR_DEFAULTS, type SelectorOptions } from '../../src/query/selection/select.ts';

/** On a busy machine a statement or a snapshot may take longer than a client would wait. */
export const UNHURRIED_MS = 170_000;

export const UNHURRIED: SelectorOptions = { ...SELECTOR_DEFAULTS, deadlineMs: UNHURRIED_MS };

/** The same caches for work that has this deadline, whatever is asked for. */
export const unhurried = (caches: Caches): Caches => ({
  ...caches,
  singleFlight: () => caches.singleFlight(UNHURRIED_MS),
});
