// Tells which cell styles show a number as a date, a year or percent.

import type { Place } from '../../../messages/place.ts';
import { countIn } from '../xml/attributes.ts';
import { damagedXml } from '../xml/damage.ts';
import { walkXml } from '../xml/xml.ts';

/** What a number format shows of a number: a date or time, the year of a date, percent, the number itself or with a unit. */
export type NumberKind = 'date' | 'year' | 'percent' | 'number' | `unit ${string}`;

/**
 * For each cell style, by its index, what its number format shows.
 *
 * A workbook stores a date as a plain number, and 5 % as 0.05. Only the number format tells them apart.
 */
export async function readNumberKinds(pieces: AsyncIterable<Buffer>, place: Place): Promise<NumberKind[]> {
  const formats = new Map<number, string>();
  const formatIds: number[] = [];
  // Elements of the same names stand in differential styles and in the styles that cells inherit from: those do not count.
  let parent = '';
  let depth = 0;
  let declared = 0;
  const lists = new Set(LISTS.map(([list]) => list));
  await walkXml(pieces, 'styleSheet', place, {
    open(name, attributes) {
      depth += 1;
      const isList = LISTS.some(([list]) => list === name);
      if (isList && (depth !== 2 || !lists.delete(name))) throw misplaced(name, place);
      if (depth === 2) parent = name;
      if (name === 'cellXfs') declared = countIn(attributes.get('count'));
      if (depth !== 3) return;
      const [, expected] = LISTS.find(([list]) => list === parent) ?? [];
      if (expected !== undefined && name !== expected) throw misplaced(name, place);
      if (name === 'numFmt' && parent === 'numFmts') {
        const code = attributes.get('formatCode');
        if (code === undefined) throw damagedXml(place, 'a number format in it has no code');
        formats.set(idIn(attributes.get('numFmtId'), place), code);
      }
      if (name === 'xf' && parent === 'cellXfs')
        formatIds.push(idIn(attributes.get('numFmtId') ?? '0', place));
    },
    text() {},
    close() {
      depth -= 1;
    },
  });
  if (formatIds.length < declared) {
    throw damagedXml(place, `it declares ${declared} cell styles and holds ${formatIds.length}`);
  }
  const kinds = new Map([...formats].map(([id, code]) => [id, kindOfFormat(code)]));
  return formatIds.map((id) => {
    const kind = kinds.get(id) ?? (id < FIRST_OWN ? kindOfBuiltIn(id) : undefined);
    if (kind !== undefined) return kind;
    throw damagedXml(place, `a cell style in it has the number format ${id}, which it does not hold`);
  });
}

/** Formats with lower ids are built into spreadsheet programs; a workbook defines those from here on. */
const FIRST_OWN = 164;

const misplaced = (name: string, place: Place) => damagedXml(place, `<${name}> has no place where it stands`);

function kindOfFormat(code: string): NumberKind {
  if (isYearFormat(code)) return 'year';
  if (isDateFormat(code)) return 'date';
  if (isPercentFormat(code)) return 'percent';
  const unit = unitInFormat(code);
  return unit === null ? 'number' : `unit ${unit}`;
}

/**
 * The unit that a number format writes beside a number which it does not divide: `#,##0" m"` shows 404 as `404 m`.
 * `0.0,,"m"` divides by a million first, so what it shows is true.
 */
export function unitInFormat(code: string): string | null {
  if (/[0#?],+(?![0#?,])/.test(withoutText(code))) return null;
  const texts = [...code.matchAll(/"([^"]*)"|\\(.)/g)].map(([, quoted, escaped]) => quoted ?? escaped ?? '');
  return texts.map((text) => text.trim()).find((text) => UNIT.test(text)) ?? null;
}

const UNIT =
  /^(?:[$€£]\s*)?(?:k|m|mn|mm|mio\.?|bn|mrd\.?|tsd\.?|thousands?|millions?|billions?)(?:\s*[$€£])?$/i;

const kindOfBuiltIn = (id: number): NumberKind =>
  isBuiltInDate(id) ? 'date' : BUILT_IN_PERCENT.includes(id) ? 'percent' : 'number';

const LISTS: readonly (readonly [list: string, item: string])[] = [
  ['numFmts', 'numFmt'],
  ['cellXfs', 'xf'],
];

function idIn(text = '', place: Place): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw damagedXml(place, `a number format in it has the id "${text.slice(0, 20)}"`);
}

/** Formats every spreadsheet program knows by number (ECMA-376 part 1, §18.8.30), those of East Asia included. */
const BUILT_IN_DATES: readonly (readonly [first: number, last: number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
];

const isBuiltInDate = (id: number) => BUILT_IN_DATES.some(([first, last]) => id >= first && id <= last);

/** `0%` and `0.00%`. */
const BUILT_IN_PERCENT: readonly number[] = [9, 10];

/** Whether a number format shows a date or time: a day, month, year, hour or second that is not mere text. */
export function isDateFormat(code: string): boolean {
  // An e is a year too, but not that of 1E+05.
  return /[dmyhs]|e(?![+-])/i.test(withoutText(code).replace(/general/gi, ''));
}

/** Whether a number format shows the four digits of a date's year and nothing else. */
export const isYearFormat = (code: string): boolean =>
  /^y{3,4}(;@)?$/i.test(code.replace(/\[\$[^\][]*\]/g, ''));

/** Whether a number format shows a hundred times the number, with a percent sign. */
export const isPercentFormat = (code: string): boolean => withoutText(code).includes('%');

/** A number format without quoted text, escaped and padding characters, colours and conditions. */
const withoutText = (code: string) => code.replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\][]*\]/gi, '');
