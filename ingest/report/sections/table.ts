// A table of a report: it scrolls by itself where a screen is too narrow, by keyboard too.

import { Html, html, type Piece } from '../../../src/html.ts';
import { unbroken } from './unbroken.ts';

export interface Table {
  /** What it is a table of; also the name of its CSV file. */
  readonly label: string;
  readonly columns: readonly Column[];
  /** A cell per column; the first names the row. */
  readonly rows: readonly (readonly Cell[])[];
  /** The ids of rows that links use; null for a row that no link names. */
  readonly rowIds?: readonly (string | null)[];
  /** Each cell holds its heading for narrow screens; in tables without, the page's script sets them. */
  readonly named?: boolean;
  /** Text below the table, such as how many more there are. */
  readonly more?: Piece;
}

/** What a cell shows. `value` is what the CSV holds instead, such as all digits of a shortened number. */
export type Cell = Piece | { readonly shown: Piece; readonly value: string | number | null };

export interface Column {
  /** Empty for a column of pictures, which the CSV leaves out. */
  readonly heading: string;
  readonly number?: boolean;
  /** Never breaks within a cell. */
  readonly keep?: boolean;
  /** On a narrow screen it has a line of its own. */
  readonly long?: boolean;
}

export function table({
  label,
  columns,
  rows,
  rowIds = [],
  named: isNamed = false,
  more = null,
}: Table): Html {
  const classes = columns.map(({ number, keep, long }) =>
    classOf([number ? 'n' : keep && 'keep', long && 'long'].filter(Boolean).join(' ')),
  );
  // On a narrow screen each cell is below its heading.
  const named = columns.map(({ heading }) =>
    heading === '' || !isNamed ? null : html` data-h="${heading}"`,
  );
  const cellOf = (cell: Cell, i: number) => {
    const { shown, value } = isValued(cell) ? cell : { shown: cell, value: undefined };
    const data = value === undefined ? null : html` data-v="${value ?? ''}"`;
    const piece = typeof shown === 'string' && classes[i] === null ? unbroken(shown) : shown;
    return i === 0
      ? html`<th scope="row"${classes[i] ?? null}${data}>${piece}</th>`
      : html`<td${classes[i] ?? null}${data}${named[i] ?? null}>${piece}</td>`;
  };
  return html`<div class="wide" role="group" tabindex="0" aria-label="${label}">
<table>
<thead><tr>${columns.map(({ heading }, i) => (heading === '' ? html`<td></td>` : html`<th scope="col"${classes[i] ?? null}>${heading}</th>`))}</tr></thead>
<tbody>
${rows.map((cells, i) => html`<tr${idOf(rowIds[i] ?? null)}>${cells.map(cellOf)}</tr>\n`)}</tbody>
</table>
</div>
${more === null ? null : html`<p class="small soft">${typeof more === 'string' ? unbroken(more) : more}</p>`}`;
}

const isValued = (cell: Cell): cell is Exclude<Cell, Piece> =>
  typeof cell === 'object' && cell !== null && !(cell instanceof Html) && 'shown' in cell;

const classOf = (name: string): Html | null => (name === '' ? null : html` class="${name}"`);

const idOf = (id: string | null): Html | null => (id === null ? null : html` id="${id}" tabindex="-1"`);
