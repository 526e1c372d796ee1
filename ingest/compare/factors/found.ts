// A finding of the search for a common factor: figures of a country, or of a part of it, that moved by one factor.

import type { Figure } from './figures.ts';

export interface Found {
  readonly country: string;
  /** The part, such as `Poker / Online / Onshore`, a state or an indicator; `''` for the whole country. */
  readonly place: string;
  readonly figures: readonly [Figure, ...Figure[]];
  /** The number of figures that the part has in these years. */
  readonly total: number;
  readonly years: readonly number[];
  /** The number of markets of these figures. */
  readonly markets: number;
  readonly factor: number;
  /** The factor, if it is exact and explains most figures to their last digit; else null. */
  readonly exactly: number | null;
}
