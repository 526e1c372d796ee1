// Reads the texts of a sheet from other parts: comments, text boxes, chart titles, table names, document properties.

import { wholePart } from '../../../messages/place.ts';
import { type Aside, Asides } from '../asides.ts';
import { textOf } from '../xml/text.ts';
import type { ZipPart } from '../zip/directory.ts';
import type { Zip } from '../zip/zip.ts';
import { readRelationships, walkPart } from './packageParts.ts';
import { firstCell } from './reference.ts';

interface PartKind {
  readonly root: string;
  /** The names of the elements that each hold a text. */
  readonly items: ReadonlySet<string>;
  /** The attribute of these elements that holds the text; left out when their content holds it. */
  readonly attribute?: string;
  readonly what: Aside['what'];
  /** The kinds of parts with texts to which the part refers. */
  readonly refersTo?: PartKinds;
}

/** Kinds of parts by the type of the relationship that leads to them. */
type PartKinds = Readonly<Record<string, PartKind>>;

/** The texts of a sheet that are in other parts. Its print headers are in the sheet itself. */
export async function readAsides(zip: Zip, sheet: ZipPart): Promise<readonly Aside[]> {
  const asides = new Asides();
  await readRelated(zip, sheet.name, OF_SHEET, asides);
  await readRelated(zip, '', OF_WORKBOOK, asides);
  return asides.list();
}

const CHART: PartKind = { root: 'chartSpace', items: new Set(['title']), what: 'chart title' };

const OF_SHEET: PartKinds = {
  comments: { root: 'comments', items: new Set(['comment']), what: 'comment' },
  table: { root: 'table', items: new Set(['table']), attribute: 'displayName', what: 'table name' },
  drawing: { root: 'wsDr', items: new Set(['txBody']), what: 'text box', refersTo: { chart: CHART } },
};

const OF_WORKBOOK: PartKinds = {
  'core-properties': {
    root: 'coreProperties',
    items: new Set(['title', 'subject', 'description', 'keywords']),
    what: 'document property',
  },
};

/** Reads the texts of the parts to which `source` refers. A `source` of `''` is the package. */
async function readRelated(zip: Zip, source: string, kinds: PartKinds, asides: Asides): Promise<void> {
  for (const { type, target } of (await readRelationships(zip, source)).values()) {
    if (type === 'pivotTable') asides.add({ what: 'pivot table', text: type });
    const kind = kinds[type];
    const part = kind && zip.find(target);
    if (kind === undefined || !part) continue;
    await readTexts(zip, part, kind, asides);
    if (kind.refersTo) await readRelated(zip, part.name, kind.refersTo, asides);
  }
}

async function readTexts(zip: Zip, part: ZipPart, kind: PartKind, asides: Asides): Promise<void> {
  const place = wholePart(zip.name, part.name);
  let text = '';
  let ref = '';
  /** The depth of the open element that holds a text; 0 when none is open. */
  let itemDepth = 0;
  await walkPart(zip, part, kind.root, {
    open(name, attributes, depth) {
      if (itemDepth > 0 && kind.attribute === undefined && PARAGRAPHS.has(name)) text += ' ';
      if (itemDepth > 0 || !kind.items.has(name)) return;
      itemDepth = depth;
      text = kind.attribute === undefined ? '' : (attributes.get(kind.attribute) ?? '');
      ref = attributes.get('ref') ?? '';
    },
    text(bytes, start, end) {
      if (itemDepth > 0 && kind.attribute === undefined) text += textOf(bytes, start, end, place);
    },
    close(_, depth) {
      if (depth !== itemDepth) return;
      const cell = firstCell(ref);
      const own = kind.what === 'comment' ? text.replace(THREAD_NOTICE, '') : text;
      asides.add({ what: kind.what, text: own, ...(cell && { cell }) });
      itemDepth = 0;
    },
  });
}

/** Elements that begin a new line. In the title of a chart that repeats a cell, `v` has the text of the cell. */
const PARAGRAPHS: ReadonlySet<string> = new Set(['p', 'br', 'v']);

/**
 * The notice for older versions that Excel writes before the text of a threaded comment, and `Comment:` behind it. Its
 * words depend on the language of Excel, its link does not.
 */
const THREAD_NOTICE = /^\s*\[[^\]]+\].*?linkid=870924\s*(?:[^\s:]+\s?:)?/s;
