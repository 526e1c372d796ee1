// Shows the files that were read, with their checksums and the number of rows of each sheet.

import { type Html, html } from '../../../src/text/html.ts';
import { count, counted, size } from '../../messages/numbers.ts';
import type { FileRead, Report } from '../reportTypes.ts';
import { tableHtml } from './sectionTable.ts';

/** The part of the page about the files that were read. */
export function filesReadSection({ read: { files, recipe } }: Report): Html {
  const rest = files.count - files.shown.length;
  return html`<p>${counted(files.count, 'file')}${recipe === null ? '' : `, through the recipe ${recipe.name}`}.</p>
${filesTable('Files read', files.shown, rest === 0 ? null : `${counted(rest, 'more file')}, all in manifest.json`)}
${
  recipe === null
    ? null
    : html`<h4>Recipe ${recipe.name}</h4>
<p class="small">SHA-256 <span class="hash">${recipe.sha256}</span></p>
${filesTable('Files of the recipe', recipe.files, null)}`
}`;
}

const filesTable = (label: string, files: readonly FileRead[], more: string | null): Html =>
  tableHtml({
    label,
    columns: [
      { heading: 'file' },
      { heading: 'size', number: true },
      { heading: 'sheets and rows', long: true },
      { heading: 'SHA-256', long: true },
    ],
    rows: files.map((file) => [
      file.file,
      size(file.bytes),
      file.tables.map(tableRead),
      html`<span class="hash">${file.sha256}</span>`,
    ]),
    more,
  });

/** The text about a sheet: `Data: 12,929 rows of ggr`, or in wide form `GGR: 1,296 rows, 10,776 values of ggr`. */
function tableRead({ sheet, dataset, rows, facts }: FileRead['tables'][number]): Html {
  const values = facts === rows || dataset === null ? '' : `, ${count(facts)} values`;
  return html`<div>${sheet === null ? '' : `${sheet}: `}${counted(rows, 'row')}${values}${dataset === null ? '' : ` of ${dataset}`}</div>`;
}
