// Notes the new years of a dataset for which the dataset fx has no exchange rates.

import { DATASET_NAMES, datasetOf } from '../../../src/catalog/datasets.ts';
import type { Comparison } from '../../compare/types.ts';
import { wholeFile } from '../../messages/place.ts';
import type { Problems } from '../../messages/problems.ts';
import type { DraftManifest } from '../../store/files.ts';

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
    problems.add('note', wholeFile(name), {
      problem: `${without.join(', ')} ${without.length === 1 ? 'is new and has' : 'are new and have'} no exchange rates in fx`,
      remedy: null,
    });
  }
}
