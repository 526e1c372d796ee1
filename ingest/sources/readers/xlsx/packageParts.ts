// Finds the parts of a workbook through its relationships: sheets, shared strings, styles.

import path from 'node:path/posix';
import { groupBy } from '../../../../src/basics/lists.ts';
import { UnreadableError, unreadableFile } from '../../../messages/fault.ts';
import { type Place, wholeFile, wholePart, wholeSheet } from '../../../messages/place.ts';
import type { DefinedName } from '../formulas/definedNames.ts';
import type { Calculation } from '../formulas/outdatedValues.ts';
import { LIMITS, megabytes, OVER_LIMIT } from '../sourceLimits.ts';
import type { Attributes } from '../xml/attributes.ts';
import { damagedXml, misplaced, RESAVE } from '../xml/damage.ts';
import { textOf } from '../xml/text.ts';
import { isSpace, walkXml, type XmlEvents } from '../xml/xml.ts';
import type { ZipPart } from '../zip/directory.ts';
import type { Zip } from '../zip/zip.ts';

/** A sheet of a workbook, and the part that holds it. */
export interface SheetParts {
  readonly name: string;
  readonly hidden: boolean;
  readonly part: ZipPart;
  /** The defined names of ranges on the sheet. */
  readonly definedNames: readonly string[];
}

/** The parts and settings of a workbook. */
export interface WorkbookParts {
  /** The sheets that hold cells, in the order of their tabs. Sheets of charts and dialogs are left out. */
  readonly sheets: readonly SheetParts[];
  readonly sharedStrings: ZipPart | undefined;
  readonly styles: ZipPart | undefined;
  /** Whether dates count from 1904. */
  readonly date1904: boolean;
  /** Whether programs must calculate all formulas when they open the workbook (`fullCalcOnLoad`). */
  readonly calculatesOnLoad: boolean;
  readonly calculation: Calculation;
  readonly names: readonly DefinedName[];
}

/**
 * The parts of a workbook, and the settings in its main part.
 *
 * @throws {UnreadableError} when the zip file is not a workbook, or a sheet that it names is missing.
 */
export async function readWorkbookParts(zip: Zip): Promise<WorkbookParts> {
  const file = zip.name;
  const workbook = workbookPart(zip, await readRelationships(zip, ''));
  const related = await readRelationships(zip, workbook.name);
  const ofType = (type: string) => {
    const relationship = onlyOne(related, type, file);
    return relationship && zip.find(relationship.target);
  };
  const { entries, namesBySheet, ...settings } = await readWorkbook(zip, workbook);
  const sheets = entries.flatMap(({ name, hidden, id }) => {
    const relationship = related.get(id);
    if (relationship && WITHOUT_CELLS.has(relationship.type)) return [];
    const part = relationship?.type === 'worksheet' ? zip.find(relationship.target) : undefined;
    if (part)
      return [
        { name, hidden, part, definedNames: namesBySheet.get(name)?.map((defined) => defined.name) ?? [] },
      ];
    throw new UnreadableError({
      place: wholeSheet(file, name),
      problem: 'the sheet is missing from the file',
      remedy: RESAVE,
    });
  });
  expectSheets(sheets, file);
  return {
    sheets,
    sharedStrings: ofType('sharedStrings'),
    styles: ofType('styles'),
    ...settings,
  };
}

function workbookPart(zip: Zip, related: Relationships): ZipPart {
  const file = zip.name;
  const start = onlyOne(related, 'officeDocument', file);
  const part = start && zip.find(start.target);
  if (!part)
    throw unreadableFile(
      file,
      'is a zip file but not a workbook',
      'open it in a spreadsheet program and save it as .xlsx',
    );
  if (part.name.toLowerCase().endsWith('.bin'))
    throw unreadableFile(file, 'is an .xlsb workbook', 'save it as .xlsx');
  return part;
}

/** Throws UnreadableError when there is no sheet with cells, or when two sheets have the same part. */
function expectSheets(sheets: readonly SheetParts[], file: string): void {
  if (sheets.length === 0) throw unreadableFile(file, 'holds no sheet with cells', 'save the data in one');
  if (new Set(sheets.map(({ part }) => part)).size < sheets.length)
    throw damagedXml(wholeFile(file), 'two of its sheets are one and the same part');
}

/** Sheets of these kinds hold charts, dialogs and macros. */
const WITHOUT_CELLS = new Set(['chartsheet', 'dialogsheet', 'xlMacrosheet', 'xlIntlMacrosheet']);

/**
 * The only relationship of a type. Two relationships with different targets are refused, because it is unclear which one
 * counts.
 */
function onlyOne(related: Relationships, type: string, file: string): Relationship | undefined {
  const [first, ...others] = [...related.values()].filter((relationship) => relationship.type === type);
  if (others.every(({ target }) => target === first?.target)) return first;
  throw damagedXml(wholeFile(file), `it refers to more than one part as ${type}`);
}

interface Relationship {
  /** The last word of the type. It is the same in strict and transitional workbooks. */
  readonly type: string;
  /** The name of the part, from the root of the package. */
  readonly target: string;
}

/** The relationships of a part by their ids. */
type Relationships = ReadonlyMap<string, Relationship>;

/** The relationships of a part. A `source` of `''` is the package itself. */
export async function readRelationships(zip: Zip, source: string): Promise<Relationships> {
  const folder = path.dirname(`/${source}`);
  const found = new Map<string, Relationship>();
  const part = zip.find(path.join(folder, '_rels', `${path.basename(source)}.rels`));
  if (!part) return found;
  const place = wholePart(zip.name, part.name);
  await walkPart(zip, part, 'Relationships', {
    open(name, attributes, depth) {
      if (depth === 1) return;
      if (depth > 2 || name !== 'Relationship') throw misplaced(name, place);
      if (attributes.get('TargetMode') === 'External') return;
      const type = attributes.get('Type')?.split('/').at(-1) ?? '';
      const target = path.resolve(folder, attributes.get('Target')?.replaceAll('\\', '/') ?? '');
      const id = attributes.get('Id') ?? '';
      if (found.has(id)) throw damagedXml(place, `two relationships are called "${id}"`);
      found.set(id, { type, target });
    },
    text(bytes, start, end) {
      if (!isSpace(bytes, start, end)) throw damagedXml(place, 'a text in it has no place');
    },
  });
  return found;
}

interface SheetEntry {
  readonly name: string;
  readonly hidden: boolean;
  /** The id of the relationship that leads to the sheet. */
  readonly id: string;
}

interface Workbook extends Pick<WorkbookParts, 'date1904' | 'calculatesOnLoad' | 'calculation' | 'names'> {
  readonly entries: readonly SheetEntry[];
  /** Name of a sheet → the defined names of ranges on it; null → the defined names of anything but a range. */
  readonly namesBySheet: ReadonlyMap<string | null, readonly WrittenName[]>;
}

async function readWorkbook(zip: Zip, part: ZipPart): Promise<Workbook> {
  const entries: SheetEntry[] = [];
  const names: WrittenName[] = [];
  let openName: WrittenName | null = null;
  let date1904 = false;
  let calculatesOnLoad = false;
  let calculation: Calculation = { isUnusual: false, doubt: null };
  const place = wholePart(zip.name, part.name);
  let inSheets = false;
  await walkPart(zip, part, 'workbook', {
    open(name, attributes, depth) {
      const days = name === 'workbookPr' ? attributes.get('date1904') : undefined;
      // Extensions have an element of the same name, but without this attribute.
      if (days !== undefined && depth !== 2) throw misplaced(name, place);
      if (days !== undefined) date1904 = isTrue(days, place);
      if (name === 'calcPr') {
        calculatesOnLoad = attributes.isOn('fullCalcOnLoad');
        calculation = calculationOf(attributes);
      }
      if (name === 'definedName') openName = writtenName(attributes);
      if (depth === 2) inSheets = name === 'sheets';
      if (depth === 2 && inSheets && entries.length > 0) throw misplaced(name, place);
      if (depth === 3 && inSheets) entries.push(sheetEntry(name, attributes, place));
    },
    text(bytes, start, end) {
      if (openName !== null) openName.formula += textOf(bytes, start, end, place);
    },
    close() {
      if (openName === null) return;
      names.push(openName);
      openName = null;
    },
  });
  const ofSheets = names.flatMap(({ name, formula, sheetIndex }) => {
    const sheet = sheetIndex === null ? null : entries[sheetIndex]?.name;
    return sheet === undefined ? [] : [{ name, formula, sheet }];
  });
  const namesBySheet = groupBy(names, ({ formula }) => sheetOfRange(formula));
  return { entries, namesBySheet, date1904, calculatesOnLoad, calculation, names: ofSheets };
}

interface WrittenName {
  readonly name: string;
  /** The index of the only sheet in whose formulas the name is defined; null for a name of all sheets. */
  readonly sheetIndex: number | null;
  formula: string;
}

function writtenName(attributes: Attributes): WrittenName {
  const index = attributes.get('localSheetId');
  const sheetIndex = index === undefined ? null : Number(index);
  return { name: attributes.get('name') ?? '', sheetIndex, formula: '' };
}

const calculationOf = (settings: Attributes): Calculation => ({
  isUnusual: settings.isOn('iterate') || settings.isOff('fullPrecision'),
  doubt: doubtOf(settings),
});

function doubtOf(settings: Attributes): string | null {
  if (settings.isOff('calcCompleted')) return 'was saved before it was calculated';
  if (settings.isOn('fullCalcOnLoad')) return 'asks to be calculated when it is opened';
  const isManual = settings.get('calcMode') === 'manual' && settings.isOff('calcOnSave');
  return isManual ? 'is calculated by hand alone' : null;
}

/** The sheet of a range such as `'EU data'!$K$2:$K$9`; null for a formula. */
function sheetOfRange(range: string): string | null {
  const [, quoted, plain] =
    /^(?:'((?:[^']|'')+)'|([^'!]+))!\$?[A-Z]{1,3}\$?\d*(?::\$?[A-Z]{1,3}\$?\d*)?$/.exec(range) ?? [];
  return quoted?.replaceAll("''", "'") ?? plain ?? null;
}

function sheetEntry(name: string, attributes: Attributes, place: Place): SheetEntry {
  if (name !== 'sheet') throw misplaced(name, place);
  const state = attributes.get('state') ?? 'visible';
  if (!STATES.includes(state)) throw damagedXml(place, `a sheet in it has the state "${state.slice(0, 20)}"`);
  return {
    name: attributes.get('name') ?? '',
    hidden: state !== 'visible',
    id: attributes.getPrefixed('id') ?? '',
  };
}

const STATES = ['visible', 'hidden', 'veryHidden'];

/** Whether the value of an `xsd:boolean` is true. Throws UnreadableError for any other text. */
function isTrue(text: string, place: Place): boolean {
  const index = ['0', 'false', '1', 'true'].indexOf(text);
  if (index < 0) throw damagedXml(place, `date1904 in it is "${text.slice(0, 20)}"`);
  return index > 1;
}

/** Walks a part. Throws UnreadableError when the part is too large, damaged, or has another root element. */
export const walkPart = (zip: Zip, part: ZipPart, root: string, events: XmlEvents): Promise<void> =>
  walkXml(zip.read(smallEnough(zip, part)), root, wholePart(zip.name, part.name), events);

/** Returns the given part. Throws UnreadableError when the part is too large to stay in memory. */
export function smallEnough(
  { name }: Zip,
  part: ZipPart,
  limitBytes: number = LIMITS.smallPartBytes,
): ZipPart {
  if (part.bytes <= limitBytes) return part;
  throw new UnreadableError({
    place: wholePart(name, part.name),
    problem: `unpacks to ${megabytes(part.bytes)}, more than the limit of ${megabytes(limitBytes)}`,
    remedy: 'split the workbook',
    kind: OVER_LIMIT,
  });
}
