// When a finding explains another one, in the order of the table in `explained.ts`. True leaves the explained finding out.

import { onlyOf } from '../../src/basics/lists.ts';
import type { DimensionName } from '../../src/catalog/datasets.ts';
import type { DatasetComparison } from '../compare/comparisonTypes.ts';
import { isRunningYear } from '../compare/comparisonYears.ts';
import type { FoundByGuard, GuardName } from './allGuards.ts';
import { groupOfAllValues, scaledCountries } from './changesOfUnit.ts';
import { isCountryMoveExplained } from './countryMovesGuard.ts';
import { explainsTotal } from './explainsTotal.ts';
import { type GuardContext, isWarnedOf, type PatternVerdict } from './guard.ts';
import { isMovedByIntroducedRows } from './introducedEffect.ts';
import { isAboutLostValue } from './lostValuesGuard.ts';
import { namesValue } from './newValuesGuard.ts';
import type { YearVerdict } from './newYearsGuard.ts';
import { isBrokenByChangeOfUnit, reportsMoveOf } from './relationCauses.ts';
import type { Renaming } from './renamings.ts';
import { isRunningYearTotal } from './runningYearsGuard.ts';
import { isMovedByCountries } from './totalsGuard.ts';

/** What may explain a finding of a dataset: what its guards found and no row above has left out, and these facts. */
export interface Causes extends FoundByGuard {
  /** Refused patterns of the dataset that nobody accepted. */
  readonly refusals: readonly PatternVerdict[];
  /** Refused patterns of any dataset that nobody accepted. */
  readonly refusalsOfAll: readonly PatternVerdict[];
  /** Refused new years of any dataset that nobody accepted. */
  readonly refusedYears: readonly YearVerdict[];
  readonly renamings: readonly Renaming[];
  /** The verdicts on changes of unit that repeat other verdicts. */
  readonly repeated: ReadonlyMap<PatternVerdict, readonly PatternVerdict[]>;
  /** The currencies that no longer have rates. */
  readonly goneRates: ReadonlySet<string | number>;
}

/** What a function of this file may also read. */
export interface ExplanationContext extends GuardContext {
  readonly dataset: DatasetComparison;
  readonly patterns: readonly PatternVerdict[];
}

/** Whether a cause explains a finding of a guard. */
export type Explains<Guard extends GuardName, Cause extends keyof Causes> = (
  finding: FoundByGuard[Guard][number],
  cause: Causes[Cause],
  context: ExplanationContext,
) => boolean;

/** All years of a renamed country look new. */
export const isYearOfRenamedCountry: Explains<'newYears', 'renamings'> = ({ country }, renamings) =>
  areNamedAnew(renamings, 'country', country);

const areNamedAnew = (renamings: readonly Renaming[], dimension: DimensionName, value: string | null) =>
  renamings.some((renaming) => renaming.dimension === dimension && renaming.to === value);

/**
 * Whether a pattern of forecasts follows a refused one of reported figures, in the same metric, in the same country or in
 * several. The search finds the more special changes first, so the cause must come first: forecasts that were copied do not
 * follow figures that moved.
 */
export const isForecastOfRefusedFigures: Explains<'patterns', 'refusals'> = (one, refusals, { patterns }) => {
  const { metric, place, forecast } = one.pattern;
  return (
    forecast &&
    refusals.some(
      (cause) =>
        !cause.pattern.forecast &&
        cause.pattern.metric === metric &&
        [undefined, place.country].includes(cause.pattern.place.country) &&
        patterns.indexOf(cause) < patterns.indexOf(one),
    )
  );
};

export const isTotalOfRunningYear: Explains<'totals', 'runningYears'> = (
  { total },
  moves,
  { patterns, comparison },
) => isRunningYearTotal(total, moves, patterns, comparison);

export const isTotalMovedByRefusedPattern: Explains<'totals', 'patterns'> = (moved, patterns) =>
  patterns.some(({ severity, pattern }) => severity === 'refuse' && explainsTotal(pattern, moved));

export const isTotalMovedByGoneCountry: Explains<'totals', 'goneValues'> = (moved, goneValues, context) =>
  goneValues.some(
    ({ dimension, value }) => dimension === 'country' && value.value === moved.total.mover?.country,
  ) && isMovedByCountries(moved, context);

/** Whether the country that moved a total most has a warning that its first reports are far from their forecasts. */
export const isTotalMovedByFarReports: Explains<'totals', 'newYears'> = (moved, newYears, context) => {
  const { mover, year: ownYear } = moved.total;
  const isWarned = newYears.some(
    ({ pattern, countries, year }) =>
      pattern.family === 'year-far' && year === ownYear && countries.includes(mover?.country ?? ''),
  );
  return moved.severity === 'warn' && isWarned && isMovedByCountries(moved, context);
};

/** Whether patterns report the country that moved a total most, or the unit of all countries that moved it. */
export const isTotalMovedByReportedCountries: Explains<'totals', 'patterns'> = (moved, patterns, context) => {
  const { total, severity } = moved;
  const { mover, metric } = total;
  // A warning explains only warnings.
  const isReported =
    mover !== null &&
    (patterns.some((one) => one.severity === 'refuse' && one.country === mover.country) ||
      (severity === 'warn' && isWarnedOf(mover.country, patterns, total)));
  return (
    (isReported && isMovedByCountries(moved, context)) ||
    isMovedByCountries(moved, context, scaledCountries(patterns, metric))
  );
};

export const isCountryMovedByPattern: Explains<'countryMoves', 'patterns'> = (moved, patterns, { limits }) =>
  patterns.some((verdict) => isCountryMoveExplained(moved, verdict, limits));

export const isCountryMovedByIntroducedRows: Explains<'countryMoves', 'newValues'> = (
  { move },
  _,
  { dataset, limits },
) => isMovedByIntroducedRows(move, dataset, limits);

export const areRevisionsInPatterns: Explains<'revisedYears', 'patterns'> = (
  { metrics: [metric], changes },
  patterns,
) => {
  const isRefused = ({ severity, pattern }: PatternVerdict) =>
    severity === 'refuse' && !pattern.forecast && pattern.metric === metric;
  return cellsOf(patterns.filter(isRefused)) >= changes.closedRevised;
};

const cellsOf = (patterns: readonly PatternVerdict[]): number =>
  patterns.reduce((sum, { pattern }) => sum + pattern.cells, 0);

export const areRevisionsInOtherUnit: Explains<'revisedYears', 'units'> = ({ metrics }, groups) =>
  metrics.every((metric) => groupOfAllValues(metric, groups) !== undefined);

export const isOldName: Explains<'goneValues', 'renamings'> = ({ dimension, value: { value } }, renamings) =>
  renamings.some((renaming) => renaming.dimension === dimension && renaming.from === value);

/**
 * Whether all rows of a vanished value have another value of the same dimension now. A country that is gone has a finding
 * of its own, because its rows are in another country.
 */
export const isGoneWithRenamedRows: Explains<'goneValues', 'patterns'> = ({ dimension, value }, patterns) =>
  dimension !== 'country' && areAllRowsRenamed(patterns, 'from', { dimension, ...value });

/**
 * Whether refused verdicts on renamed rows have all rows that lost a value (`from`) or got one (`to`). Verdicts with
 * several pairs of values do not count, because a row may be in several of their pairs.
 */
const areAllRowsRenamed = (
  verdicts: readonly PatternVerdict[],
  side: 'from' | 'to',
  { dimension, value, rows }: { dimension: DimensionName; value: string | number; rows: number },
): boolean =>
  verdicts.reduce((sum, { severity, pattern: { family, between, cells } }) => {
    const [pair, ...others] = between?.dimension === dimension ? between.pairs : [];
    const isOwn = severity === 'refuse' && family === 'renamed' && others.length === 0;
    return isOwn && pair?.[side] === value ? sum + cells : sum;
  }, 0) === rows;

export const isCurrencyWithoutRates: Explains<'goneValues', 'goneRates'> = (
  { dimension, value },
  goneRates,
) => dimension === 'fx' && goneRates.has(value.value);

/** Whether a pattern of the country reports the rows of the lost value, or any of its patterns is refused. */
export const isLostInPattern: Explains<'lostValues', 'patterns'> = (lost, patterns) =>
  patterns.some(
    (one) => one.country === lost.country && (one.severity === 'refuse' || isAboutLostValue(one, lost)),
  );

/** Whether patterns report all withdrawn values. They may report only some. */
export const areEmptiedInPatterns: Explains<'nulls', 'patterns'> = ({ metric, emptied }, patterns) => {
  const cells = cellsOf(
    patterns.filter(({ pattern }) => pattern.family === 'emptied' && pattern.metric === metric),
  );
  return cells > 0 && cells >= emptied;
};

/**
 * Whether patterns name a new value. For rows with values that are new to their country: whether only one value is new, and
 * all rows with it had another value of the same dimension before.
 */
export const isNewInPattern: Explains<'newValues', 'patterns'> = (found, patterns, { dataset }) => {
  if (found.of === 'value') return patterns.some(({ pattern }) => namesValue(pattern, found.value));
  const introduced = onlyOf(dataset.introduced.values);
  return introduced !== null && areAllRowsRenamed(patterns, 'to', introduced);
};

export const isNewName: Explains<'newValues', 'renamings'> = (found, renamings) =>
  found.of === 'value' && areNamedAnew(renamings, found.value.dimension, found.value.value);

export const isProportionalOldCountry: Explains<'proportionalCountries', 'renamings'> = (
  { country },
  renamings,
) => areNamedAnew(renamings, 'country', country);

export const isCountryCopied: Explains<'proportionalCountries', 'patterns'> = ({ country }, patterns) =>
  patterns.some(({ pattern: { family, place } }) => family === 'copied' && place.country === country);

export const isRelationOfRefusedCountry: Explains<'relations', 'refusalsOfAll'> = (broken, refusals) =>
  refusals.some(({ country, pattern }) => [country, pattern.place.country].includes(broken.country));

export const isRelationOfRefusedYears: Explains<'relations', 'refusedYears'> = (
  { country, years },
  refusedYears,
) => years.every((year) => refusedYears.some((one) => one.year === year && one.countries.includes(country)));

/** Figures of running years still come in month by month. */
export const isRelationOfRunningYears: Explains<'relations', 'runningYears'> = (
  { relation, years },
  _,
  { comparison: { after } },
) => relation === 'year-moved' && years.every((year) => isRunningYear(year, after.month));

export const isRelationInPattern: Explains<'relations', 'patterns'> = (broken, patterns) =>
  patterns.some((verdict) => reportsMoveOf(broken, verdict));

export const isRelationOfOtherUnit: Explains<'relations', 'units'> = (broken, _, { dataset }) =>
  broken.dataset === dataset.dataset && isBrokenByChangeOfUnit(broken, dataset.scaled);

export const isGroupInPattern: Explains<'units', 'patterns'> = (group, patterns) =>
  patterns.some(({ scaledGroups }) => scaledGroups.includes(group));
