// Reads the properties of an .ods document that people write: its title, subject, keywords and description.

import { wholePart } from '../../../messages/place.ts';
import { type Aside, LONGEST_ASIDE } from '../asides.ts';
import { LIMITS } from '../limits.ts';
import { textOf } from '../xml/text.ts';
import { walkXml } from '../xml/xml.ts';
import type { Zip } from '../zip/zip.ts';

/** The elements that hold a property each. */
const PROPERTIES: ReadonlySet<string> = new Set(['title', 'subject', 'keyword', 'description']);

/** The properties of the document; none where the part with them is missing or very large. */
export async function readProperties(zip: Zip, name: string): Promise<readonly Aside[]> {
  const part = zip.find('meta.xml');
  if (!part || part.bytes > LIMITS.smallPartBytes) return [];
  const place = wholePart(name, part.name);
  const properties: Aside[] = [];
  let text: string | null = null;
  await walkXml(zip.read(part), 'document-meta', place, {
    open(element) {
      if (PROPERTIES.has(element)) text = '';
    },
    text(bytes, start, end) {
      if (text !== null && text.length < LONGEST_ASIDE) text += textOf(bytes, start, end, place);
    },
    close(element) {
      if (text === null || !PROPERTIES.has(element)) return;
      properties.push({ what: 'document property', text });
      text = null;
    },
  });
  return properties;
}
