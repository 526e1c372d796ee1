// The XML walker gives the same events wherever its input is cut.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { wholeFile } from '../../../../../ingest/messages/place.ts';
import { textOf } from '../../../../../ingest/sources/readers/xml/text.ts';
import { walkXml } from '../../../../../ingest/sources/readers/xml/xml.ts';

const PLACE = wholeFile('a.xml');

/** The events of a walk as text: `open(attribute=value)`, `"text"`, `/close`. */
async function walked(pieces: readonly Buffer[]): Promise<string> {
  const met: string[] = [];
  const each = async function* () {
    yield* pieces;
  };
  await walkXml(each(), 'root', PLACE, {
    open: (name, attributes) => met.push(`${name}(a=${attributes.getPrefixed('a')})`),
    text: (bytes, start, end) => met.push(JSON.stringify(textOf(bytes, start, end, PLACE))),
    close: (name) => met.push(`/${name}`),
  });
  return met.join(' ');
}

const DOCUMENT =
  '<?xml version="1.0"?>\r\n<!-- <root> --><p:root xmlns:p="urn:x" p:a="1>2"><b\n a = \'"x"\' /><p:cé>A&amp;ü🎲<![CDATA[</root>&]]>\r\nz</p:cé ></p:root>\n';

describe('a walk through XML', () => {
  it('meets tags without their prefixes, attributes and whole texts', async () => {
    expect(await walked([Buffer.from(DOCUMENT)])).toBe(
      String.raw`root(a=1>2) b(a="x") /b cé(a=undefined) "A&ü🎲</root>&\nz" /cé /root`,
    );
  });

  it('reports the same events wherever the pieces are cut', async () => {
    const bytes = Buffer.from(DOCUMENT);
    const whole = await walked([bytes]);
    const cuts = fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const ends = [...places.sort((a, b) => a - b), bytes.length];
        const pieces = ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
        expect(await walked(pieces)).toBe(whole);
      }),
    );
    expect(await walked([...bytes].map((byte) => Buffer.from([byte])))).toBe(whole);
  });

  it.each([
    ['<root', 'it is empty'],
    ['<root>', 'it is cut off before </root>'],
    ['<root></b>', '</b> closes what is not open'],
    ['<root/><root/>', 'it has more than one root'],
    ['<root a></root>', 'an attribute in it is malformed'],
    ['<root a="1></root>', 'a tag in it does not end'],
    ['<root>&nbsp;</root>', '"&nbsp;" in it is not an XML entity'],
    ['<root>a & b</root>', '"& b" in it is not an XML entity'],
    ['<root>&#0;</root>', '"&#0;" in it is not an XML entity'],
    ['<root>&#x110000;</root>', '"&#x110000;" in it is not an XML entity'],
    ['<root><></root>', 'a tag in it has no name'],
    ['<root><!ELEMENT x></root>', 'has a document type declaration'],
  ])('refuses %s', async (xml, message) => {
    await expect(walked([Buffer.from(xml)])).rejects.toMatchObject({
      name: 'UnreadableError',
      message: expect.stringContaining(message),
    });
  });
});
