// The tables of the team's pages.

import { type Html, html } from '../../../html.ts';

export interface DataTable<Row> {
  readonly headings: readonly string[];
  /** Whether the texts of a row stay on a single line where they fit. */
  readonly isCompact?: boolean;
  readonly rows: readonly Row[];
  /** The `<td role="cell">` elements of a row, each labelled for narrow screens with `data-label`. */
  readonly cells: (row: Row) => Html;
}

/** The roles are explicit: on narrow screens a row is shown as a card, and browsers then drop the roles of a table. */
export const dataTable = <Row>({ headings, rows, cells, isCompact = false }: DataTable<Row>): Html => html`
<div class="card table-card">
<table role="table"${isCompact && html` class="compact"`}>
<thead role="rowgroup"><tr role="row">${headings.map((heading) => html`<th role="columnheader" scope="col">${heading}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map(
  (row) => html`
<tr role="row">${cells(row)}</tr>`,
)}
</tbody>
</table>
</div>`;
