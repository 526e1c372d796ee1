// Notes what was not compared, new years without exchange rates, and acceptances that accepted nothing.

import { DATASET_NAMES, datasetOf } from '../../../src/catalog/datasets.ts';
import type { AcceptedYears } from '../../checks/acceptedYears.ts';
import type { Comparison } from '../../compare/comparisonTypes.ts';
import type { GuardOutcome } from '../../guards/runGuards.ts';
import { wholeFile } from '../../messages/place.ts';
import type { Problems } from '../../messages/problems.ts';
import { CURRENT_DAMAGED } from '../../store/currentDamage.ts';
import type { DraftManifest } from '../../store/writeDatasets.ts';
import { uncomparedText } from '../output/printedComparison.ts';
import type { DamageFinding } from './damageFinding.ts';
import type { PublishOptions } from './publishOptions.ts';

/**
 * Notes each dataset that was not compared, because the current snapshot was published by another version of the program.
 */
export function noteUncompared(comparison: Comparison | null, problems: Problems): void {
  for (const one of comparison?.uncompared ?? [])
    problems.add('note', wholeFile(one.dataset), uncomparedText(one, comparison?.before.id ?? null, null));
}

/**
 * Notes once for each dataset that its new years have no rates in fx. Nothing is noted if a year that the dataset already
 * had has none either: then fx is expected to end earlier, such as before the forecasts.
 */
export function noteMissingRates(
  comparison: Comparison,
  datasets: DraftManifest['datasets'],
  problems: Problems,
): void {
  const rated = new Set(datasets.fx.years);
  for (const name of DATASET_NAMES.filter((one) => datasetOf(one).dimensions.includes('fx'))) {
    const years = comparison.datasets[name].dimensions.find(({ dimension }) => dimension === 'year');
    const appeared = new Set(years?.appeared.map(({ value }) => Number(value)));
    const without = datasets[name].years.filter((year) => !rated.has(year));
    if (without.length === 0 || without.some((year) => !appeared.has(year))) continue;
    problems.add(
      'note',
      wholeFile(name),
      `${without.join(', ')} ${without.length === 1 ? 'is new and has' : 'are new and have'} no exchange rates in fx`,
    );
  }
}

/**
 * Notes each acceptance that matches no finding, because it may be a mistake. If the current snapshot is damaged, also
 * notes that no guard examined the month.
 */
export function noteUnusedAcceptances(
  { unused }: GuardOutcome,
  damage: DamageFinding | null,
  { month, damagedCurrentReason }: PublishOptions,
  problems: Problems,
): void {
  for (const { rule, dataset, country } of unused)
    noteNothingToAccept(
      [rule, ...(dataset === null ? [] : [dataset]), ...(country === undefined ? [] : [country])].join(':'),
      problems,
    );
  if (damage !== null)
    problems.add(
      'note',
      wholeFile(month),
      'nothing was compared with the current snapshot, and no guard examined it',
    );
  else if (damagedCurrentReason !== null) noteNothingToAccept(CURRENT_DAMAGED, problems);
}

/** Notes each acceptance of far years that accepted none. */
export function noteUnusedYearAcceptances({ unused }: AcceptedYears, problems: Problems): void {
  for (const name of unused) noteNothingToAccept(name, problems);
}

const noteNothingToAccept = (name: string, problems: Problems) =>
  problems.add('note', wholeFile(`--accept ${name}`), 'there was nothing of the kind to accept');
