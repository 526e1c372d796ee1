// Defines mergers of products, and finds those that several countries have in common, or that another dataset shows.
// Countries that had only some of the merged products are then assigned to these mergers.

import { ascending, groupBy } from '../../src/basics/lists.ts';
import type { Codes } from './rows/codes.ts';

/** Products of a country that were merged. Countries and products are codes. */
export interface Merger {
  readonly country: number;
  /** The gone products. */
  readonly from: readonly number[];
  /** The product that has their sums. */
  readonly to: number;
  /** Rows of the earlier side that are gone. */
  readonly gone: readonly number[];
  /** Rows of the later side that were added. */
  readonly added: readonly number[];
  /** Rows of the earlier side that grew by the gone ones. */
  readonly grown: readonly number[];
  /** Whether at least three rows have the sum of several figures. Otherwise most rows only have another product's name. */
  readonly isAddedUp: boolean;
  /** The gone products of the merger that several countries share, if this one belongs to it; else null. */
  readonly shared: readonly number[] | null;
}

/**
 * A merger is shared if at least this number of countries added up the same products. With fewer, a product that only
 * changed its name in a further country may be labelled by mistake there.
 */
const FEWEST_COUNTRIES = 3;

/** A merger in one country, before it is compared with those of other countries. */
export type MergerCandidate = Omit<Merger, 'shared'>;

/**
 * A merger of another dataset, in which figures were added up. The products that this dataset does not have are left out.
 */
type MergerElsewhere = Pick<Merger, 'country' | 'from' | 'to'>;

/**
 * The candidates as mergers. If a candidate belongs to a shared merger, its `shared` has all gone products of that merger.
 * A country that had only some of these products belongs to the shared merger too, even if it added nothing up. So does a
 * country that added the figures up in another dataset.
 *
 * @param hadProduct Whether a country had a product on the earlier side.
 */
export function withSharedMergers(
  candidates: readonly MergerCandidate[],
  hadProduct: (country: number, product: number) => boolean,
  elsewhere: readonly MergerElsewhere[],
): readonly Merger[] {
  const addedUp = groupBy([...candidates.filter((one) => one.isAddedUp), ...elsewhere], ({ from, to }) =>
    [...from, to].join(' '),
  );
  const shared = [...addedUp.values()]
    .filter((all) => new Set(all.map(({ country }) => country)).size >= FEWEST_COUNTRIES)
    .map(([first]) => first);
  return candidates.map((one) => {
    const { country, from, to, isAddedUp } = one;
    const ofCountry = isAddedUp ? [] : elsewhere.filter((other) => other.country === country);
    const joined = [...shared, ...ofCountry].find(
      (merger) =>
        merger.to === to &&
        from.every((product) => merger.from.includes(product)) &&
        merger.from.every((product) => from.includes(product) || !hadProduct(country, product)),
    );
    return { ...one, shared: joined?.from ?? null };
  });
}

/** The mergers of the datasets that were compared so far, by name, because each dataset has codes of its own. */
export class KnownMergers {
  readonly #known: { readonly country: string; readonly from: readonly string[]; readonly to: string }[] = [];

  /** Adds the mergers in which figures were added up. */
  add(mergers: readonly Merger[], codes: Codes): void {
    for (const { country, from, to, isAddedUp } of mergers)
      if (isAddedUp)
        this.#known.push({
          country: codes.textOf('country', country),
          from: from.map((product) => codes.textOf('product', product)),
          to: codes.textOf('product', to),
        });
  }

  /** The mergers whose new product another dataset has, in its codes. */
  in(codes: Codes): readonly MergerElsewhere[] {
    return this.#known.flatMap(({ country, from, to }, i) => {
      const [ofCountry, ofTo] = [codes.codeOf('country', country), codes.codeOf('product', to)];
      const products = from.flatMap((name) => codes.codeOf('product', name) ?? []);
      // A country that this dataset does not have still counts among those that share the merger.
      return ofTo === undefined || products.length === 0
        ? []
        : [{ country: ofCountry ?? -1 - i, from: ascending(products), to: ofTo }];
    });
  }
}
