// Reads the table of texts that the cells of a workbook refer to by number.

import { countIn } from './attributes.ts';
import { damagedXml } from './damage.ts';
import { RichText } from './richText.ts';
import { isSpace, walkXml } from './xml.ts';

/** The texts in their order; rich text as plain text. `place` is what messages call the part. */
export async function readSharedStrings(pieces: AsyncIterable<Buffer>, place: string): Promise<string[]> {
  const strings: string[] = [];
  const item = new RichText(place);
  // The table is 1 deep, its items 2, and what is in them deeper.
  let depth = 0;
  let inItem = false;
  let declared = 0;
  await walkXml(pieces, 'sst', place, {
    open(name, attributes) {
      depth += 1;
      if (depth === 1) declared = countIn(attributes.get('uniqueCount'));
      if (depth === 2) inItem = name === 'si';
      if (depth === 2 && !inItem && name !== 'extLst') {
        throw damagedXml(place, `<${name}> stands where <si> belongs`);
      }
      if (depth > 2 && inItem) item.open(name);
    },
    text(bytes, start, end) {
      if (depth > 1 && inItem) item.text(bytes, start, end);
      else if (depth === 1 && !isSpace(bytes, start, end))
        throw damagedXml(place, 'a text stands between its items');
    },
    close() {
      if (depth > 2 && inItem) item.close();
      else if (depth === 2 && inItem) strings.push(item.take());
      depth -= 1;
    },
  });
  // One that is missing would give its number to the next.
  if (strings.length >= declared) return strings;
  throw damagedXml(place, `it declares ${declared} texts and holds ${strings.length}`);
}
