// Defines the merger of products of a country into another product.

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
