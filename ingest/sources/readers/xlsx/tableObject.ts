// Reads the table object of a worksheet: the range that Excel formats, filters and extends as one table.

import type { NamedTable } from '../formulas/names.ts';
import type { TableObject } from '../raw.ts';
import type { Zip, ZipPart } from '../zip/zip.ts';
import { readRelationships, type SheetParts, walkPart } from './package.ts';
import { cellRange } from './reference.ts';

/** The only table object of a sheet; null when it has none, several, or one without a header. */
export async function readTableObject(zip: Zip, sheet: ZipPart): Promise<TableObject | null> {
  const parts = await tableParts(zip, sheet);
  const table = parts.length === 1 && parts[0] ? await readTable(zip, parts[0]) : null;
  if (table === null || table.headerRows !== 1) return null;
  const { name, range, totalsRows } = table;
  return { name, range, totalsRows };
}

/** All table objects of a workbook, for the formulas that name them. */
export async function readNamedTables(
  zip: Zip,
  sheets: readonly SheetParts[],
): Promise<readonly NamedTable[]> {
  const found: NamedTable[] = [];
  for (const sheet of sheets)
    for (const part of await tableParts(zip, sheet.part)) {
      const table = await readTable(zip, part);
      if (table !== null) found.push({ ...table, sheet: sheet.name });
    }
  return found;
}

async function tableParts(zip: Zip, sheet: ZipPart): Promise<readonly (ZipPart | undefined)[]> {
  const related = [...(await readRelationships(zip, sheet.name)).values()];
  return related.filter(({ type }) => type === 'table').map(({ target }) => zip.find(target));
}

async function readTable(zip: Zip, part: ZipPart | undefined): Promise<Omit<NamedTable, 'sheet'> | null> {
  if (!part) return null;
  let found: Omit<NamedTable, 'sheet'> | null = null;
  const columns: string[] = [];
  await walkPart(zip, part, 'table', {
    open(element, attributes, depth) {
      if (element === 'tableColumn') columns.push(attributes.get('name') ?? '');
      if (depth > 1) return;
      const range = cellRange(attributes.get('ref') ?? '');
      const headerRows = Number(attributes.get('headerRowCount') ?? 1);
      const totalsRows = Number(attributes.get('totalsRowCount') ?? 0);
      const name = attributes.get('displayName') ?? attributes.get('name') ?? '';
      if (range !== null) found = { name, range, headerRows, totalsRows, columns };
    },
  });
  return found;
}
