// Guard `rows`: the number of a dataset's rows changed by more than it usually does in a month.

import type { DimensionValue, Total } from '../compare/types.ts';
import { change, count, counted, percent, spans } from '../messages/numbers.ts';
import { type Guard, severityOf } from './guard.ts';

/**
 * Compares the number of rows with that of the current snapshot. Rows of new years are never refused, because every dataset
 * gets a new year at times. They are a warning when they are many, unless all of them are of the one year that follows the last.
 */
export const rows: Guard = ({ rows: { before, after }, dimensions, totals }, { comparison, limits }) => {
  const years = dimensions.find(({ dimension }) => dimension === 'year')?.appeared ?? [];
  const inNewYears = years.reduce((sum, year) => sum + year.rows, 0);
  const share = (after - before) / before;
  const severity =
    severityOf((after - inNewYears - before) / before, limits.rows) ??
    (severityOf(share, limits.rows) === null || isNextYear(years, totals) ? null : 'warn');
  if (severity === null) return [];
  const numbers = `${counted(after, 'row')} where ${comparison.before.id} has ${count(before)} (${change(share)})`;
  const fresh = `, ${count(inNewYears)} of them in new years (${spans(years.map(({ value }) => Number(value)))})`;
  return [
    {
      severity,
      message: `${numbers}${inNewYears === 0 ? '' : fresh}; ${percent(limits.rows[severity])} or more is suspicious`,
    },
  ];
};

function isNextYear(appeared: readonly DimensionValue[], totals: readonly Total[]): boolean {
  const [first] = appeared;
  const known = totals.flatMap(({ year, before }) => (before === null ? [] : [year]));
  return appeared.length === 1 && (known.length === 0 || first?.value === Math.max(...known) + 1);
}
