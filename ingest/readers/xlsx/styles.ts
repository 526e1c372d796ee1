// Tells which cell styles show a number as a date.

import { walkXml } from './xml.ts';

/**
 * For each cell style, by its index, whether its number format is one of dates or times.
 *
 * A workbook stores a date as a plain number: the format alone makes it one.
 */
export async function readDateStyles(pieces: AsyncIterable<Buffer>, place: string): Promise<boolean[]> {
  const formats = new Map<number, string>();
  const formatIds: number[] = [];
  // Both elements also occur elsewhere: in differential styles and in the styles that cells inherit from.
  let parent = '';
  await walkXml(pieces, 'styleSheet', place, {
    open(name, attributes) {
      if (name === 'numFmts' || name === 'cellXfs') parent = name;
      if (name === 'numFmt' && parent === 'numFmts') {
        formats.set(Number(attributes.get('numFmtId')), attributes.get('formatCode') ?? '');
      }
      if (name === 'xf' && parent === 'cellXfs') formatIds.push(Number(attributes.get('numFmtId') ?? 0));
    },
    text() {},
    close(name) {
      if (name === parent) parent = '';
    },
  });
  return formatIds.map((id) => {
    const code = formats.get(id);
    return code === undefined ? isBuiltInDate(id) : isDateFormat(code);
  });
}

/** Formats every spreadsheet program knows by number (ECMA-376 part 1, §18.8.30), those of East Asia included. */
const BUILT_IN_DATES: readonly (readonly [first: number, last: number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
];

const isBuiltInDate = (id: number) => BUILT_IN_DATES.some(([first, last]) => id >= first && id <= last);

/** Whether a number format shows a date or time: a day, month, year, hour or second that is not mere text. */
export function isDateFormat(code: string): boolean {
  const plain = code.replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '');
  return /[dmyhs]/i.test(plain) && !/^general$/i.test(plain);
}
