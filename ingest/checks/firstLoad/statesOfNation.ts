// Warns of countries whose states add up to more than the nation.

import { groupBy } from '../../../src/basics/lists.ts';
import { count, multiple } from '../../messages/numbers.ts';
import { type CheckedFigures, productOf, warnOfRow } from './checkedFigures.ts';

/** The largest plausible ratio of states to nation. Turnover of the two may be estimated from ggr by different holds. */
const MOST_OF_NATION = 1.25;
/** The fewest figures above this ratio. Fewer may come from one figure that was typed wrong. */
const FEWEST_ABOVE = 3;

export function checkStatesOfNation(figures: CheckedFigures): void {
  const { staging, metric, rows } = figures;
  const [values, states] = [rows.values(metric), rows.dimension('state')];
  if (rows.numbered('state').count < 2) return;
  const groups = rows.groupsWithout(['state']);
  const [nation, sums] = [new Float64Array(groups.count), new Float64Array(groups.count)];
  const first = new Int32Array(groups.count).fill(-1);
  const noState = staging.code('');
  for (let row = 0; row < rows.count; row += 1) {
    const group = groups.numbers[row] as number;
    const value = Number.isNaN(values[row]) ? 0 : (values[row] as number);
    if (states[row] === noState) nation[group] = (nation[group] as number) + value;
    else {
      sums[group] = (sums[group] as number) + value;
      if (first[group] === -1) first[group] = row;
    }
  }
  const ratioOf = (row: number) => {
    const group = groups.numbers[row] as number;
    return (nation[group] as number) > 0 ? (sums[group] as number) / (nation[group] as number) : 0;
  };
  const withStates = [...first].filter((row) => row >= 0 && ratioOf(row) > 0);
  for (const [code, all] of groupBy(withStates, (row) => rows.dimension('country')[row])) {
    const above = all.filter((row) => ratioOf(row) > MOST_OF_NATION);
    if (above.length < FEWEST_ABOVE) continue;
    const country = staging.text(code);
    const worst = above.reduce((most, row) => (ratioOf(row) > ratioOf(most) ? row : most));
    warnOfRow(figures, worst, {
      problem: `${metric} of the states of ${country} comes to more than that of the nation in ${count(above.length)} of ${count(all.length)} figures, at most to ${multiple(ratioOf(worst))} times as much${productOf(figures, worst, ': ')} in ${rows.dimension('year')[worst]}`,
      remedy: 'check the unit of the states and of the nation, and that no state is there twice',
      kind: `${metric} of states above that of their nation`,
      country,
    });
  }
}
