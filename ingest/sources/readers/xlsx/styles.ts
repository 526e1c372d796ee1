// Reads what each cell style shows of a value: a date, a year, percent, a currency, a struck out number, or nothing.

import type { Place } from '../../../messages/place.ts';
import { STRUCK, UNSEEN, WORDED } from '../looks.ts';
import { countIn } from '../xml/attributes.ts';
import { damagedXml } from '../xml/damage.ts';
import { walkXml } from '../xml/xml.ts';
import {
  currencyInFormat,
  type FormatUnit,
  kindOfFormat,
  type NumberKind,
  showsNothing,
  showsTextOnly,
  unitInFormat,
} from './numberFormat.ts';

/** The cell styles of a workbook; a cell names its style by index. */
export interface CellStyles {
  /** For each style of conditional formats, the unit that makes it show another value; null for none. */
  readonly conditionalUnits: readonly (FormatUnit | null)[];
  /** What the number format of each style shows. */
  readonly kinds: readonly NumberKind[];
  /** By style: the sum of STRUCK, UNSEEN and WORDED that apply (`looks.ts`); null when none applies to any style. */
  readonly looks: Uint8Array | null;
  /** The currency that each style shows beside a number; null when none shows one. */
  readonly currencies: readonly (string | null)[] | null;
}

/** A workbook without styles. */
export const NO_STYLES: CellStyles = {
  kinds: [],
  looks: null,
  currencies: null,
  conditionalUnits: [],
};

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
  const conditionalUnits: (FormatUnit | null)[] = [];
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
      if (depth === 4 && parent === 'dxfs' && name === 'numFmt')
        conditionalUnits[conditionalUnits.length - 1] = unitInFormat(attributes.get('formatCode') ?? '');
      if (depth !== 3) return;
      if (name === 'dxf' && parent === 'dxfs') conditionalUnits.push(null);
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
  const formatLooks = new Map(
    [...formats].map(([id, code]) => [id, showsNothing(code) ? UNSEEN : showsTextOnly(code) ? WORDED : 0]),
  );
  const looks = formatIds.map(
    (id, style) => (fonts[fontIds[style] ?? 0] === true ? STRUCK : 0) | (formatLooks.get(id) ?? 0),
  );
  const shown = new Map([...formats].map(([id, code]) => [id, currencyInFormat(code)]));
  const currencies = formatIds.map((id) => shown.get(id) ?? null);
  return {
    conditionalUnits,
    kinds,
    looks: looks.some((look) => look !== 0) ? Uint8Array.from(looks) : null,
    currencies: currencies.some((currency) => currency !== null) ? currencies : null,
  };
}

/** Formats with lower ids are built into spreadsheet programs; a workbook defines those from here on. */
const FIRST_OWN = 164;

const misplaced = (name: string, place: Place) => damagedXml(place, `<${name}> has no place where it stands`);

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
