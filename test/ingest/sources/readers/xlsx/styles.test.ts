// Reads what the styles of a workbook show, from its style sheet alone.

import { expect, it } from '@jest/globals';
import { wholeFile } from '../../../../../ingest/messages/place.ts';
import { readCellStyles } from '../../../../../ingest/sources/readers/xlsx/styles.ts';

it('the formats that are built into spreadsheet programs show dates and percentages as ECMA-376 lists them', async () => {
  const ids = Array.from({ length: 60 }, (_, id) => id);
  const styles = ids.map((id) => `<xf numFmtId="${id}"/>`).join('');
  async function* sheet() {
    yield Buffer.from(`<styleSheet><cellXfs count="${ids.length}">${styles}</cellXfs></styleSheet>`);
  }
  const { kinds } = await readCellStyles(sheet(), wholeFile('ggr.xlsx'));
  const shown = (kind: string) => ids.filter((id) => kinds[id]?.kind === kind);
  expect(shown('percent')).toEqual([9, 10]);
  expect(shown('date')).toEqual([
    ...[14, 15, 16, 17, 18, 19, 20, 21, 22],
    ...[27, 28, 29, 30, 31, 32, 33, 34, 35, 36],
    ...[45, 46, 47],
    ...[50, 51, 52, 53, 54, 55, 56, 57, 58],
  ]);
});
