// Reads the comments and text boxes of a worksheet, which stand in parts of their own.

import { wholePart } from '../../../messages/place.ts';
import { type Aside, Asides } from '../asides.ts';
import { textOf } from '../xml/text.ts';
import { walkXml } from '../xml/xml.ts';
import type { Zip, ZipPart } from '../zip/zip.ts';
import { readRelationships, small } from './package.ts';
import { firstCell } from './reference.ts';

/** The texts of a sheet that no cell holds. Those of its print headers stand in the sheet itself. */
export async function readAsides(zip: Zip, file: string, sheet: ZipPart): Promise<readonly Aside[]> {
  const asides = new Asides();
  for (const { type, target } of (await readRelationships(zip, file, sheet.name)).values()) {
    const kind = KINDS[type];
    const part = kind && zip.find(target);
    if (kind === undefined || !part) continue;
    const place = wholePart(file, part.name);
    let depth = 0;
    let text = '';
    let ref = '';
    /** Depth of the comment or text box that is open; 0 outside of one. */
    let itemDepth = 0;
    await walkXml(zip.read(small(part, file)), kind.root, place, {
      open(name, attributes) {
        depth += 1;
        if (itemDepth > 0 && PARAGRAPHS.has(name)) text += ' ';
        if (itemDepth > 0 || name !== kind.item) return;
        itemDepth = depth;
        text = '';
        ref = attributes.get('ref') ?? '';
      },
      text(bytes, start, end) {
        if (itemDepth > 0) text += textOf(bytes, start, end, place);
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
  return asides.list();
}

/** By the type of the relationship: the root of the part, and the element that holds one text. */
const KINDS: Readonly<
  Record<string, { readonly root: string; readonly item: string; readonly what: Aside['what'] }>
> = {
  comments: { root: 'comments', item: 'comment', what: 'comment' },
  drawing: { root: 'wsDr', item: 'txBody', what: 'text box' },
};

/** Elements that begin a new line. */
const PARAGRAPHS: ReadonlySet<string> = new Set(['p', 'br']);
