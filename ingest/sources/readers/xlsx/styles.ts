// Reads what each cell style shows of a value: a date, a year, percent, a currency, a struck out or pale number, or nothing.

import type { Place } from '../../../messages/place.ts';
import { PALE, STRUCK } from '../looks.ts';
import { type Attributes, countIn } from '../xml/attributes.ts';
import { damagedXml } from '../xml/damage.ts';
import { walkXml } from '../xml/xml.ts';
import { BLACK, colourIn, WHITE, withPalette } from './colours.ts';
import { type ConditionalFormat, DifferentialStyle } from './differentialStyle.ts';
import { currencyInFormat, kindOfFormat, type NumberKind } from './numberFormat.ts';
import { ShownNumbers } from './shownNumbers.ts';

/** The cell styles of a workbook; a cell names its style by index. */
export interface CellStyles {
  /** What each style of conditional formats shows; null for one that shows figures as they are. */
  readonly conditional: readonly (ConditionalFormat | null)[];
  /** What the number format of each style shows. */
  readonly kinds: readonly NumberKind[];
  /** By style: the sum of STRUCK, PALE and BY_VALUE that apply; null when none applies to any style. */
  readonly looks: Uint8Array | null;
  /** The number format of each style, where it does not show every number as it is; null when all do. */
  readonly formats: readonly (ShownNumbers | null)[] | null;
  /** The currency that each style shows beside a number; null when none shows one. */
  readonly currencies: readonly (string | null)[] | null;
}

/** Marks a style whose number format changes how some values look, and leaves others. `looks.ts` has the other marks. */
export const BY_VALUE = 128;

/** A workbook without styles. */
export const NO_STYLES: CellStyles = {
  kinds: [],
  looks: null,
  formats: null,
  currencies: null,
  conditional: [],
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
  const fillIds: number[] = [];
  /** Whether each font strikes its text out, and its colour. */
  const fonts: { isStruck: boolean; colour: string | null }[] = [];
  /** The colour of each fill; null for a pattern. */
  const fills: (string | null)[] = [];
  const palette: (string | null)[] = [];
  const conditional: DifferentialStyle[] = [];
  // Elements of the same names stand in differential styles and in the styles that cells inherit from: those do not count.
  let parent = '';
  let depth = 0;
  let declared = 0;
  let isSolid = false;
  const lists = new Set(LISTS.map(([list]) => list));
  await walkXml(pieces, 'styleSheet', place, {
    open(name, attributes) {
      depth += 1;
      const isList = LISTS.some(([list]) => list === name);
      if (isList && (depth !== 2 || !lists.delete(name))) throw misplaced(name, place);
      if (depth === 2) parent = name;
      if (name === 'cellXfs') declared = countIn(attributes.get('count'));
      const font = parent === 'fonts' && depth === 4 ? fonts.at(-1) : undefined;
      if (font !== undefined && name === 'strike')
        font.isStruck = !/^(0|false)$/.test(attributes.get('val') ?? '');
      if (font !== undefined && name === 'color') font.colour = colourIn(attributes);
      if (parent === 'fills' && depth === 4)
        fills[fills.length - 1] = name === 'patternFill' && isNoFill(attributes) ? WHITE : null;
      if (parent === 'fills' && depth === 4) isSolid = attributes.get('patternType') === 'solid';
      if (parent === 'fills' && depth === 5 && name === 'fgColor' && isSolid)
        fills[fills.length - 1] = colourIn(attributes);
      if (depth === 4 && name === 'rgbColor') palette.push(colourIn(attributes));
      if (depth >= 4 && parent === 'dxfs') conditional.at(-1)?.open(name, attributes);
      if (depth !== 3) return;
      if (name === 'dxf' && parent === 'dxfs') conditional.push(new DifferentialStyle());
      if (name === 'font' && parent === 'fonts') fonts.push({ isStruck: false, colour: BLACK });
      if (name === 'fill' && parent === 'fills') fills.push(WHITE);
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
        fillIds.push(Number(attributes.get('fillId') ?? 0));
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
  const shownNumbers = new Map([...formats].map(([id, code]) => [id, ShownNumbers.of(code)]));
  const ownFormats = formatIds.map((id) => shownNumbers.get(id) ?? null);
  const looks = formatIds.map((_, style) => {
    const { isStruck = false, colour = BLACK } = fonts[fontIds[style] ?? 0] ?? {};
    const ofFont = withPalette(colour, palette);
    const isPale = ofFont !== null && ofFont === withPalette(fills[fillIds[style] ?? 0] ?? null, palette);
    return (isStruck ? STRUCK : 0) | (isPale ? PALE : 0) | (ownFormats[style] ? BY_VALUE : 0);
  });
  const shown = new Map([...formats].map(([id, code]) => [id, currencyInFormat(code)]));
  const currencies = formatIds.map((id) => shown.get(id) ?? null);
  return {
    conditional: conditional.map(({ format }) => format),
    kinds,
    looks: looks.some((look) => look !== 0) ? Uint8Array.from(looks) : null,
    formats: ownFormats.some((format) => format !== null) ? ownFormats : null,
    currencies: currencies.some((currency) => currency !== null) ? currencies : null,
  };
}

/** Whether a pattern leaves the cell in the colour of the paper. */
const isNoFill = (pattern: Attributes): boolean => (pattern.get('patternType') ?? 'none') === 'none';

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
