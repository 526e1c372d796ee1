// Reads the table object of a worksheet: the range that Excel formats, filters and extends as one table.

import { wholePart } from '../../../messages/place.ts';
import type { TableObject } from '../raw.ts';
import { walkXml } from '../xml/xml.ts';
import type { Zip, ZipPart } from '../zip/zip.ts';
import { readRelationships, smallEnough } from './package.ts';
import { cellRange } from './reference.ts';

/** The only table object of a sheet; null when it has none, several, or one without a header. */
export async function readTableObject(zip: Zip, file: string, sheet: ZipPart): Promise<TableObject | null> {
  const related = [...(await readRelationships(zip, file, sheet.name)).values()];
  const tables = related.filter(({ type }) => type === 'table');
  const part = tables.length === 1 ? zip.find(tables[0]?.target ?? '') : undefined;
  if (!part) return null;
  let found: TableObject | null = null;
  let depth = 0;
  await walkXml(zip.read(smallEnough(part, file)), 'table', wholePart(file, part.name), {
    open(_, attributes) {
      depth += 1;
      if (depth > 1) return;
      const range = cellRange(attributes.get('ref') ?? '');
      const headerRows = Number(attributes.get('headerRowCount') ?? 1);
      const totalsRows = Number(attributes.get('totalsRowCount') ?? 0);
      const name = attributes.get('displayName') ?? attributes.get('name') ?? '';
      if (range !== null && headerRows === 1) found = { name, range, totalsRows };
    },
    text() {},
    close() {
      depth -= 1;
    },
  });
  return found;
}
