// Finds years that begin in which the totals of most countries moved alike, such as figures of nine months.

import { groupBy } from '../../../src/groupBy.ts';
import type { Codes } from '../rows/codes.ts';
import type { Pattern, YearFamily } from './types.ts';
import type { BegunYear } from './yearRows.ts';

/** Fewer countries say nothing about all of them. */
const FEWEST_COUNTRIES = 10;

/** The total of the median country moves by less than this in a year, except in a pandemic. */
const TOGETHER = 1.25;

/** How far the total of a country's new year moved. */
export interface MovedYear {
  readonly begun: BegunYear;
  readonly metric: string;
  readonly forecast: boolean;
  readonly ratio: number;
}

/** @param most Countries that moved by this factor are patterns of their own. */
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
    if (all.length < FEWEST_COUNTRIES || by < Math.log(TOGETHER) || by >= Math.log(most)) return [];
    const [from, to] = [codes.valueOf('year', begun.comparedYear), codes.valueOf('year', begun.year)];
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
