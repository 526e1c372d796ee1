// Reads what each cell style shows of a value: a date, a year, percent, a currency, a struck out number, or nothing.

import { currencyIn } from '../../../messages/currencySigns.ts';
import type { Place } from '../../../messages/place.ts';
import { unitBeside } from '../../../messages/statedUnits.ts';
import { marksYear, NUMBER } from '../../yearForms.ts';
import { STRUCK, UNSEEN } from '../looks.ts';
import { countIn } from '../xml/attributes.ts';
import { damagedXml } from '../xml/damage.ts';
import { walkXml } from '../xml/xml.ts';

/** What a number format shows of a number. The kinds `divided` and `priced` are those of cells. */
export type NumberKind =
  /** A date or a time of day. */
  | 'date'
  /** The year of a date, and nothing else. */
  | 'year'
  | 'percent'
  /** A thousandth of the number or less. */
  | 'divided'
  /** The number itself. */
  | 'number'
  /** The number with a currency. */
  | 'priced'
  /** The number with this unit: `unit m`. */
  | `unit ${string}`
  /** The number with a text that makes a year another thing; NUMBER stands for the number. */
  | `shows ${string}`;

/** The cell styles of a workbook; a cell names its style by index. */
export interface CellStyles {
  /** What the number format of each style shows. */
  readonly kinds: readonly NumberKind[];
  /** For each style, whether it is STRUCK or UNSEEN; null when no style is. */
  readonly looks: Uint8Array | null;
  /** The currency that each style shows beside a number; null when none shows one. */
  readonly currencies: readonly (string | null)[] | null;
}

/** A workbook without styles. */
export const NO_STYLES: CellStyles = { kinds: [], looks: null, currencies: null };

/**
 * Reads the cell styles of a workbook.
 *
 * A workbook stores a date as a plain number, and 5 % as 0.05. Only the number format tells them apart.
 */
export async function readCellStyles(pieces: AsyncIterable<Buffer>, place: Place): Promise<CellStyles> {
  const formats = new Map<number, string>();
  const formatIds: number[] = [];
  const fontIds: number[] = [];
  /** Whether each font strikes its text out. */
  const fonts: boolean[] = [];
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
      if (depth === 4 && parent === 'fonts' && name === 'strike')
        fonts[fonts.length - 1] = !/^(0|false)$/.test(attributes.get('val') ?? '');
      if (depth !== 3) return;
      if (name === 'font' && parent === 'fonts') fonts.push(false);
      const [, expected] = LISTS.find(([list]) => list === parent) ?? [];
      if (expected !== undefined && name !== expected) throw misplaced(name, place);
      if (name === 'numFmt' && parent === 'numFmts') {
        const code = attributes.get('formatCode');
        if (code === undefined) throw damagedXml(place, 'a number format in it has no code');
        formats.set(idIn(attributes.get('numFmtId'), place), code);
      }
      if (name === 'xf' && parent === 'cellXfs') {
        formatIds.push(idIn(attributes.get('numFmtId') ?? '0', place));
        fontIds.push(Number(attributes.get('fontId') ?? 0));
      }
    },
    text() {},
    close() {
      depth -= 1;
    },
  });
  if (formatIds.length < declared) {
    throw damagedXml(place, `it declares ${declared} cell styles and holds ${formatIds.length}`);
  }
  const known = new Map([...formats].map(([id, code]) => [id, kindOfFormat(code)]));
  const kinds = formatIds.map((id) => {
    const kind = known.get(id) ?? (id < FIRST_OWN ? kindOfBuiltIn(id) : undefined);
    if (kind !== undefined) return kind;
    throw damagedXml(place, `a cell style in it has the number format ${id}, which it does not hold`);
  });
  const looks = formatIds.map(
    (id, style) =>
      (fonts[fontIds[style] ?? 0] === true ? STRUCK : 0) | (showsNothing(formats.get(id) ?? '') ? UNSEEN : 0),
  );
  const shown = new Map([...formats].map(([id, code]) => [id, currencyInFormat(code)]));
  const currencies = formatIds.map((id) => shown.get(id) ?? null);
  return {
    kinds,
    looks: looks.some((look) => look !== 0) ? Uint8Array.from(looks) : null,
    currencies: currencies.some((currency) => currency !== null) ? currencies : null,
  };
}

/** `;;;`: a number format whose sections for positive and negative numbers and zero are all empty. */
const showsNothing = (code: string): boolean =>
  code.includes(';') && code.split(';', 3).every((section) => /^(?:\s|""|\[[^\]]*\]|_.|\*.)*$/.test(section));

/** Formats with lower ids are built into spreadsheet programs; a workbook defines those from here on. */
const FIRST_OWN = 164;

const misplaced = (name: string, place: Place) => damagedXml(place, `<${name}> has no place where it stands`);

function kindOfFormat(code: string): NumberKind {
  if (isYearFormat(code)) return 'year';
  if (isDateFormat(code)) return 'date';
  if (isPercentFormat(code)) return 'percent';
  if (dividesNumber(code)) return 'divided';
  const unit = unitInFormat(code);
  if (unit !== null) return `unit ${unit}`;
  const form = formShown(code);
  if (marksYear(form)) return `shows ${form}`;
  return currencyInFormat(code) === null ? 'number' : 'priced';
}

/** What a number format shows of a positive number, which NUMBER stands for. */
const formShown = (code: string): string =>
  code.replace(
    /;.*|"([^"]*)"|\\(.)|\[[^\][]*\]|[_*].|general|[0#?]+/gis,
    (part, quoted?: string, escaped?: string) => quoted ?? escaped ?? (/^[g0#?]/i.test(part) ? NUMBER : ''),
  );

/**
 * The unit that a number format writes beside a number which it does not divide: `#,##0" m"` shows 404 as `404 m`.
 * `0.0,,"m"` divides by a million first, so what it shows is true.
 */
export function unitInFormat(code: string): string | null {
  if (dividesNumber(code)) return null;
  const texts = [...code.matchAll(/(?:"[^"]*"|\\.|\[\$[^\][]*\])+/g)].map(([literals]) =>
    shownText(literals),
  );
  return texts.find((text) => unitBeside(text) !== null) ?? null;
}

/** The sign or code of the currency that a number format shows beside a positive number; null for none. */
export const currencyInFormat = (code: string): string | null =>
  currencyIn(
    code.replace(
      /;.*|"([^"]*)"|\\(.)|\[\$([^\][-]*)[^\][]*\]|\[[^\][]*\]|[_*]./gs,
      (_, quoted = '', escaped = '', sign = '') => [quoted, escaped, sign].join(''),
    ),
  );

/** Whether a comma behind the digits of a number format divides the number by a thousand. */
const dividesNumber = (code: string): boolean => /[0#?],+(?![0#?,])/.test(withoutText(code));

/** The text that consecutive literals of a number format show: `\ \m` and `" m"` are one, `[$€-407]` is a currency. */
const shownText = (literals: string): string =>
  literals
    .replace(/"([^"]*)"|\\(.)|\[\$([^\][-]*)[^\][]*\]/g, (_, quoted = '', escaped = '', sign = '') =>
      [quoted, escaped, sign].join(''),
    )
    .trim();

const kindOfBuiltIn = (id: number): NumberKind =>
  isBuiltInDate(id) ? 'date' : BUILT_IN_PERCENT.includes(id) ? 'percent' : 'number';

/** The lists that are read, and the only element that each may hold. */
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
