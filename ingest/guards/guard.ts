// Defines what a guard is: it finds what is suspicious in a dataset, makes findings of it, and words them.

import type { DatasetName, DimensionName } from '../../src/catalog/datasets.ts';
import type {
  Comparison,
  DatasetComparison,
  DimensionValue,
  ScaledGroup,
} from '../compare/comparisonTypes.ts';
import type { AnyPattern, Pattern } from '../compare/patterns/patternTypes.ts';
import type { GuardSeverity, Rule } from './finding.ts';
import type { Renamings } from './renamings.ts';

/** The shares from which on a guard warns and refuses: 0.05 is a change by 5 %. */
export interface Band {
  readonly warn: number;
  readonly refuse: number;
}

export interface GuardLimits {
  readonly rows: Band;
  readonly totals: Band;
  readonly closedYears: Band;
  /** For the change of a country's total of closed years. */
  readonly country: Band;
  /** For the change of a part of a country, such as a product. */
  readonly part: Band;
  /** For the share of a country's total that a finding concerns. */
  readonly material: Band;
}

/** What guards judge by. */
export interface GuardContext {
  readonly comparison: Comparison;
  readonly renamings: Renamings;
  readonly limits: GuardLimits;
}

/** What a guard may read when it makes findings of what it found. */
export interface GatherContext extends GuardContext {
  /** The verdicts on the patterns of each dataset. */
  readonly patternsOf: Readonly<Record<DatasetName, readonly PatternVerdict[]>>;
}

/**
 * A guard, in three steps. Between the first two, `explained.ts` leaves out what another finding explains.
 *
 * `Found` is one fact, such as a total that moved. `About` has the figures of a finding, such as all totals that are
 * refused.
 */
export interface Guard<Found, About> {
  /** All that is suspicious in a dataset. */
  readonly find: (dataset: DatasetComparison, context: GuardContext) => readonly Found[];
  /** The findings about what `explained.ts` left of it, if it left anything. */
  readonly gather: (
    found: readonly Found[],
    dataset: DatasetComparison,
    context: GatherContext,
  ) => readonly Suspicion<About>[];
  /** The text of a finding. */
  readonly words: (about: About, dataset: DatasetComparison, comparison: Comparison) => FindingText;
}

/** A finding before its text. */
export interface Suspicion<About> {
  readonly rule: Rule;
  readonly severity: GuardSeverity;
  /** The country that the suspicion is about; null when it is about several or the whole dataset. */
  readonly country: string | null;
  readonly about: About;
  readonly pattern?: AnyPattern;
  /** Whether the suspicion is the cause of others. It is then reported before them. */
  readonly isCause?: boolean;
  /** Other rules that object with the same severity. */
  readonly otherRules?: readonly Rule[];
}

export interface FindingText {
  /** The place, what happened and its size, to be read after the name of the dataset and a colon. */
  readonly message: string;
  /**
   * The message in lines: what happened, then its shares and examples. Undefined when the message is one short sentence.
   */
  readonly lines?: readonly string[];
}

/** A pattern with the rule that reports it. */
export interface PatternVerdict {
  readonly rule: Rule;
  readonly severity: GuardSeverity;
  readonly country: string | null;
  readonly pattern: Pattern;
  readonly otherRules: readonly Rule[];
  /** The groups of values in another unit that the verdict reports. */
  readonly scaledGroups: readonly ScaledGroup[];
  /** The verdicts on groups that moved by factors of their own, if this one stands for them. */
  readonly factorVerdicts?: readonly PatternVerdict[];
  /** The years that the country lost, if this verdict is about all of them. */
  readonly lostYears?: readonly number[];
}

/**
 * The families of patterns whose figures moved far. The figures of other families look wrong although they moved by little
 * or not at all.
 */
const MOVED: ReadonlySet<AnyPattern['family']> = new Set([
  'moved',
  'factor',
  'leap',
  'sign',
  'zero',
  'emptied',
  'gone',
]);

/**
 * Whether a warning already reports that the figures of a whole country moved, or all those of one of its years or
 * currencies.
 *
 * @param about The figures that the warning must be about. By default these are reported figures of any metric, in all
 * years and currencies.
 */
export const isWarnedOf = (
  country: string,
  verdicts: readonly PatternVerdict[],
  about: {
    readonly metric?: string;
    readonly year?: number;
    readonly fx?: string | null;
    readonly forecast?: boolean;
  } = {},
): boolean =>
  verdicts.some(({ severity, pattern: { family, metric, place, forecast } }) => {
    const isOfMetric = about.metric === undefined || metric === null || metric === about.metric;
    if (severity !== 'warn' || forecast !== (about.forecast ?? false)) return false;
    if (place.country !== country || !isOfMetric || !MOVED.has(family)) return false;
    const others = Object.keys(place).length - 1;
    const isSame = (name: 'year' | 'fx') => place[name] !== undefined && place[name] === about[name];
    return others === 0 || (others === 1 && (isSame('year') || isSame('fx')));
  });

/** Allows for the rounding of doubles, which make 3 → 3.15 a little less than 5 %. */
const ROUNDING_SHARE = 1e-12;

/** The severity of a change by this share; null below the limits. A change as large as a limit has reached the limit. */
export function severityOf(share: number, { warn, refuse }: Band): GuardSeverity | null {
  const size = Math.abs(share);
  if (size === 0) return null;
  if (size >= refuse - ROUNDING_SHARE) return 'refuse';
  return size >= warn - ROUNDING_SHARE ? 'warn' : null;
}

/** The worst of these severities; null when all are null. */
export const worstOf = (severities: readonly (GuardSeverity | null)[]): GuardSeverity | null =>
  (['refuse', 'warn'] as const).find((severity) => severities.includes(severity)) ?? null;

/** The values of a dimension that only the later side has. */
export const appearedIn = (
  { dimensions }: DatasetComparison,
  dimension: DimensionName,
): readonly DimensionValue[] => dimensions.find((one) => one.dimension === dimension)?.appeared ?? [];

/** Whether a value is gone from the whole dataset. */
export const isGone = (
  { dimensions }: DatasetComparison,
  dimension: DimensionName,
  value: string | number | null,
): boolean =>
  dimensions.some((one) => one.dimension === dimension && one.vanished.some((gone) => gone.value === value));
