// The types of the table of scopes: a set of figures that one mistake multiplies, and why no honest revision does.

import type { DimensionName } from '../../../src/catalog/datasets.ts';
import type { RelationName } from '../brokenRelation.ts';
import type { OneFactorFinding } from './movedFigures.ts';
import type { FiguresToCompare } from './stayedFigures.ts';

/** Why a common factor is suspicious. */
export interface FactorReason {
  readonly relation: RelationName;
  /** With fewer figures, years or markets, one honest cause may move all figures by one factor. */
  readonly fewest?: Partial<Readonly<Record<'figures' | 'years' | 'markets', number>>>;
  /** Whether the factor must be exact: nobody revises by 1.06 to the last digit. */
  readonly needsExactFactor?: true;
  /** A further condition: figures stayed that an honest revision would have moved. */
  readonly condition?: (finding: OneFactorFinding, toCompare: FiguresToCompare) => boolean;
}

/** A set of figures that one mistake multiplies, and the signs by which the mistake differs from a revision. */
export interface FactorScope {
  /** The dimensions that the figures of a group share, beside the country. */
  readonly dimensions: readonly DimensionName[];
  /**
   * - `together`: a group has all its years.
   * - `each`: a group has one year, and the years with one factor are one finding.
   * - `alone`: a group has one year, which is a finding by itself.
   */
  readonly years: 'together' | 'each' | 'alone';
  /** The share of a group's figures that must have the factor. Some may be revised in the same month. */
  readonly factorShare: number;
  /**
   * The share of a single year's figures that must have the factor, for scopes whose findings have several years; `share`
   * if undefined.
   */
  readonly factorShareOfYear?: number;
  readonly fewest: number;
  /** The least move that counts, as a share: 0.005 is 0.5 %. */
  readonly leastMove: number;
  /** Moves from here on do not count, because patterns report them value by value. */
  readonly moveBelow: number;
  /** Ratios are the same when they differ by less than this share. */
  readonly ratioSpread: number;
  /**
   * How narrow the range of possible factors must be for an exact factor. Figures are rounded, so all factors of a range
   * explain them. The ends of the range may differ by at most 1 / `precision`.
   */
  readonly precision: number;
  /** Why the factor is suspicious. The first reason that holds names the finding's relation. */
  readonly reasons: readonly FactorReason[];
}
