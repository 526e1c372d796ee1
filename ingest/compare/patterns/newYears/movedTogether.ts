// Finds new years in which the totals of most countries moved alike, for example because they cover only nine months.

import { datasetOf } from '../../../../src/catalog/datasets.ts';
import { groupBy } from '../../../../src/groupBy.ts';
import type { Codes } from '../../rows/codes.ts';
import type { Pattern, YearFamily } from '../types.ts';
import type { BegunYear } from './yearRows.ts';

/** The number of countries that must have begun the year. Fewer say nothing about all countries. */
const FEWEST_COUNTRIES = 10;

/** The factor from which on a move of the median country is suspicious. Only a pandemic has moved it as far. */
const TOGETHER = 1.25;

/** The same factor of a population, for each year. That of the median country grows by 1 to 3 % a year. */
const PERSONS_TOGETHER = 1.05;

/** How far the total of a country's new year moved. */
export interface MovedYear {
  readonly begun: BegunYear;
  readonly metric: string;
  readonly forecast: boolean;
  readonly ratio: number;
}

/**
 * The patterns of years in which totals moved alike.
 *
 * @param most The factor from which on the move of a single country is a pattern already.
 */
export function movedTogether(
  codes: Codes,
  moved: readonly MovedYear[],
  most: number,
): Pattern<YearFamily>[] {
  const alike = groupBy(
    moved,
    ({ begun: { year, comparedYear }, metric }) => `${metric} ${year} ${comparedYear}`,
  );
  return [...alike.values()].flatMap((all) => {
    const [{ begun, metric }] = all;
    const ratios = all.map(({ ratio }) => ratio).sort((a, b) => a - b);
    const median = ratios[Math.floor(ratios.length / 2)] ?? 1;
    const by = Math.abs(Math.log(median));
    const [from, to] = [codes.valueOf('year', begun.comparedYear), codes.valueOf('year', begun.year)];
    const isOfPersons = datasetOf(codes.dataset).metrics[metric]?.unit === 'persons';
    const least = isOfPersons ? PERSONS_TOGETHER ** Math.abs(Number(to) - Number(from)) : TOGETHER;
    if (all.length < FEWEST_COUNTRIES || by < Math.log(least) || by >= Math.log(most)) return [];
    const cells = all.length;
    return [
      {
        family: 'year-together' as const,
        metric,
        place: { year: to },
        forecast: all.filter(({ forecast }) => forecast).length > cells / 2,
        cells,
        of: cells,
        further: all.map(({ begun: { country } }) => String(codes.valueOf('country', country))),
        countryShare: 0,
        historyShare: 0,
        effect: 0,
        datasetShare: null,
        ratio: median,
        between: { dimension: 'year' as const, pairs: [{ from, to, cells }] },
        examples: [],
      },
    ];
  });
}
