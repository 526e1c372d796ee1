// Reads the table of texts that the cells of a workbook refer to by number.

import { RichText } from './richText.ts';
import { walkXml } from './xml.ts';

/** The texts in their order; rich text as plain text. `place` is what messages call the part. */
export async function readSharedStrings(pieces: AsyncIterable<Buffer>, place: string): Promise<string[]> {
  const strings: string[] = [];
  const item = new RichText(place);
  await walkXml(pieces, 'sst', place, {
    open: (name) => item.open(name),
    text: (bytes, start, end) => item.text(bytes, start, end),
    close: (name) => {
      item.close(name);
      if (name === 'si') strings.push(item.take());
    },
  });
  return strings;
}
