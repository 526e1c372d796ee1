// What was read: files with their checksums, the sheets in them, and how many rows each gave.

import { type Html, html } from '../html.ts';
import type { FileRead, Report } from '../types.ts';
import { count, counted, size } from '../words.ts';
import { table } from './table.ts';

export function read({ read: { files, recipe } }: Report): Html {
  const rest = files.count - files.shown.length;
  return html`<p>${counted(files.count, 'file')}${recipe === null ? '' : `, through the recipe ${recipe.name}`}.</p>
${table({
  label: 'Files read',
  columns: [
    { heading: 'file' },
    { heading: 'size', number: true },
    { heading: 'sheets and rows' },
    { heading: 'SHA-256' },
  ],
  rows: files.shown.map((file) => [
    file.file,
    size(file.bytes),
    tables(file),
    html`<span class="hash">${file.sha256}</span>`,
  ]),
  ...(rest > 0 && { more: `${counted(rest, 'more file')}, all in manifest.json` }),
})}
${
  recipe === null
    ? null
    : html`<h3>Recipe ${recipe.name}</h3>
<p class="small">SHA-256 <span class="hash">${recipe.sha256}</span></p>
${table({
  label: 'Files of the recipe',
  columns: [{ heading: 'file' }, { heading: 'size', number: true }, { heading: 'SHA-256' }],
  rows: recipe.files.map((file) => [
    file.file,
    size(file.bytes),
    html`<span class="hash">${file.sha256}</span>`,
  ]),
})}`
}`;
}

const tables = ({ tables: all }: FileRead): Html =>
  html`${all.map(({ sheet, dataset, rows, facts }) => html`<div>${sheet === null ? null : html`${sheet}: `}${counted(rows, 'row')}${dataset === null ? null : ` → ${facts === rows ? '' : `${count(facts)} values of `}${dataset}`}</div>`)}`;
