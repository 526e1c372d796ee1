// The tables of the team's pages.

import { type Html, html } from '../../../text/html.ts';

export interface DataTable<Row> {
  /** The name of the table, for screen readers. */
  readonly label: string;
  readonly headings: readonly string[];
  /** Whether the texts of a row stay on one line if they fit. */
  readonly isCompact?: boolean;
  readonly rows: readonly Row[];
  /** The `<td role="cell">` elements of a row, each labelled for narrow screens with `data-label`. */
  readonly cells: (row: Row) => Html;
}

/**
 * A table. It states the ARIA roles of its elements, because the style shows a row as a card on narrow screens.
 * Browsers then no longer treat the elements as a table.
 */
export const dataTable = <Row>({
  label,
  headings,
  rows,
  cells,
  isCompact = false,
}: DataTable<Row>): Html => html`
<div class="card table-card">
<table role="table" aria-label="${label}"${isCompact && html` class="compact"`}>
<thead role="rowgroup"><tr role="row">${headings.map((heading) => html`<th role="columnheader" scope="col">${heading}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map(
  (row) => html`
<tr role="row">${cells(row)}</tr>`,
)}
</tbody>
</table>
</div>`;
