// One table that says which findings explain which others, and when. `explained.ts` leaves out the explained ones.

import { onlyOf } from '../../src/basics/lists.ts';
import type { DimensionName } from '../../src/catalog/datasets.ts';
import type { DatasetComparison } from '../compare/comparisonTypes.ts';
import { isRunningYear } from '../compare/comparisonYears.ts';
import type { FoundByGuard, GuardName } from './allGuards.ts';
import { groupOfAllValues, isTotalScaled, scaledCountries } from './changesOfUnit.ts';
import { isCountryMoveExplained } from './countryMovesGuard.ts';
import { explainsTotal } from './explainsTotal.ts';
import { type GuardContext, isWarnedOf, type PatternVerdict } from './guard.ts';
import { isMovedByIntroducedRows } from './introducedEffect.ts';
import { isAboutLostValue } from './lostValuesGuard.ts';
import { namesValue } from './newValuesGuard.ts';
import type { YearVerdict } from './newYearsGuard.ts';
import { isBrokenByChangeOfUnit, isBrokenByOtherRelation, reportsMoveOf } from './relationCauses.ts';
import type { Renaming } from './renamings.ts';
import { isGrowthOfNewCountries, isGrowthOfSharedYears, isLossExplained } from './rowsGuard.ts';
import { isCountryYearRefused, isRunningYearTotal } from './runningYearsGuard.ts';
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

/** What a row of the table may also read. */
interface ExplanationContext extends GuardContext {
  readonly dataset: DatasetComparison;
  readonly patterns: readonly PatternVerdict[];
}

/** A row of the table. It gives what is left of the findings of a dataset. */
type Explanation = (found: FoundByGuard, causes: Causes, context: ExplanationContext) => FoundByGuard;

/** The row that leaves out the findings of a guard that `cause` explains. */
const row =
  <Guard extends GuardName, Cause extends keyof Causes>(
    guard: Guard,
    cause: Cause,
    explains: (
      finding: FoundByGuard[Guard][number],
      cause: Causes[Cause],
      context: ExplanationContext,
    ) => boolean,
  ): Explanation =>
  (found, causes, context) => ({
    ...found,
    [guard]: found[guard].filter((one) => !explains(one, causes[cause], context)),
  });

/**
 * The table: whose findings are left out, what explains them, and when. Its rows apply in this order, so a finding that an
 * earlier row left out explains nothing.
 */
export const EXPLANATIONS: readonly Explanation[] = [
  // All years of a renamed country look new.
  row('newYears', 'renamings', ({ country }, renamings) => areNamedAnew(renamings, 'country', country)),

  // Forecasts follow a refused pattern of reported figures, in the same metric, in the same country or in several. The
  // search finds the more special changes first, so the cause must come first: forecasts that were copied do not follow
  // figures that moved.
  row('patterns', 'refusals', (one, refusals, { patterns }) => {
    const { metric, place, forecast } = one.pattern;
    const isFollowed = (cause: PatternVerdict) =>
      !cause.pattern.forecast &&
      cause.pattern.metric === metric &&
      [undefined, place.country].includes(cause.pattern.place.country) &&
      patterns.indexOf(cause) < patterns.indexOf(one);
    return forecast && refusals.some(isFollowed);
  }),

  row('rows', 'goneValues', (_, __, { dataset, limits }) => isLossExplained(dataset, limits)),
  row('rows', 'newValues', (moved, _, context) => isGrowthOfNewCountries(moved, context)),
  row('rows', 'rows', (moved, _, context) => isGrowthOfSharedYears(moved, context)),

  row('runningYears', 'patterns', ({ move }, patterns) => isCountryYearRefused(patterns, move)),

  row('totals', 'runningYears', ({ total }, moves, { patterns, comparison }) =>
    isRunningYearTotal(total, moves, patterns, comparison),
  ),
  row('totals', 'patterns', (moved, patterns) =>
    patterns.some(({ severity, pattern }) => severity === 'refuse' && explainsTotal(pattern, moved)),
  ),
  row('totals', 'goneValues', (moved, goneValues, context) => {
    const mover = moved.total.mover?.country;
    const isGone = goneValues.some(
      ({ dimension, value }) => dimension === 'country' && value.value === mover,
    );
    return isGone && isMovedByCountries(moved, context);
  }),
  // The country that moved the total most has a warning that its first reports are far from their forecasts.
  row('totals', 'newYears', (moved, newYears, context) => {
    const { mover, year: ownYear } = moved.total;
    const isWarned = newYears.some(
      ({ pattern, countries, year }) =>
        pattern.family === 'year-far' && year === ownYear && countries.includes(mover?.country ?? ''),
    );
    return moved.severity === 'warn' && isWarned && isMovedByCountries(moved, context);
  }),
  // Patterns report the country that moved the total most, or the unit of all countries that moved it.
  row('totals', 'patterns', (moved, patterns, context) => {
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
  }),
  row('totals', 'units', ({ total }, groups) => isTotalScaled(total, groups)),

  row('countryMoves', 'patterns', (moved, patterns, { limits }) =>
    patterns.some((verdict) => isCountryMoveExplained(moved, verdict, limits)),
  ),
  row('countryMoves', 'units', ({ move }, groups) => isTotalScaled(move, groups)),
  row('countryMoves', 'newValues', ({ move }, _, { dataset, limits }) =>
    isMovedByIntroducedRows(move, dataset, limits),
  ),

  row('revisedYears', 'patterns', ({ metrics: [metric], changes }, patterns) => {
    const isRefused = ({ severity, pattern }: PatternVerdict) =>
      severity === 'refuse' && !pattern.forecast && pattern.metric === metric;
    return cellsOf(patterns.filter(isRefused)) >= changes.closedRevised;
  }),
  row('revisedYears', 'units', ({ metrics }, groups) =>
    metrics.every((metric) => groupOfAllValues(metric, groups) !== undefined),
  ),

  row('goneValues', 'renamings', ({ dimension, value: { value } }, renamings) =>
    renamings.some((renaming) => renaming.dimension === dimension && renaming.from === value),
  ),
  // All rows of the vanished value have another value of the same dimension now. A country that is gone has a finding of
  // its own, because its rows are in another country.
  row(
    'goneValues',
    'patterns',
    ({ dimension, value }, patterns) =>
      dimension !== 'country' && areAllRowsRenamed(patterns, 'from', { dimension, ...value }),
  ),
  row(
    'goneValues',
    'goneRates',
    ({ dimension, value }, goneRates) => dimension === 'fx' && goneRates.has(value.value),
  ),

  // A pattern of the country reports the rows of the lost value, or any of its patterns is refused.
  row('lostValues', 'patterns', (lost, patterns) =>
    patterns.some(
      (one) => one.country === lost.country && (one.severity === 'refuse' || isAboutLostValue(one, lost)),
    ),
  ),

  // Patterns report all withdrawn values. They may report only some.
  row('nulls', 'patterns', ({ metric, emptied }, patterns) => {
    const cells = cellsOf(
      patterns.filter(({ pattern }) => pattern.family === 'emptied' && pattern.metric === metric),
    );
    return cells > 0 && cells >= emptied;
  }),

  // Patterns name the new value. Of rows with values that are new to their country, only one value is new, and all rows
  // with it had another value of the same dimension before.
  row('newValues', 'patterns', (found, patterns, { dataset }) => {
    if (found.of === 'value') return patterns.some(({ pattern }) => namesValue(pattern, found.value));
    const introduced = onlyOf(dataset.introduced.values);
    return introduced !== null && areAllRowsRenamed(patterns, 'to', introduced);
  }),
  row(
    'newValues',
    'renamings',
    (found, renamings) =>
      found.of === 'value' && areNamedAnew(renamings, found.value.dimension, found.value.value),
  ),

  row('proportionalCountries', 'renamings', ({ country }, renamings) =>
    areNamedAnew(renamings, 'country', country),
  ),
  row('proportionalCountries', 'patterns', ({ country }, patterns) =>
    patterns.some(({ pattern: { family, place } }) => family === 'copied' && place.country === country),
  ),

  row('relations', 'refusalsOfAll', (broken, refusals) =>
    refusals.some(({ country, pattern }) => [country, pattern.place.country].includes(broken.country)),
  ),
  row('relations', 'refusedYears', ({ country, years }, refusedYears) =>
    years.every((year) => refusedYears.some((one) => one.year === year && one.countries.includes(country))),
  ),
  // Figures of running years still come in month by month.
  row(
    'relations',
    'runningYears',
    ({ relation, years }, _, { comparison: { after } }) =>
      relation === 'year-moved' && years.every((year) => isRunningYear(year, after.month)),
  ),
  row('relations', 'patterns', (broken, patterns) =>
    patterns.some((verdict) => reportsMoveOf(broken, verdict)),
  ),
  row(
    'relations',
    'units',
    (broken, _, { dataset }) =>
      broken.dataset === dataset.dataset && isBrokenByChangeOfUnit(broken, dataset.scaled),
  ),
  row('relations', 'relations', isBrokenByOtherRelation),

  // These rows are last, because the verdicts that they leave out explain findings in the rows above.
  row('patterns', 'repeated', (verdict, repeated) => repeated.has(verdict)),
  row('units', 'patterns', (group, patterns) =>
    patterns.some(({ scaledGroups }) => scaledGroups.includes(group)),
  ),
];

const areNamedAnew = (renamings: readonly Renaming[], dimension: DimensionName, value: string | null) =>
  renamings.some((renaming) => renaming.dimension === dimension && renaming.to === value);

const cellsOf = (patterns: readonly PatternVerdict[]): number =>
  patterns.reduce((sum, { pattern }) => sum + pattern.cells, 0);

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
