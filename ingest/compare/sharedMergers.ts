// Finds mergers that several countries have in common.
// Countries that had only some of the merged products are then assigned to these mergers.

import { groupBy } from '../../src/groupBy.ts';
import type { Merger } from './merger.ts';

/**
 * A merger is shared if at least this number of countries added up the same products. With fewer, a product that only
 * changed its name in a further country may be labelled by mistake there.
 */
const FEWEST_COUNTRIES = 3;

/** A merger in one country, before it is compared with those of other countries. */
export type Candidate = Omit<Merger, 'shared'>;

/**
 * The candidates as mergers. If a candidate belongs to a shared merger, its `shared` has all gone products of that merger.
 * A country that had only some of these products belongs to the shared merger too, even if it added nothing up.
 *
 * @param hadProduct Whether a country had a product on the earlier side.
 */
export function joinShared(
  candidates: readonly Candidate[],
  hadProduct: (country: number, product: number) => boolean,
): readonly Merger[] {
  const addedUp = groupBy(
    candidates.filter((one) => one.isAddedUp),
    ({ from, to }) => `${from.join(' ')} ${to}`,
  );
  const shared = [...addedUp.values()]
    .filter((all) => all.length >= FEWEST_COUNTRIES)
    .map(([first]) => first);
  return candidates.map((one) => {
    const { country, from, to } = one;
    const whole = shared.find(
      (merger) =>
        merger.to === to &&
        from.every((product) => merger.from.includes(product)) &&
        merger.from.every((product) => from.includes(product) || !hadProduct(country, product)),
    );
    return { ...one, shared: whole?.from ?? null };
  });
}
