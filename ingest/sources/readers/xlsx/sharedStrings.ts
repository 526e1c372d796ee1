// Reads the table of shared texts of a workbook, to which its cells refer by number.

import type { Place } from '../../../messages/place.ts';
import type { Footnoted } from '../rawFile.ts';
import { countIn } from '../xml/attributes.ts';
import { damagedXml } from '../xml/damage.ts';
import { isSpace, walkXml } from '../xml/xml.ts';
import { RichText } from './richText.ts';

/** The shared texts of a workbook. */
export interface SharedStrings {
  /** The texts in their order. Rich text is without its formats. */
  readonly strings: readonly (string | Footnoted)[];
  /** The indexes of the texts that are completely struck out. */
  readonly struckStrings: ReadonlySet<number>;
  /** By index, the colours of the parts of texts that are numbers; null for a part in the colour of its cell. */
  readonly colouredNumbers: ReadonlyMap<number, readonly (string | null)[]>;
}

export const NO_STRINGS: SharedStrings = {
  strings: [],
  struckStrings: new Set(),
  colouredNumbers: new Map(),
};

/**
 * Reads the table of shared texts.
 *
 * @param place The place of its part for messages.
 * @throws {UnreadableError} when the table is damaged.
 */
export async function readSharedStrings(pieces: AsyncIterable<Buffer>, place: Place): Promise<SharedStrings> {
  const strings: (string | Footnoted)[] = [];
  const struckStrings = new Set<number>();
  const colouredNumbers = new Map<number, readonly (string | null)[]>();
  const item = new RichText(place);
  // The table has depth 1, its items have depth 2, and elements in items are deeper.
  let inItem = false;
  let declared = 0;
  await walkXml(pieces, 'sst', place, {
    open(name, attributes, depth) {
      if (depth === 1) declared = countIn(attributes.get('uniqueCount'));
      if (depth === 2) inItem = name === 'si';
      if (depth === 2 && !inItem && name !== 'extLst') {
        throw damagedXml(place, `<${name}> stands where <si> belongs`);
      }
      if (depth > 2 && inItem) item.open(name, attributes);
    },
    text(bytes, start, end, depth) {
      if (depth > 1 && inItem) item.text(bytes, start, end);
      else if (depth === 1 && !isSpace(bytes, start, end))
        throw damagedXml(place, 'a text stands between its items');
    },
    close(_, depth) {
      if (depth > 2 && inItem) item.close();
      else if (depth === 2 && inItem) {
        strings.push(item.take());
        if (item.isStruckOut) struckStrings.add(strings.length - 1);
        if (item.colours?.some((colour) => colour !== null))
          colouredNumbers.set(strings.length - 1, item.colours);
      }
    },
  });
  // A table with a missing text is refused, because each later text would get the number of the text before it.
  if (strings.length >= declared) return { strings, struckStrings, colouredNumbers };
  throw damagedXml(place, `it declares ${declared} texts and holds ${strings.length}`);
}
