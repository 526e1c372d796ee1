// Defines what a guard is: a function that examines the comparison of one dataset and returns what it finds suspicious.

import type { DimensionName } from '../../src/catalog/datasets.ts';
import type { AnyPattern, Pattern } from '../compare/patterns/types.ts';
import type { Comparison, DatasetComparison, DimensionValue, ScaledGroup } from '../compare/types.ts';
import type { Rule, Severity } from './finding.ts';
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

/** A suspicion of a guard. It becomes a finding with the guard's rule and the dataset. */
export interface Suspicion {
  readonly severity: Severity;
  /** The place, what happened and its size, to be read after the name of the dataset and a colon. */
  readonly message: string;
  /** The message in lines: what happened, then its shares and examples. Undefined when the message is one short sentence. */
  readonly lines?: readonly string[];
  /** The country that the suspicion is about; undefined or null when it is about several or the whole dataset. */
  readonly country?: string | null;
  readonly pattern?: AnyPattern;
  /** Whether the suspicion is the cause of others. It is then reported before them. */
  readonly isCause?: boolean;
  /** Other rules that object with the same severity. */
  readonly also?: readonly Rule[];
}

/** What totals are judged by. */
export interface Basis {
  readonly comparison: Comparison;
  readonly renamings: Renamings;
  readonly limits: GuardLimits;
}

/** What a guard may use besides the comparison of its dataset. */
export interface GuardInput extends Basis {
  /** The verdicts on the patterns of this dataset. Guards do not report again what a verdict reports. */
  readonly verdicts: readonly Verdict[];
  /** The countries with a refused pattern in any dataset that nobody accepted. */
  readonly refusedCountries: ReadonlySet<string>;
  /** The new years that are refused in any dataset and that nobody accepted, each with its country: `Malta 2025`. */
  readonly refusedYears: ReadonlySet<string>;
  /**
   * The countries and years whose first reports already have a warning that they are far from their forecasts: `Malta
   * 2025`.
   */
  readonly farYears: ReadonlySet<string>;
}

/** A pattern with the rule that reports it. */
export interface Verdict extends Suspicion {
  readonly rule: Rule;
  readonly pattern: Pattern;
  /** The groups of values in another unit that the verdict reports. */
  readonly scaled: readonly ScaledGroup[];
}

/**
 * The families of patterns whose figures moved far. The figures of other families look wrong although they moved by little or not
 * at all.
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
 * Whether a warning already reports that the figures of a whole country moved, or all those of one of its years or currencies.
 *
 * @param about The figures that the warning must be about. By default these are reported figures of any metric, in all years and
 * currencies.
 */
export const isWarnedOf = (
  country: string,
  verdicts: readonly Verdict[],
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

/**
 * Leaves out verdicts on forecasts that follow a cause. The cause is one of `causes` about reported figures of the same metric,
 * in the same country or in several. It must come before the verdicts that follow it.
 */
export function withoutForecastsOf<Of extends Verdict>(
  causes: readonly Of[],
  verdicts: readonly Of[],
): readonly Of[] {
  const reported = new Set<string>();
  return verdicts.filter((verdict) => {
    const { metric, place, forecast } = verdict.pattern;
    const name = `${metric} ${place.country ?? ''}`;
    if (!forecast && causes.includes(verdict)) reported.add(name);
    return !forecast || !(reported.has(name) || reported.has(`${metric} `));
  });
}

export type Guard = (dataset: DatasetComparison, input: GuardInput) => readonly Suspicion[];

/** Allows for the rounding of doubles, which make 3 → 3.15 a little less than 5 %. */
const ROUNDING = 1e-12;

/** The severity of a change by this share; null below the limits. A change as large as a limit has reached the limit. */
export function severityOf(share: number, { warn, refuse }: Band): Severity | null {
  const size = Math.abs(share);
  if (size === 0) return null;
  if (size >= refuse - ROUNDING) return 'refuse';
  return size >= warn - ROUNDING ? 'warn' : null;
}

/** The worst of these severities; null when all are null. */
export const worstOf = (severities: readonly (Severity | null)[]): Severity | null =>
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
