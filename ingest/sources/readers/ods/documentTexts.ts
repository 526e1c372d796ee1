// Reads texts in other parts of an .ods document: its properties, and the titles of its charts.

import { UnreadableError } from '../../../messages/fault.ts';
import { wholePart } from '../../../messages/place.ts';
import { type Aside, LONGEST_ASIDE } from '../asides.ts';
import { LIMITS } from '../sourceLimits.ts';
import { textOf } from '../xml/text.ts';
import { walkXml } from '../xml/xml.ts';
import type { Zip } from '../zip/zip.ts';

/** The properties of the document: its title, subject, keywords and description. */
export const readProperties = (zip: Zip): Promise<readonly Aside[]> =>
  textsIn(zip, {
    part: 'meta.xml',
    root: 'document-meta',
    elements: PROPERTIES,
    what: 'document property',
  });

/** The titles of an embedded chart and of its axes; none for another object. `part` is the folder of the object. */
export const readChartTitles = (zip: Zip, part: string): Promise<readonly Aside[]> =>
  textsIn(zip, {
    part: `${part}/content.xml`,
    root: 'document-content',
    elements: CHART_TITLES,
    what: 'chart title',
  }).catch((error: unknown) => {
    // Other objects, such as equations, have another root element. Damage is ignored too, because no figure is in an
    // object.
    if (error instanceof UnreadableError) return [];
    throw error;
  });

const PROPERTIES: ReadonlySet<string> = new Set(['title', 'subject', 'keyword', 'description']);
const CHART_TITLES: ReadonlySet<string> = new Set(['title']);

interface TextSource {
  readonly part: string;
  readonly root: string;
  /** The names of the elements that each hold a text. */
  readonly elements: ReadonlySet<string>;
  readonly what: Aside['what'];
}

/** The texts of a part; none when the part is missing or very large. */
async function textsIn(
  zip: Zip,
  { part: name, root, elements, what }: TextSource,
): Promise<readonly Aside[]> {
  const part = zip.find(name);
  if (!part || part.bytes > LIMITS.smallPartBytes) return [];
  const place = wholePart(zip.name, part.name);
  const found: Aside[] = [];
  let text: string | null = null;
  await walkXml(zip.read(part), root, place, {
    open(element) {
      if (elements.has(element)) text = '';
      else if (text !== null) text += ' ';
    },
    text(bytes, start, end) {
      if (text !== null && text.length < LONGEST_ASIDE) text += textOf(bytes, start, end, place);
    },
    close(element) {
      if (text === null || !elements.has(element)) return;
      found.push({ what, text });
      text = null;
    },
  });
  return found;
}
