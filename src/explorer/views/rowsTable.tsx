// The rows of a dataset as a table, whose headings sort it.

import type { VNode } from 'preact';
import { valueLabel } from '../labels.ts';
import { exactText } from '../model/numberFormats.ts';
import type { Column, FlatRow, Sorting } from '../model/tableRows.ts';
import { TABLE } from '../texts/viewTexts.ts';
import { ScrollBox } from './scrollBox.tsx';

interface RowsTableProps {
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly FlatRow[];
  readonly sorting: Sorting | null;
  readonly onSort: (sorting: Sorting | null) => void;
  /** Makes a link to the page of a country; null when countries are not linked. */
  readonly linkOf: ((country: string) => VNode) | null;
}

/** The table. A click on a heading sorts by its column, then the other way round, then not at all. */
export function RowsTable({ title, columns, rows, sorting, onSort, linkOf }: RowsTableProps): VNode {
  // If there is only one column of values, it stays in view when the table is scrolled sideways. The year is not a
  // value.
  const values = columns.filter(({ name, isNumber }) => isNumber && name !== 'year');
  const name = `${values.length === 1 ? 'pins-value' : ''} ${columns.length > 6 ? 'is-wide' : ''}`;
  return (
    <ScrollBox label={TABLE.rows}>
      <table aria-label={title} class={name.trim()}>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeadCell key={column.name} column={column} sorting={sorting} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {columns.map((column) => (
                <Cell column={column} value={row[column.name] ?? null} linkOf={linkOf} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

interface HeadCellProps extends Pick<RowsTableProps, 'sorting' | 'onSort'> {
  readonly column: Column;
}

function HeadCell({ column, sorting, onSort }: HeadCellProps): VNode {
  const isSorted = sorting?.column === column.name;
  const next: Sorting | null = !isSorted
    ? { column: column.name, isDescending: column.isNumber }
    : sorting.isDescending === column.isNumber
      ? { column: column.name, isDescending: !column.isNumber }
      : null;
  const order = isSorted ? (sorting.isDescending ? 'descending' : 'ascending') : 'none';
  return (
    <th scope="col" class={column.isNumber ? 'number' : ''} aria-sort={order}>
      <button type="button" onClick={() => onSort(next)}>
        {column.label}
        {column.unit !== null && (
          <>
            {' '}
            <span class="unit">{column.unit}</span>
          </>
        )}
        <span aria-hidden="true" class="arrow">
          {isSorted ? (sorting.isDescending ? ' ↓' : ' ↑') : ''}
        </span>
      </button>
    </th>
  );
}

interface CellProps extends Pick<RowsTableProps, 'linkOf'> {
  readonly column: Column;
  readonly value: string | number | null;
}

function Cell({ column, value, linkOf }: CellProps): VNode {
  if (linkOf !== null && column.name === 'country' && value !== null) return <td>{linkOf(String(value))}</td>;
  if (column.isNumber)
    return (
      <td class="number">
        {value === null ? '–' : column.name === 'year' ? value : exactText(Number(value))}
      </td>
    );
  return (
    <td>
      <bdi>{column.name === 'state' && value === '' ? '' : valueLabel(column.name, String(value ?? ''))}</bdi>
    </td>
  );
}
