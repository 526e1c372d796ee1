// Why a finding is not shown: the one table of what explains what. A row leaves out what another finding already reports.

import type { DatasetName, DimensionName } from '../../src/catalog/datasets.ts';
import type { Comparison, DatasetComparison } from '../compare/types.ts';
import { isRunning } from '../compare/years.ts';
import type { Found, GuardName } from './allGuards.ts';
import { isChangeOfUnit, isConsequence, isOfFactor, isOfForecasts, isOfPart } from './brokenBy.ts';
import { isScaled, repeatedAmong, scaledCountries, wholeGroup } from './changesOfUnit.ts';
import { isOfCountryMove } from './countryMoves.ts';
import { type Basis, isWarnedOf, type Verdict } from './guard.ts';
import { isIntroducedMove } from './introducedRows.ts';
import { isOfMovers } from './movedTotals.ts';
import { namesValue } from './newValues.ts';
import type { YearVerdict } from './newYears.ts';
import { areRenamed, wereRenamed } from './renamedRows.ts';
import type { Renaming } from './renamings.ts';
import { areOfLoss, areOfNewCountries, areOfSameYears } from './rows.ts';
import { isOfRunningYear, isRefusedIn } from './runningYears.ts';
import { moves } from './totalPatterns.ts';
import type { Moved } from './totalWords.ts';
import { goneFromRates, isGoneIn } from './vanished.ts';

/** What may explain a finding of a dataset: what its guards found and no row above has left out, and these facts. */
interface Causes extends Found {
  /** Refused patterns of the dataset that nobody accepted. */
  readonly refusals: readonly Verdict[];
  /** Refused patterns of any dataset that nobody accepted. */
  readonly refusalsOfAll: readonly Verdict[];
  /** Refused new years of any dataset that nobody accepted. */
  readonly refusedYears: readonly YearVerdict[];
  readonly renamings: readonly Renaming[];
  /** The verdicts on changes of unit that repeat other verdicts. */
  readonly repeated: ReadonlyMap<Verdict, readonly Verdict[]>;
  /** The currencies that no longer have rates. */
  readonly goneRates: ReadonlySet<string | number>;
}

/** What a predicate may also read. */
interface Context extends Basis {
  readonly dataset: DatasetComparison;
  readonly patterns: readonly Verdict[];
}

/** A row of the table. It gives what is left of the findings of a dataset. */
type Row = (found: Found, causes: Causes, context: Context) => Found;

/** The row by which `cause` explains those findings of `effect` for which the predicate is true. */
const row =
  <Effect extends GuardName, Cause extends keyof Causes>(
    effect: Effect,
    cause: Cause,
    predicate: (one: Found[Effect][number], cause: Causes[Cause], context: Context) => boolean,
  ): Row =>
  (found, causes, context) => ({
    ...found,
    [effect]: found[effect].filter((one) => !predicate(one, causes[cause], context)),
  });

/** The table. Its rows apply in this order. */
const EXPLAINED: readonly Row[] = [
  // All years of a renamed country look new.
  row('newYears', 'renamings', ({ country }, pairs) => hasNewName(pairs, 'country', country)),
  row('patterns', 'refusals', followsReported),

  row('rows', 'gone', (_, __, { dataset, limits }) => areOfLoss(dataset, limits)),
  row('rows', 'newValues', (one, _, context) => areOfNewCountries(one, context)),
  // An earlier dataset reports the same new years.
  row('rows', 'rows', (one, _, context) => areOfSameYears(one, context)),

  row('runningYears', 'patterns', ({ move }, patterns) => isRefusedIn(patterns, move)),
  row('totals', 'runningYears', ({ total }, moved, { patterns, comparison }) =>
    isOfRunningYear(total, moved, patterns, comparison),
  ),
  row('totals', 'patterns', (one, patterns) =>
    patterns.some(({ severity, pattern }) => severity === 'refuse' && moves(pattern, one)),
  ),
  row('totals', 'gone', (one, gone, context) => isGoneMover(one, gone) && isOfMovers(one, context)),
  row('totals', 'newYears', (one, years, context) => isFarMover(one, years) && isOfMovers(one, context)),
  row(
    'totals',
    'patterns',
    (one, patterns, context) =>
      (isNamedMover(one, patterns) && isOfMovers(one, context)) ||
      isOfMovers(one, context, scaledCountries(patterns, one.total.metric)),
  ),
  row('totals', 'units', ({ total }, groups) => isScaled(total, groups)),

  row('countryMoves', 'patterns', (one, patterns, { limits }) =>
    patterns.some((verdict) => isOfCountryMove(one, verdict, limits)),
  ),
  row('countryMoves', 'units', ({ move }, groups) => isScaled(move, groups)),
  row('countryMoves', 'newValues', ({ move }, _, { dataset, limits }) =>
    isIntroducedMove(move, dataset, limits),
  ),
  row(
    'revisedYears',
    'patterns',
    ({ metrics: [metric], changes }, patterns) =>
      cellsOf(
        patterns,
        (one) => one.severity === 'refuse' && !one.pattern.forecast && one.pattern.metric === metric,
      ) >= changes.closedRevised,
  ),

  row('revisedYears', 'units', ({ metrics }, groups) =>
    metrics.every((metric) => wholeGroup(metric, groups) !== undefined),
  ),

  row('gone', 'renamings', ({ dimension, value: { value } }, pairs) =>
    pairs.some((pair) => pair.dimension === dimension && pair.from === value),
  ),
  row('gone', 'patterns', ({ dimension, value }, patterns) => wereRenamed(patterns, dimension, value)),
  row(
    'gone',
    'goneRates',
    ({ dimension, value: { value } }, rates) => dimension === 'fx' && rates.has(value),
  ),
  // A refused pattern of a country reports all rows that it lost.
  row('lost', 'patterns', (value, patterns) =>
    patterns.some(
      (one) => one.country === value.country && (one.severity === 'refuse' || isGoneIn(one, value)),
    ),
  ),

  // Patterns may report only some of the withdrawn values.
  row('nulls', 'patterns', ({ metric, emptied }, patterns) => {
    const cells = cellsOf(
      patterns,
      ({ pattern }) => pattern.family === 'emptied' && pattern.metric === metric,
    );
    return cells > 0 && cells >= emptied;
  }),

  row('newValues', 'patterns', (one, patterns, { dataset }) =>
    one.of === 'rows'
      ? areRenamed(patterns, dataset)
      : patterns.some(({ pattern }) => namesValue(pattern, one.value)),
  ),
  row(
    'newValues',
    'renamings',
    (one, pairs) => one.of === 'value' && hasNewName(pairs, one.value.dimension, one.value.value),
  ),

  row('proportionalCountries', 'renamings', ({ country }, pairs) => hasNewName(pairs, 'country', country)),
  row('proportionalCountries', 'patterns', ({ country }, patterns) =>
    patterns.some(({ pattern: { family, place } }) => family === 'copied' && place.country === country),
  ),

  row('relations', 'refusalsOfAll', (broken, refusals) =>
    refusals.some(({ country, pattern }) => [country, pattern.place.country].includes(broken.country)),
  ),
  row('relations', 'refusedYears', ({ country, years }, refused) =>
    years.every((year) => refused.some((one) => one.year === year && one.countries.includes(country))),
  ),
  // Figures of running years still come in month by month.
  row(
    'relations',
    'runningYears',
    ({ relation, years }, _, { comparison: { after } }) =>
      relation === 'year-moved' && years.every((year) => isRunning(year, after.month)),
  ),
  row('relations', 'patterns', (broken, patterns) =>
    patterns.some((one) => isOfForecasts(broken, one) || isOfFactor(broken, one) || isOfPart(broken, one)),
  ),
  row(
    'relations',
    'units',
    (broken, _, { dataset }) => broken.dataset === dataset.dataset && isChangeOfUnit(broken, dataset.scaled),
  ),
  row('relations', 'relations', isConsequence),

  // Until here, verdicts that repeat others explain what they change.
  row('patterns', 'repeated', (one, repeated) => repeated.has(one)),
  row('units', 'patterns', (group, patterns) => patterns.some(({ scaled }) => scaled.includes(group))),
];

/** Whether a value is the new name in a renaming. */
const hasNewName = (pairs: readonly Renaming[], dimension: DimensionName, value: string | null): boolean =>
  pairs.some((pair) => pair.dimension === dimension && pair.to === value);

/**
 * Whether a pattern of forecasts follows a refused one of reported figures, in the same metric, in the same country or in
 * several. The search finds the more special changes first, so the cause must come first: forecasts that were copied do not
 * follow figures that moved.
 */
function followsReported(one: Verdict, refusals: readonly Verdict[], { patterns }: Context): boolean {
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
}

const cellsOf = (patterns: readonly Verdict[], passes: (one: Verdict) => boolean): number =>
  patterns.reduce((sum, one) => sum + (passes(one) ? one.pattern.cells : 0), 0);

const isGoneMover = ({ total: { mover } }: Moved, gone: Found['gone']): boolean =>
  gone.some(({ dimension, value }) => dimension === 'country' && value.value === mover?.country);

/**
 * Whether the first reports of the country that moved a total most have a warning that they are far from their forecasts.
 */
const isFarMover = (
  { total: { mover, year: own }, severity }: Moved,
  years: readonly YearVerdict[],
): boolean =>
  severity === 'warn' &&
  years.some(
    ({ pattern, countries, year }) =>
      pattern.family === 'year-far' && year === own && countries.includes(mover?.country ?? ''),
  );

/** Whether a pattern is about the country that moved a total most. A warning explains only warnings. */
const isNamedMover = ({ total, severity }: Moved, patterns: readonly Verdict[]): boolean =>
  total.mover !== null &&
  (patterns.some((one) => one.severity === 'refuse' && one.country === total.mover?.country) ||
    (severity === 'warn' && isWarnedOf(total.mover.country, patterns, total)));

/** A dataset with what its guards found. */
export interface FoundIn {
  readonly dataset: DatasetComparison;
  readonly basis: Basis;
  readonly found: Found;
}

/**
 * The findings, without those that another finding explains. A refusal that a person accepted is not in `refusals`,
 * `refusalsOfAll` and `refusedYears`, so the findings that it would explain there remain: a person who accepts that Malta
 * lost a product has not seen yet that its USD disagree with the rates.
 *
 * @param isAccepted Whether a person accepted a refusal of a dataset.
 */
export function unexplained(
  all: readonly FoundIn[],
  comparison: Comparison,
  isAccepted: (refusal: Verdict | YearVerdict, dataset: DatasetName) => boolean,
): readonly FoundIn[] {
  const openIn = <Of extends Verdict | YearVerdict>(
    verdicts: readonly Of[],
    { dataset }: DatasetComparison,
  ) => verdicts.filter((one) => one.severity === 'refuse' && !isAccepted(one, dataset));
  const repeats = all.map(({ found }) => repeatedAmong(found.patterns));
  // A verdict that repeats other verdicts counts as accepted if a person accepted all of these.
  const refusals = all.map(({ dataset, found: { patterns } }, i) => {
    const open = new Set(openIn(patterns, dataset));
    return patterns.filter((one) => (repeats[i]?.get(one) ?? [one]).some((other) => open.has(other)));
  });
  const refusalsOfAll = refusals.flat();
  const goneRates = goneFromRates(comparison);
  return EXPLAINED.reduce((left: readonly FoundIn[], leave) => {
    const refusedYears = left.flatMap(({ dataset, found }) => openIn(found.newYears, dataset));
    return left.map(({ dataset, basis, found }, i) => {
      const own = {
        refusals: refusals[i] ?? [],
        repeated: repeats[i] ?? new Map(),
        renamings: basis.renamings.in(dataset.dataset),
      };
      const causes = { ...found, ...own, refusalsOfAll, refusedYears, goneRates };
      return {
        dataset,
        basis,
        found: leave(found, causes, { ...basis, dataset, patterns: found.patterns }),
      };
    });
  }, all);
}
