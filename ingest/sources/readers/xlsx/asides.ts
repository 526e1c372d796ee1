// Reads the texts of a worksheet that lie in parts of their own: comments, text boxes, titles of charts and the workbook.

import { wholePart } from '../../../messages/place.ts';
import { type Aside, Asides } from '../asides.ts';
import { textOf } from '../xml/text.ts';
import { walkXml } from '../xml/xml.ts';
import type { Zip, ZipPart } from '../zip/zip.ts';
import { readRelationships, smallEnough } from './package.ts';
import { firstCell } from './reference.ts';

/** A kind of part that holds texts. */
interface Kind {
  /** The name of its root element. */
  readonly root: string;
  /** The elements that hold one text each. */
  readonly items: ReadonlySet<string>;
  /** The attribute of these elements that holds the text, where their content does not. */
  readonly attribute?: string;
  readonly what: Aside['what'];
  /** By the type of their relationship, parts with texts that it refers to. */
  readonly refersTo?: Readonly<Record<string, Kind>>;
}

/** The texts of a sheet that no cell holds. Those of its print headers are in the sheet itself. */
export async function readAsides(zip: Zip, file: string, sheet: ZipPart): Promise<readonly Aside[]> {
  const asides = new Asides();
  await readRelated(zip, file, { source: sheet.name, kinds: OF_SHEET }, asides);
  await readRelated(zip, file, { source: '', kinds: OF_WORKBOOK }, asides);
  return asides.list();
}

const CHART: Kind = { root: 'chartSpace', items: new Set(['title']), what: 'chart title' };

/** By the type of the relationship. */
const OF_SHEET: Readonly<Record<string, Kind>> = {
  comments: { root: 'comments', items: new Set(['comment']), what: 'comment' },
  table: { root: 'table', items: new Set(['table']), attribute: 'displayName', what: 'table name' },
  drawing: { root: 'wsDr', items: new Set(['txBody']), what: 'text box', refersTo: { chart: CHART } },
};

const OF_WORKBOOK: Readonly<Record<string, Kind>> = {
  'core-properties': {
    root: 'coreProperties',
    items: new Set(['title', 'subject', 'description', 'keywords']),
    what: 'document property',
  },
};

interface Related {
  /** The part that refers to others; '' for the package. */
  readonly source: string;
  readonly kinds: Readonly<Record<string, Kind>>;
}

async function readRelated(
  zip: Zip,
  file: string,
  { source, kinds }: Related,
  asides: Asides,
): Promise<void> {
  for (const { type, target } of (await readRelationships(zip, file, source)).values()) {
    if (type === 'pivotTable') asides.add({ what: 'pivot table', text: type });
    const kind = kinds[type];
    const part = kind && zip.find(target);
    if (kind === undefined || !part) continue;
    await readTexts(zip, file, { part, kind }, asides);
    if (kind.refersTo) await readRelated(zip, file, { source: part.name, kinds: kind.refersTo }, asides);
  }
}

async function readTexts(
  zip: Zip,
  file: string,
  { part, kind }: { readonly part: ZipPart; readonly kind: Kind },
  asides: Asides,
): Promise<void> {
  const place = wholePart(file, part.name);
  let depth = 0;
  let text = '';
  let ref = '';
  /** Depth of the element that holds a text; 0 outside of one. */
  let itemDepth = 0;
  await walkXml(zip.read(smallEnough(part, file)), kind.root, place, {
    open(name, attributes) {
      depth += 1;
      if (itemDepth > 0 && kind.attribute === undefined && PARAGRAPHS.has(name)) text += ' ';
      if (itemDepth > 0 || !kind.items.has(name)) return;
      itemDepth = depth;
      text = kind.attribute === undefined ? '' : (attributes.get(kind.attribute) ?? '');
      ref = attributes.get('ref') ?? '';
    },
    text(bytes, start, end) {
      if (itemDepth > 0 && kind.attribute === undefined) text += textOf(bytes, start, end, place);
    },
    close() {
      if (depth === itemDepth) {
        const cell = firstCell(ref);
        asides.add({ what: kind.what, text, ...(cell && { cell }) });
        itemDepth = 0;
      }
      depth -= 1;
    },
  });
}

/** Elements that begin a new line. The title of a chart may repeat a cell: `v` follows the reference to it. */
const PARAGRAPHS: ReadonlySet<string> = new Set(['p', 'br', 'v']);
