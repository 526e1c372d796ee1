// Long deadlines for tests that are not about deadlines: `createSelector(LONG_DEADLINE)`.

import type { Caches } from '../../src/cache/caches.ts';
import { SELECTOR_DEFAULTS, type SelectorOptions } from '../../src/query/selection/selector.ts';

/** On a busy machine a statement or a snapshot may take longer than a client would wait. */
export const LONG_DEADLINE_MS = 170_000;

export const LONG_DEADLINE: SelectorOptions = { ...SELECTOR_DEFAULTS, deadlineMs: LONG_DEADLINE_MS };

/** The caches, with the long deadline for all single flights in place of the deadline that their caller gives. */
export const withLongDeadlines = (caches: Caches): Caches => ({
  ...caches,
  singleFlight: () => caches.singleFlight(LONG_DEADLINE_MS),
});
