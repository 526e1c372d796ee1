// Reports the units that a table states outside its cells of figures: in names, titles, headings and asides.

import { type Origin, placeOfCell, placeOfRow, wholeTable } from '../../messages/place.ts';
import type { Problems } from '../../messages/problems.ts';
import type { Header } from '../../sources/header/headerTypes.ts';
import type { Aside } from '../../sources/readers/asides.ts';
import { textIn } from '../../sources/readers/footnotes.ts';
import type { RawRow } from '../../sources/readers/rawFile.ts';
import { asideFault, headingFault, nameFault, titleFault } from '../numbers/unitFaults.ts';
import type { TableContext } from '../tableContext.ts';

/**
 * Reports the units that a name, a title or the headings of the table state, unless `--scale` fits them. It reports at most
 * one unit of each metric, and ends at the first error about a unit of all figures.
 */
export function reportUnitsAbove(
  first: readonly RawRow[],
  table: TableContext,
  origin: Origin,
  problems: Problems,
): void {
  const { header } = table.mapping;
  for (const name of [origin.sheet ?? '', table.file.replace(/\.\w+$/, '')]) {
    const fault = nameFault(name, table);
    if (fault === null) continue;
    problems.add(fault.severity, wholeTable(origin), fault.fault);
    if (fault.severity === 'error') return;
  }
  const reported = new Set<string>();
  for (const row of first.filter(({ row }) => row <= header.row)) {
    for (const [index, cell] of row.cells.entries()) {
      const text = typeof cell === 'number' ? cell : textIn(cell);
      if (text === null) continue;
      const column = header.columns[index];
      const metric = metricOf(column);
      if (metric !== null && reported.has(metric)) continue;
      const left = row.cells[index - 1];
      const beside = {
        label: typeof left === 'string' ? left : '',
        isAboveFigures: row.row < header.row && isOfFigures(column),
      };
      const fault = titleFault(text, beside, table, metric) ?? headingFault(`${text}`, table, metric);
      if (fault === null) continue;
      const place = row.row > 0 ? placeOfCell(origin, row.row, `${index + 1}`, index) : wholeTable(origin);
      problems.add('error', place, fault);
      if (metric === null) return;
      reported.add(metric);
    }
  }
}

/**
 * Reports units in texts that are not in cells, such as comments and print headers, unless `--scale` fits them. Such a unit
 * is an error, as in a title. It is only a warning if the text may be about other figures: a comment below the header is
 * about its cell, and `MAYBE_OF_OTHERS` has further kinds. A conditional format counts only on a column of figures.
 */
export function reportUnitsBeside(
  asides: readonly Aside[],
  table: TableContext,
  origin: Origin,
  problems: Problems,
): void {
  const { header } = table.mapping;
  for (const aside of asides) {
    const [row = 0, firstColumn = -1] = aside.cell ?? [];
    const index = header.columns.findIndex(
      (column, i) => i >= firstColumn && i <= (aside.lastColumn ?? firstColumn) && isOfFigures(column),
    );
    if (aside.what.startsWith('conditional') && index < 0) continue;
    const fault = asideFault(aside, table, metricOf(header.columns[index]));
    const place =
      aside.cell === undefined || row === 0
        ? wholeTable(origin)
        : placeOfRow(origin, row, index < 0 ? firstColumn : index);
    const isDoubtful = MAYBE_OF_OTHERS.has(aside.what) || (aside.what === 'comment' && row > header.row);
    if (fault !== null) problems.add(isDoubtful ? 'warning' : 'error', place, fault);
  }
}

/** Kinds of asides that may be about other figures than those of the table. A property may stem from another document. */
const MAYBE_OF_OTHERS: ReadonlySet<Aside['what']> = new Set([
  'chart title',
  'conditional number format',
  'defined name',
  'document property',
]);

/** Whether a column holds figures: the values of a metric, or those of a year. */
const isOfFigures = (column: Header['columns'][number]): boolean =>
  column?.kind === 'metric' || column?.kind === 'year';

/** The metric that the heading of a column names; null if it names none. */
function metricOf(column: Header['columns'][number]): string | null {
  if (column?.kind === 'metric') return column.name;
  return column?.kind === 'year' ? column.metric : null;
}
