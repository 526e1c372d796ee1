// Reads how each cell style shows values: as a date, year, percent or currency, struck out, raised, pale, or as nothing.

import type { Place } from '../../../messages/place.ts';
import { PALE, RAISED, SHOWN_WITH_MARK, STRUCK } from '../cellLooks.ts';
import { type NumberKind, PLAIN } from '../numberKind.ts';
import { type Attributes, countIn } from '../xml/attributes.ts';
import { damagedXml, misplaced } from '../xml/damage.ts';
import { walkXml } from '../xml/xml.ts';
import { BLACK, colourIn, WHITE, withPalette } from './colours.ts';
import { type ConditionalFormat, DifferentialStyle } from './differentialStyle.ts';
import { kindOfFormat, showsMark } from './numberFormat.ts';
import { isRaised, unescaped } from './richText.ts';
import { ShownNumbers } from './shownNumbers.ts';

/** The cell styles of a workbook. A cell refers to its style by index. */
export interface CellStyles {
  /**
   * For each differential style, which a conditional format applies: how it shows figures; null when it shows them as they
   * are.
   */
  readonly conditional: readonly (ConditionalFormat | null)[];
  /** How the number format of each style shows numbers. */
  readonly kinds: readonly NumberKind[];
  /**
   * For each style, the sum of its flags STRUCK, RAISED, PALE, SHOWN_WITH_MARK and BY_VALUE; null when no style has a flag.
   */
  readonly looks: Uint8Array | null;
  /** The number format of each style that does not show every number as it is; null when there is no such style. */
  readonly formats: readonly (ShownNumbers | null)[] | null;
  readonly colours: readonly StyleColours[];
  /** The colours that the workbook gives by their index. */
  readonly palette: readonly (string | null)[];
}

/** The colours of the text and of the background of a style; null for one that depends on the program. */
export interface StyleColours {
  readonly font: string | null;
  readonly fill: string | null;
}

/** Flag of a style whose number format changes the look of some values only. `cellLooks.ts` has the other flags. */
export const BY_VALUE = 128;

/** A workbook without styles. */
export const NO_STYLES: CellStyles = {
  kinds: [],
  looks: null,
  formats: null,
  conditional: [],
  colours: [],
  palette: [],
};

/**
 * Reads the cell styles of a workbook. Only they distinguish dates and percentages from other numbers, because a workbook
 * stores a date as a plain number, and 5 % as 0.05.
 *
 * @throws {UnreadableError} when the styles are damaged.
 */
export async function readCellStyles(pieces: AsyncIterable<Buffer>, place: Place): Promise<CellStyles> {
  const lists = await readStyleLists(pieces, place);
  const { formats, styles, declared, conditional } = lists;
  if (styles.length < declared) {
    throw damagedXml(place, `it declares ${declared} cell styles and holds ${styles.length}`);
  }
  const ownKinds = new Map([...formats].map(([id, code]) => [id, kindOfFormat(code)]));
  const kinds = styles.map(({ formatId }) => {
    const kind = ownKinds.get(formatId) ?? (formatId < FIRST_OWN ? kindOfBuiltIn(formatId) : undefined);
    if (kind !== undefined) return kind;
    throw damagedXml(place, `a cell style in it has the number format ${formatId}, which it does not hold`);
  });
  const shownNumbers = new Map([...formats].map(([id, code]) => [id, ShownNumbers.of(code)]));
  const ownFormats = styles.map(({ formatId }) => shownNumbers.get(formatId) ?? null);
  const marked = new Set([...formats].flatMap(([id, code]) => (showsMark(code) ? [id] : [])));
  const looks = styles.map(
    (style, i) =>
      looksOf(style, lists) |
      (ownFormats[i] ? BY_VALUE : 0) |
      (marked.has(style.formatId) ? SHOWN_WITH_MARK : 0),
  );
  return {
    conditional: conditional.map(({ format }) => format),
    kinds,
    looks: looks.some((look) => look !== 0) ? Uint8Array.from(looks) : null,
    formats: ownFormats.some((format) => format !== null) ? ownFormats : null,
    colours: styles.map((style) => coloursOf(style, lists)),
    palette: lists.palette,
  };
}

interface StyleOfCells {
  readonly formatId: number;
  /** Indexes in the lists of fonts and fills. */
  readonly fontId: number;
  readonly fillId: number;
}

/** The lists of a style sheet, each in the order of its elements. */
interface StyleLists {
  /** The codes of the workbook's own number formats, by id. */
  readonly formats: Map<number, string>;
  readonly styles: StyleOfCells[];
  /** The number of cell styles that the workbook declares. */
  declared: number;
  readonly fonts: { isStruck: boolean; isRaised: boolean; colour: string | null }[];
  /** The colour of a fill is null for a pattern. */
  readonly fills: { isSolid: boolean; colour: string | null }[];
  readonly palette: (string | null)[];
  readonly conditional: DifferentialStyle[];
}

async function readStyleLists(pieces: AsyncIterable<Buffer>, place: Place): Promise<StyleLists> {
  const lists: StyleLists = {
    formats: new Map(),
    styles: [],
    declared: 0,
    fonts: [],
    fills: [],
    palette: [],
    conditional: [],
  };
  const unread = new Set(LISTS.map(([list]) => list));
  // The name of the open list. It is needed because elements of other lists, such as `dxfs`, have the same names.
  let list = '';
  await walkXml(pieces, 'styleSheet', place, {
    open(name, attributes, depth) {
      const isList = LISTS.some(([required]) => required === name);
      if (isList && (depth !== 2 || !unread.delete(name))) throw misplaced(name, place);
      if (depth === 2) list = name;
      if (name === 'cellXfs') lists.declared = countIn(attributes.get('count'));
      const element = { list, depth, name, attributes };
      if (depth === 3) addItem(lists, element, place);
      if (depth > 3) addToLastItem(lists, element);
    },
  });
  return lists;
}

/** An element below a list. */
interface StyleElement {
  readonly list: string;
  /** 3 for the items of a list. */
  readonly depth: number;
  readonly name: string;
  readonly attributes: Attributes;
}

function addItem(lists: StyleLists, { list, name, attributes }: StyleElement, place: Place): void {
  const [, expected] = LISTS.find(([required]) => required === list) ?? [];
  if (expected !== undefined && name !== expected) throw misplaced(name, place);
  if (list === 'dxfs' && name === 'dxf') lists.conditional.push(new DifferentialStyle());
  if (list === 'fonts' && name === 'font')
    lists.fonts.push({ isStruck: false, isRaised: false, colour: BLACK });
  if (list === 'fills' && name === 'fill') lists.fills.push({ isSolid: false, colour: WHITE });
  if (list === 'numFmts') {
    const code = attributes.get('formatCode');
    if (code === undefined) throw damagedXml(place, 'a number format in it has no code');
    lists.formats.set(idIn(attributes.get('numFmtId'), place), unescaped(code));
  }
  if (list === 'cellXfs')
    lists.styles.push({
      formatId: idIn(attributes.get('numFmtId') ?? '0', place),
      fontId: Number(attributes.get('fontId') ?? 0),
      fillId: Number(attributes.get('fillId') ?? 0),
    });
}

/** Adds an element within an item of a list, such as the colour of a font, to the last item. */
function addToLastItem(
  { fonts, fills, palette, conditional }: StyleLists,
  { list, depth, name, attributes }: StyleElement,
): void {
  const [font, fill] = [fonts.at(-1), fills.at(-1)];
  if (depth === 4 && list === 'fonts' && font !== undefined) {
    if (name === 'strike') font.isStruck = !attributes.isOff('val');
    if (name === 'vertAlign') font.isRaised = isRaised(attributes.get('val'));
    if (name === 'color') font.colour = colourIn(attributes);
  }
  if (depth === 4 && list === 'fills' && fill !== undefined) {
    fill.colour = name === 'patternFill' && isNoFill(attributes) ? WHITE : null;
    fill.isSolid = attributes.get('patternType') === 'solid';
  }
  if (depth === 5 && list === 'fills' && name === 'fgColor' && fill?.isSolid)
    fill.colour = colourIn(attributes);
  if (depth === 4 && name === 'rgbColor') palette.push(colourIn(attributes));
  if (list === 'dxfs') conditional.at(-1)?.open(name, attributes);
}

/** The sum of STRUCK, RAISED and PALE as far as they apply to a style. */
function looksOf(style: StyleOfCells, lists: StyleLists): number {
  const font = lists.fonts[style.fontId];
  const colours = coloursOf(style, lists);
  const isPale = colours.font !== null && colours.font === colours.fill;
  return (font?.isStruck ? STRUCK : 0) | (font?.isRaised ? RAISED : 0) | (isPale ? PALE : 0);
}

const coloursOf = (
  { fontId, fillId }: StyleOfCells,
  { fonts, fills, palette }: StyleLists,
): StyleColours => ({
  font: withPalette((fonts[fontId] ?? { colour: BLACK }).colour, palette),
  fill: withPalette(fills[fillId]?.colour ?? null, palette),
});

/**
 * Whether some parts of a text are in the colour of their background, and others are not.
 *
 * @param parts The colour of each part; null for a part in the colour of the cell.
 */
export function isPartlyPale(parts: readonly (string | null)[], style: number, styles: CellStyles): boolean {
  const { font, fill } = styles.colours[style] ?? { font: BLACK, fill: WHITE };
  const shown = parts.map((colour) => (colour === null ? font : withPalette(colour, styles.palette)));
  const pale = shown.filter((colour) => colour !== null && colour === fill);
  return pale.length > 0 && pale.length < shown.length;
}

/** Whether a pattern leaves the cell in the colour of the paper. */
const isNoFill = (pattern: Attributes): boolean => (pattern.get('patternType') ?? 'none') === 'none';

/** The lowest id of a format that a workbook defines. Formats with lower ids are built into spreadsheet programs. */
const FIRST_OWN = 164;

function kindOfBuiltIn(id: number): NumberKind {
  if (isBuiltInDate(id)) return { kind: 'date' };
  return BUILT_IN_PERCENT.includes(id) ? { kind: 'percent' } : PLAIN;
}

/** The lists that are read, each with the name of its elements. */
const LISTS: readonly (readonly [list: string, item: string])[] = [
  ['numFmts', 'numFmt'],
  ['cellXfs', 'xf'],
];

function idIn(text = '', place: Place): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw damagedXml(place, `a number format in it has the id "${text.slice(0, 20)}"`);
}

/**
 * The ids of date formats that are built into spreadsheet programs (ECMA-376 part 1, §18.8.30), including those of East
 * Asia.
 */
const BUILT_IN_DATES: readonly (readonly [first: number, last: number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
];

const isBuiltInDate = (id: number) => BUILT_IN_DATES.some(([first, last]) => id >= first && id <= last);

/** The ids of the built-in formats `0%` and `0.00%`. */
const BUILT_IN_PERCENT: readonly number[] = [9, 10];
