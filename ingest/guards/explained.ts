// Leaves out the findings that another finding already reports. One table says which findings explain which.

import type { DatasetName } from '../../src/catalog/datasets.ts';
import type { Comparison, DatasetComparison } from '../compare/comparisonTypes.ts';
import type { FoundByGuard, GuardName } from './allGuards.ts';
import { isTotalScaled, repeatedVerdicts } from './changesOfUnit.ts';
import type { Causes, Explains, ExplanationContext } from './explanations.ts';
import * as when from './explanations.ts';
import { goneFromRates } from './goneValuesGuard.ts';
import type { GuardContext, PatternVerdict } from './guard.ts';
import type { YearVerdict } from './newYearsGuard.ts';
import { isBrokenByOtherRelation } from './relationCauses.ts';
import { isGrowthOfNewCountries, isGrowthOfSharedYears, isLossExplained } from './rowsGuard.ts';
import { isCountryYearRefused } from './runningYearsGuard.ts';

/** A row of the table. It gives what is left of the findings of a dataset. */
type Row = (found: FoundByGuard, causes: Causes, context: ExplanationContext) => FoundByGuard;

/** The row that leaves out the findings of a guard that `cause` explains. */
const row =
  <Guard extends GuardName, Cause extends keyof Causes>(
    guard: Guard,
    cause: Cause,
    explains: Explains<Guard, Cause>,
  ): Row =>
  (found, causes, context) => ({
    ...found,
    [guard]: found[guard].filter((one) => !explains(one, causes[cause], context)),
  });

/**
 * The table: whose findings are left out, what explains them, and when. Its rows apply in this order, so a finding that an
 * earlier row left out explains nothing. `explanations.ts` has the longer conditions, in the same order.
 */
const TABLE: readonly Row[] = [
  row('newYears', 'renamings', when.isYearOfRenamedCountry),

  row('patterns', 'refusals', when.isForecastOfRefusedFigures),

  row('rows', 'goneValues', (_, __, { dataset, limits }) => isLossExplained(dataset, limits)),
  row('rows', 'newValues', (moved, _, context) => isGrowthOfNewCountries(moved, context)),
  row('rows', 'rows', (moved, _, context) => isGrowthOfSharedYears(moved, context)),

  row('runningYears', 'patterns', ({ move }, patterns) => isCountryYearRefused(patterns, move)),

  row('totals', 'runningYears', when.isTotalOfRunningYear),
  row('totals', 'patterns', when.isTotalMovedByRefusedPattern),
  row('totals', 'goneValues', when.isTotalMovedByGoneCountry),
  row('totals', 'newYears', when.isTotalMovedByFarReports),
  row('totals', 'patterns', when.isTotalMovedByReportedCountries),
  row('totals', 'units', ({ total }, groups) => isTotalScaled(total, groups)),

  row('countryMoves', 'patterns', when.isCountryMovedByPattern),
  row('countryMoves', 'units', ({ move }, groups) => isTotalScaled(move, groups)),
  row('countryMoves', 'newValues', when.isCountryMovedByIntroducedRows),

  row('revisedYears', 'patterns', when.areRevisionsInPatterns),
  row('revisedYears', 'units', when.areRevisionsInOtherUnit),

  row('goneValues', 'renamings', when.isOldName),
  row('goneValues', 'patterns', when.isGoneWithRenamedRows),
  row('goneValues', 'goneRates', when.isCurrencyWithoutRates),

  row('lostValues', 'patterns', when.isLostInPattern),

  row('nulls', 'patterns', when.areEmptiedInPatterns),

  row('newValues', 'patterns', when.isNewInPattern),
  row('newValues', 'renamings', when.isNewName),

  row('proportionalCountries', 'renamings', when.isProportionalOldCountry),
  row('proportionalCountries', 'patterns', when.isCountryCopied),

  row('relations', 'refusalsOfAll', when.isRelationOfRefusedCountry),
  row('relations', 'refusedYears', when.isRelationOfRefusedYears),
  row('relations', 'runningYears', when.isRelationOfRunningYears),
  row('relations', 'patterns', when.isRelationInPattern),
  row('relations', 'units', when.isRelationOfOtherUnit),
  row('relations', 'relations', isBrokenByOtherRelation),

  // These rows are last, because the verdicts that they leave out explain findings in the rows above.
  row('patterns', 'repeated', (verdict, repeated) => repeated.has(verdict)),
  row('units', 'patterns', when.isGroupInPattern),
];

/** A dataset with what its guards found. */
export interface GuardedDataset {
  readonly dataset: DatasetComparison;
  readonly context: GuardContext;
  readonly found: FoundByGuard;
}

/**
 * The findings, without those that another finding explains. A refusal that a person accepted is not in `refusals`,
 * `refusalsOfAll` and `refusedYears`, so the findings that it would explain there remain: a person who accepts that Malta
 * lost a product has not seen yet that its USD disagree with the rates.
 *
 * @param isAccepted Whether a person accepted a refusal of a dataset.
 */
export function unexplained(
  all: readonly GuardedDataset[],
  comparison: Comparison,
  isAccepted: (refusal: PatternVerdict | YearVerdict, dataset: DatasetName) => boolean,
): readonly GuardedDataset[] {
  const refusedAndNotAccepted = <Of extends PatternVerdict | YearVerdict>(
    verdicts: readonly Of[],
    { dataset }: DatasetComparison,
  ) => verdicts.filter((one) => one.severity === 'refuse' && !isAccepted(one, dataset));
  const repeated = all.map(({ found }) => repeatedVerdicts(found.patterns));
  // A verdict that repeats other verdicts counts as accepted if a person accepted all of these.
  const refusals = all.map(({ dataset, found: { patterns } }, i) => {
    const open = new Set(refusedAndNotAccepted(patterns, dataset));
    return patterns.filter((one) => (repeated[i]?.get(one) ?? [one]).some((other) => open.has(other)));
  });
  const refusalsOfAll = refusals.flat();
  const goneRates = goneFromRates(comparison);
  return TABLE.reduce((left: readonly GuardedDataset[], leaveOut) => {
    const refusedYears = left.flatMap(({ dataset, found }) => refusedAndNotAccepted(found.newYears, dataset));
    return left.map(({ dataset, context, found }, i) => {
      const causes: Causes = {
        ...found,
        refusals: refusals[i] ?? [],
        refusalsOfAll,
        refusedYears,
        renamings: context.renamings.in(dataset.dataset),
        repeated: repeated[i] ?? new Map(),
        goneRates,
      };
      return {
        dataset,
        context,
        found: leaveOut(found, causes, { ...context, dataset, patterns: found.patterns }),
      };
    });
  }, all);
}
