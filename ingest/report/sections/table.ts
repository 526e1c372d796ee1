// A table of a report: it scrolls by itself where a screen is too narrow, by keyboard too.

import { type Html, html, type Piece } from '../../../src/html.ts';

export interface Table {
  /** What it is a table of. */
  readonly label: string;
  readonly columns: readonly Column[];
  /** A cell per column; the first names the row. */
  readonly rows: readonly (readonly Piece[])[];
  /** Said below it, such as how many more there are. */
  readonly more?: Piece;
}

export interface Column {
  readonly heading: string;
  readonly number?: boolean;
  /** Never breaks within a cell. */
  readonly keep?: boolean;
  /** On a narrow screen it has a line of its own. */
  readonly long?: boolean;
}

export function table({ label, columns, rows, more = null }: Table): Html {
  const classes = columns.map(({ number, keep, long }) =>
    classOf([number && 'n', (number || keep) && 'keep', long && 'long'].filter(Boolean).join(' ')),
  );
  // On a narrow screen each cell stands below its heading.
  const named = columns.map(({ heading }) => (heading === '' ? null : html` data-h="${heading}"`));
  const cellOf = (cell: Piece, i: number) =>
    i === 0
      ? html`<th scope="row"${classes[i] ?? null}>${cell}</th>`
      : html`<td${classes[i] ?? null}${named[i] ?? null}>${cell}</td>`;
  return html`<div class="wide" role="group" tabindex="0" aria-label="${label}">
<table>
<thead><tr>${columns.map(({ heading }, i) => (heading === '' ? html`<td></td>` : html`<th scope="col"${classes[i] ?? null}>${heading}</th>`))}</tr></thead>
<tbody>
${rows.map((cells) => html`<tr>${cells.map(cellOf)}</tr>\n`)}</tbody>
</table>
</div>
${more === null ? null : html`<p class="small soft">${more}</p>`}`;
}

const classOf = (name: string): Html | null => (name === '' ? null : html` class="${name}"`);
