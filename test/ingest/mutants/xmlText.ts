// Writes XML in the forms that it may take: quotes, spaces, prefixes, comments, entities, CDATA, encodings.

import type { Random } from './random.ts';

export interface Element {
  readonly name: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly children: readonly (Element | string)[];
}

export const element = (
  name: string,
  attributes: Element['attributes'] = [],
  children: Element['children'] = [],
): Element => ({ name, attributes, children });

/** How freely XML is written. `null` means: as spreadsheet programs do. */
export interface Dress {
  readonly random: Random;
  /** The prefix of every element's name. */
  readonly prefix: string;
  readonly spaces: boolean;
  readonly asides: boolean;
  readonly entities: boolean;
}

export const aDress = (random: Random): Dress => ({
  random,
  prefix: random.chance(0.3) ? random.pick(['x:', 'main:', 'ns0:', '_:']) : '',
  spaces: random.chance(0.4),
  asides: random.chance(0.3),
  entities: random.chance(0.3),
});

/** The text of an element and its content. Spaces and comments may be added only to elements without text. */
export function written(it: Element, dress: Dress | null): string {
  const name = `${dress?.prefix ?? ''}${it.name}`;
  const attributes = dress?.random.chance(0.3) ? dress.random.shuffled(it.attributes) : it.attributes;
  const open = `<${name}${attributes.map((each) => attribute(each, dress)).join('')}`;
  const tail = dress?.spaces && dress.random.chance(0.2) ? dress.random.pick([' ', '\n', '\t']) : '';
  if (it.children.length === 0 && !dress?.random.chance(0.2)) return `${open}${tail}/>`;
  const holdsText = it.children.some((child) => typeof child === 'string') || TEXT.has(it.name);
  const between = () => (dress && !holdsText ? filling(dress) : '');
  const inside = it.children.map((child) =>
    typeof child === 'string' ? text(child, dress) : written(child, dress) + between(),
  );
  return `${open}${tail}>${between()}${inside.join('')}</${name}${tail}>`;
}

const TEXT = new Set(['t', 'v', 'f']);

function attribute([name, value]: readonly [string, string], dress: Dress | null): string {
  const quote = dress?.random.chance(0.3) ? "'" : '"';
  const [before, equals] = dress?.spaces
    ? [dress.random.pick([' ', '  ', '\n', '\t']), dress.random.pick(['=', '=', ' = '])]
    : [' ', '='];
  const escaped = value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(quote, QUOTES[quote] ?? '');
  return `${before}${name}${equals}${quote}${escaped}${quote}`;
}

const QUOTES: Readonly<Record<string, string>> = { '"': '&quot;', "'": '&apos;' };

function filling({ random, spaces, asides }: Dress): string {
  const space = spaces && random.chance(0.4) ? random.pick([' ', '\n  ', '\r\n', '\t']) : '';
  return asides && random.chance(0.15) ? space + random.pick(ASIDES) + space : space;
}

const ASIDES = [
  '<!-- a comment -->',
  '<!----><!-- <row r="1"><c r="A1"><v>9</v></c></row> -->',
  '<?pi some <c> text?>',
  '<!-- ]]> -->',
  '<![CDATA[ ]]>',
];

function text(content: string, dress: Dress | null): string {
  if (!dress?.entities || !dress.random.chance(0.5)) return plain(content);
  const { random } = dress;
  return random.weighted<() => string>([
    [2, () => [...content].map((c) => (random.chance(0.2) ? reference(c, random) : plain(c))).join('')],
    [1, () => (content === '' ? '' : `<![CDATA[${content.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`)],
    [1, () => cutInto(content, random).join('<!-- -->')],
    [1, () => cutInto(content, random).join('<?x y?>')],
  ])();
}

const plain = (of: string) => of.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const reference = (character: string, random: Random) => {
  const point = character.codePointAt(0) ?? 0;
  return random.chance(0.5) ? `&#${point};` : `&#x${point.toString(16)};`;
};

function cutInto(content: string, random: Random): string[] {
  const characters = [...content];
  const at = random.below(characters.length + 1);
  return [plain(characters.slice(0, at).join('')), plain(characters.slice(at).join(''))];
}

/** The bytes of an XML part. It declares its encoding where it must. */
export function encoded(xml: string, encoding: Encoding): Buffer {
  const [declared, mark, write] = ENCODINGS[encoding];
  const head = declared === null ? '' : `<?xml version="1.0" encoding="${declared}" standalone="yes"?>\r\n`;
  return Buffer.concat([Buffer.from(mark, 'hex'), write(head + xml)]);
}

export type Encoding =
  | 'utf-8'
  | 'bare'
  | 'marked'
  | 'utf-16le'
  | 'utf-16be'
  | 'unmarked utf-16le'
  | 'latin1'
  | 'ascii';

const swapped = (xml: string) => Buffer.from(xml, 'utf16le').swap16();
/** Replaces characters that the encoding lacks by character references. Only texts and attributes can have them. */
const referred = (xml: string, last: number) =>
  [...xml].map((c) => ((c.codePointAt(0) ?? 0) > last ? `&#${c.codePointAt(0)};` : c)).join('');

const ENCODINGS: Readonly<Record<Encoding, readonly [string | null, string, (xml: string) => Buffer]>> = {
  'utf-8': ['UTF-8', '', (xml) => Buffer.from(xml)],
  bare: [null, '', (xml) => Buffer.from(xml)],
  marked: ['utf-8', 'efbbbf', (xml) => Buffer.from(xml)],
  'utf-16le': ['UTF-16', 'fffe', (xml) => Buffer.from(xml, 'utf16le')],
  'utf-16be': ['UTF-16', 'feff', swapped],
  'unmarked utf-16le': ['utf-16', '', (xml) => Buffer.from(xml, 'utf16le')],
  latin1: ['ISO-8859-1', '', (xml) => Buffer.from(referred(xml, 0xff), 'latin1')],
  ascii: ['US-ASCII', '', (xml) => Buffer.from(referred(xml, 0x7e), 'latin1')],
};
