// Finds moves of a country's reported totals in running years, which still get new figures.

import type { CountrySums } from './countrySums.ts';
import type { Matched } from './rows/matchedRows.ts';
import { additiveIndexes } from './totals.ts';
import type { RunningMove } from './totalTypes.ts';

/** The moves of countries that have a reported total of a running year on both sides. */
export function runningMovesOf(
  { codes, metrics, years }: Matched,
  before: CountrySums,
  after: CountrySums,
): readonly RunningMove[] {
  if (!codes.has('fx')) return [];
  const running = codes.flags('year', (year) => years.isRunning(Number(year)));
  if (!running.includes(true)) return [];
  const moves: RunningMove[] = [];
  for (const metricIndex of additiveIndexes({ codes, metrics })) {
    for (let old = 0; old < before.count; old += 1) {
      const [country, fx, year] = [before.country[old], before.fx[old], before.year[old]] as [
        number,
        number,
        number,
      ];
      if (before.forecast[old] === 1 || running[year] !== true) continue;
      const from = before.sum(metricIndex, old);
      const to = after.sum(metricIndex, after.at(country, fx, year, false));
      // A move from 0 has no share. Other guards report totals that are gone or empty.
      if (from === to || !(from > 0) || Number.isNaN(to)) continue;
      moves.push({
        metric: metrics[metricIndex] ?? '',
        country: codes.textOf('country', country),
        fx: codes.textOf('fx', fx),
        year: Number(codes.valueOf('year', year)),
        before: from,
        after: to,
      });
    }
  }
  return moves;
}
