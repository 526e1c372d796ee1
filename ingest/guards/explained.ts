// Leaves out the findings that another finding already reports. `explanations.ts` says which findings explain which.

import type { DatasetName } from '../../src/catalog/datasets.ts';
import type { Comparison, DatasetComparison } from '../compare/comparisonTypes.ts';
import type { FoundByGuard } from './allGuards.ts';
import { repeatedVerdicts } from './changesOfUnit.ts';
import { type Causes, EXPLANATIONS } from './explanations.ts';
import { goneFromRates } from './goneValuesGuard.ts';
import type { GuardContext, PatternVerdict } from './guard.ts';
import type { YearVerdict } from './newYearsGuard.ts';

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
  return EXPLANATIONS.reduce((left: readonly GuardedDataset[], leaveOut) => {
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
