// Makes .ods workbooks from handwritten XML, like those of LibreOffice.

import type { CellInput } from '../../ingest/workbook/sheets.ts';
import { type PartInput, zipOf } from './handmadeZip.ts';

const NAMESPACES = ['office', 'table', 'text', 'style', 'number']
  .map((name) => {
    const last = name === 'number' ? 'datastyle' : name;
    return `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${last}:1.0"`;
  })
  .concat('xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"')
  .join(' ');

/** A workbook whose sheets and automatic styles are written as XML. */
export function odsOf(sheets: string, styles = '', parts: readonly PartInput[] = []): Buffer {
  const content =
    `<?xml version="1.0" encoding="UTF-8"?>\n<office:document-content ${NAMESPACES} office:version="1.3">` +
    `<office:scripts/><office:automatic-styles>${styles}</office:automatic-styles>` +
    `<office:body><office:spreadsheet>${sheets}</office:spreadsheet></office:body></office:document-content>`;
  return zipOf([
    { name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet', stored: true },
    { name: 'content.xml', content },
    ...parts,
  ]);
}

/** A workbook with one sheet named Data that holds these rows as XML. */
export const odsRows = (rows: string, styles = ''): Buffer =>
  odsOf(`<table:table table:name="Data">${rows}</table:table>`, styles);

export const odsRow = (...cells: string[]): string => `<table:table-row>${cells.join('')}</table:table-row>`;

export const odsText = (text: string): string =>
  `<table:table-cell office:value-type="string" calcext:value-type="string"><text:p>${text}</text:p></table:table-cell>`;

export const odsNumber = (value: number | string): string =>
  `<table:table-cell office:value-type="float" office:value="${value}" calcext:value-type="float"><text:p>${value}</text:p></table:table-cell>`;

/** A row of numbers, texts and empty cells. */
export const odsCells = (...values: readonly CellInput[]): string => odsRow(...values.map(odsCell));

export const odsCell = (value: CellInput): string => {
  if (value === null) return '<table:table-cell/>';
  return typeof value === 'number' ? odsNumber(value) : odsText(String(value));
};
