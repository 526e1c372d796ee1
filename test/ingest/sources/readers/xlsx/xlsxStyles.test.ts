// The style sheet of a workbook decides what its cells show.

import { expect, it } from '@jest/globals';
import { wholeFile } from '../../../../../ingest/messages/place.ts';
import { PALE } from '../../../../../ingest/sources/readers/cellLooks.ts';
import { readCellStyles } from '../../../../../ingest/sources/readers/xlsx/xlsxStyles.ts';

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

it('a text is pale in the colour of its own cell: that of the paper, of a solid fill, and of no pattern', async () => {
  const fonts = ['FFFFFFFF', 'FF00B050', 'FF000000'];
  const fills = [
    '<patternFill patternType="none"/>',
    // Programs write the colour behind a pattern even if the pattern covers it.
    '<patternFill patternType="solid"><fgColor rgb="FF00B050"/><bgColor rgb="FFFFFFFF"/></patternFill>',
    '<patternFill patternType="gray125"><fgColor rgb="FF00B050"/><bgColor rgb="FF00B050"/></patternFill>',
  ];
  const cells = fonts.flatMap((_, font) =>
    fills.map((__, fill) => `<xf fontId="${font}" fillId="${fill}"/>`),
  );
  async function* sheet() {
    yield Buffer.from(
      `<styleSheet><fonts>${fonts.map((rgb) => `<font><color rgb="${rgb}"/></font>`).join('')}</fonts>` +
        `<fills>${fills.map((fill) => `<fill>${fill}</fill>`).join('')}</fills>` +
        `<cellXfs count="${cells.length}">${cells.join('')}</cellXfs></styleSheet>`,
    );
  }
  const { looks } = await readCellStyles(sheet(), wholeFile('ggr.xlsx'));
  expect([...(looks ?? [])].map((look) => look === PALE)).toEqual([
    ...[true, false, false],
    ...[false, true, false],
    ...[false, false, false],
  ]);
});
