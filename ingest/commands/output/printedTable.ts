// Prints one table of an inspected file for people.

import { cut, table } from '../../../src/terminal/table.ts';
import { wrapped } from '../../../src/terminal/wrap.ts';
import { printable } from '../../../src/text/printable.ts';
import { count, counted } from '../../messages/numbers.ts';
import type { TableInspection } from '../inspect.ts';

/**
 * The text of a table: its header, its columns and its first rows.
 *
 * @param width The width of the terminal in characters. Longer lines of the preview are cut and end in `…`.
 */
export function printedTable(inspected: TableInspection, width?: number): string {
  const { sheet, hidden, rows, rowsBelow, faults, columns, preview } = inspected;
  const name = sheet === null ? 'table' : `sheet "${printable(sheet)}"`;
  const below = rowsBelow < rows ? `, ${count(rowsBelow)} of them below the header` : '';
  const title = `${name}${hidden ? ' (hidden)' : ''}: ${counted(rows, 'row')}${below}`;
  const kinds = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .map(([kind, cells]) => `${count(cells)} ${kind}`)
      .join(', ');
  return [
    `${title}; ${headerText(inspected)}\n`,
    ...faults.map((fault) => wrapped(`! ${printable(fault)}`, '  ', '    ', width)),
    columns.length === 0
      ? ''
      : table(
          columns.map((c) => [c.column, printable(c.heading.slice(0, 40)), c.meaning ?? '–', kinds(c.kinds)]),
          { indent: '  ', numbersRight: true },
        ),
    ...preview.map(({ row, cells }) => {
      const line = `  ${String(row).padStart(6)} │ ${cells.map((cell) => printable(cell.slice(0, 24))).join(' │ ')}`;
      return `${width === undefined ? line : cut(line, width)}\n`;
    }),
  ].join('');
}

function headerText({ headerRow, dataset, layout }: TableInspection): string {
  if (headerRow === null) return 'no header found';
  const header = headerRow === 0 ? 'named columns' : `header in row ${headerRow}`;
  return dataset === null ? `${header}, of no dataset` : `${header}: ${dataset}, ${layout} form`;
}
