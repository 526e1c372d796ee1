// Makes the tables of a report. A table that is wider than the screen can be scrolled, also with the keyboard.

import { Html, type HtmlContent, html } from '../../../src/text/html.ts';
import { withNonBreakingNumbers } from './nonBreakingNumbers.ts';

export interface SectionTable {
  /** What the table shows. It is also the name of its CSV file. */
  readonly label: string;
  readonly columns: readonly SectionColumn[];
  /** The rows, with a cell for each column. The first cell names the row. */
  readonly rows: readonly (readonly SectionCell[])[];
  /** The id of each row, for links; null for a row to which nothing links. */
  readonly rowIds?: readonly (string | null)[];
  /** Whether each cell has its heading as an attribute, for narrow screens. Otherwise the script of the page adds it. */
  readonly named?: boolean;
  /** The text below the table, such as how many rows it leaves out. */
  readonly more?: HtmlContent;
}

/**
 * A cell. `value` is its content in the CSV file when that differs from the page, such as the digits of a rounded number.
 */
export type SectionCell =
  | HtmlContent
  | { readonly shown: HtmlContent; readonly value: string | number | null };

export interface SectionColumn {
  /** The heading; empty for a column of pictures. The CSV file leaves out a column without a heading. */
  readonly heading: string;
  readonly number?: boolean;
  /** Whether each cell of the column stays on one line. */
  readonly keep?: boolean;
  /** Whether the cells of the column take the full width of a narrow screen. */
  readonly long?: boolean;
}

/** A table as HTML. Text is escaped by the template. */
export function tableHtml({
  label,
  columns,
  rows,
  rowIds = [],
  named: isNamed = false,
  more = null,
}: SectionTable): Html {
  const classes = columns.map(({ number, keep, long }) =>
    classOf([number ? 'n' : keep && 'keep', long && 'long'].filter(Boolean).join(' ')),
  );
  // On a narrow screen, each cell is shown below its heading.
  const named = columns.map(({ heading }) =>
    heading === '' || !isNamed ? null : html` data-h="${heading}"`,
  );
  const cellOf = (cell: SectionCell, i: number) => {
    const { shown, value } = isValued(cell) ? cell : { shown: cell, value: undefined };
    const data = value === undefined ? null : html` data-v="${value ?? ''}"`;
    const piece = typeof shown === 'string' && classes[i] === null ? withNonBreakingNumbers(shown) : shown;
    return i === 0
      ? html`<th scope="row"${classes[i] ?? null}${data}>${piece}</th>`
      : html`<td${classes[i] ?? null}${data}${named[i] ?? null}>${piece}</td>`;
  };
  return html`<div class="wide" role="group" tabindex="0" aria-label="${label}">
<table aria-label="${label}">
<thead><tr>${columns.map(({ heading }, i) => (heading === '' ? html`<td></td>` : html`<th scope="col"${classes[i] ?? null}>${heading}</th>`))}</tr></thead>
<tbody>
${rows.map((cells, i) => html`<tr${idOf(rowIds[i] ?? null)}>${cells.map(cellOf)}</tr>\n`)}</tbody>
</table>
</div>
${more === null ? null : html`<p class="small soft">${typeof more === 'string' ? withNonBreakingNumbers(more) : more}</p>`}`;
}

const isValued = (cell: SectionCell): cell is Exclude<SectionCell, HtmlContent> =>
  typeof cell === 'object' && cell !== null && !(cell instanceof Html) && 'shown' in cell;

const classOf = (name: string): Html | null => (name === '' ? null : html` class="${name}"`);

const idOf = (id: string | null): Html | null => (id === null ? null : html` id="${id}" tabindex="-1"`);
