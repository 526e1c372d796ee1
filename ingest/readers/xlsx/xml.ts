// Walks XML as it streams in: tags, attributes and text, straight from the bytes.

import { TextDecoder } from 'node:util';
import { LIMITS } from '../limits.ts';
import { UnreadableError } from '../raw.ts';
import { TextCache } from '../textCache.ts';

/** What a walk meets. Names come without their prefix: the same elements have many, and none. */
export interface XmlEvents {
  open(name: string, attributes: Attributes): void;
  /**
   * All text between two tags, as it stands in the file (`textOf` turns it into a string).
   * The bytes are good until the call returns.
   */
  text(bytes: Buffer, start: number, end: number): void;
  close(name: string): void;
}

/**
 * Walks a part from its pieces. `root` is the element it must consist of, `place` what messages call it.
 *
 * Throws UnreadableError for XML that is cut, not well-formed, not `root`, or has a DTD: entities can be
 * bombs, and no spreadsheet program writes one.
 */
export async function walkXml(
  pieces: AsyncIterable<Buffer>,
  root: string,
  place: string,
  events: XmlEvents,
): Promise<void> {
  const walker = new XmlWalker(root, place, events);
  for await (const piece of asUtf8(pieces, place)) walker.push(piece);
  walker.end();
}

const LT = 0x3c;
const GT = 0x3e;
const SLASH = 0x2f;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const EQUALS = 0x3d;
const COLON = 0x3a;
const BANG = 0x21;
const QUESTION = 0x3f;
const SPACE = 0x20;
/** What may stand between tags beside text. */
const ASIDES = [
  { open: Buffer.from('<?'), close: '?>', isText: false },
  { open: Buffer.from('<!--'), close: '-->', isText: false },
  { open: Buffer.from('<![CDATA['), close: ']]>', isText: true },
];
const LONGEST_ASIDE = 9;
const NAME_SLOTS = 256;
const NOTHING = Buffer.alloc(0);

/** The walk itself, for who must do something between two pieces. */
export class XmlWalker {
  readonly #root: string;
  readonly #place: string;
  readonly #events: XmlEvents;
  readonly #attributes: Attributes;
  /** Names seen lately: a sheet repeats a handful of them millions of times. */
  readonly #names: string[] = new Array(NAME_SLOTS).fill('');
  readonly #open: string[] = [];
  #begun = false;
  /** What a piece ended in the middle of. */
  #rest: Buffer = NOTHING;
  /** Text before a comment or CDATA section that goes on after it. */
  #textBefore: Buffer = NOTHING;

  constructor(root: string, place: string, events: XmlEvents) {
    this.#root = root;
    this.#place = place;
    this.#events = events;
    this.#attributes = new Attributes(place);
  }

  push(piece: Buffer): void {
    const bytes = this.#rest.length ? Buffer.concat([this.#rest, piece]) : piece;
    let at = 0;
    for (;;) {
      let tag = at;
      while (tag < bytes.length && bytes[tag] !== LT) tag++;
      if (tag === bytes.length) break;
      const next = this.#markup(bytes, at, tag);
      if (next < 0) break;
      at = next;
    }
    this.#rest = bytes.subarray(at);
    if (this.#rest.length > LIMITS.tokenBytes) throw this.#wrong('a tag or text in it is too long');
  }

  end(): void {
    if (!this.#begun) throw this.#wrong('it is empty');
    const last = this.#open.at(-1);
    if (last !== undefined) throw this.#wrong(`it is cut off before </${last}>`);
    if (this.#rest.toString('latin1').trim() !== '') throw this.#wrong('something follows its end');
  }

  /** Meets the text from `at` and the markup at `tag`; gives where it ends, or -1 when the piece ends first. */
  #markup(bytes: Buffer, at: number, tag: number): number {
    const second = bytes[tag + 1];
    if (second === BANG || second === QUESTION) return this.#aside(bytes, at, tag);
    const end = endOfTag(bytes, tag + 1);
    if (end < 0) return -1;
    if (tag > at || this.#textBefore.length) this.#text(bytes, at, tag);
    if (second === SLASH) this.#closeTag(bytes, tag + 2, end);
    else this.#openTag(bytes, tag + 1, end);
    return end + 1;
  }

  #openTag(bytes: Buffer, start: number, end: number): void {
    const empty = bytes[end - 1] === SLASH;
    const last = empty ? end - 1 : end;
    let nameStart = start;
    let nameEnd = start;
    for (; nameEnd < last && (bytes[nameEnd] as number) > SPACE; nameEnd++) {
      if (bytes[nameEnd] === COLON) nameStart = nameEnd + 1;
    }
    const name = this.#name(bytes, nameStart, nameEnd);
    if (this.#open.length === 0) this.#checkRoot(name);
    this.#events.open(name, this.#attributes.over(bytes, nameEnd, last));
    if (empty) this.#events.close(name);
    else this.#open.push(name);
    if (this.#open.length > LIMITS.xmlDepth) throw this.#wrong('its elements are nested too deep');
  }

  #closeTag(bytes: Buffer, start: number, end: number): void {
    let nameStart = start;
    let nameEnd = start;
    for (; nameEnd < end && (bytes[nameEnd] as number) > SPACE; nameEnd++) {
      if (bytes[nameEnd] === COLON) nameStart = nameEnd + 1;
    }
    const name = this.#name(bytes, nameStart, nameEnd);
    if (this.#open.pop() !== name) throw this.#wrong(`</${name}> closes what is not open`);
    this.#events.close(name);
  }

  #checkRoot(name: string): void {
    if (this.#begun) throw this.#wrong('it has more than one root');
    if (name !== this.#root) throw this.#wrong(`it is <${name}> where <${this.#root}> belongs`);
    this.#begun = true;
  }

  #text(bytes: Buffer, start: number, end: number): void {
    if (this.#textBefore.length === 0) {
      this.#events.text(bytes, start, end);
      return;
    }
    const whole = Buffer.concat([this.#textBefore, bytes.subarray(start, end)]);
    this.#textBefore = NOTHING;
    this.#events.text(whole, 0, whole.length);
  }

  /** Passes a comment or instruction, and keeps the text of a CDATA section in the escaped form. */
  #aside(bytes: Buffer, at: number, tag: number): number {
    const kind = ASIDES.find(({ open }) => bytes.subarray(tag, tag + open.length).equals(open));
    if (!kind) {
      if (bytes.length - tag < LONGEST_ASIDE) return -1;
      throw new UnreadableError(
        `${this.#place}: has a document type declaration, which no workbook needs and some attacks use: save it again as .xlsx`,
      );
    }
    const end = bytes.indexOf(kind.close, tag + kind.open.length);
    if (end < 0) return -1;
    const content = kind.isText ? escaped(bytes.subarray(tag + kind.open.length, end)) : NOTHING;
    this.#textBefore = Buffer.concat([this.#textBefore, bytes.subarray(at, tag), content]);
    if (this.#textBefore.length > LIMITS.tokenBytes) throw this.#wrong('a text in it is too long');
    return end + kind.close.length;
  }

  #name(bytes: Buffer, start: number, end: number): string {
    const first = bytes[start] as number;
    const slot = (first * 31 + (bytes[end - 1] as number) * 7 + (end - start)) % NAME_SLOTS;
    const known = this.#names[slot] as string;
    if (same(known, bytes, start, end)) return known;
    if (start >= end) throw this.#wrong('a tag in it has no name');
    // A property key is unique in memory, so that comparing names compares addresses.
    const [name = ''] = Object.keys({ [bytes.toString('utf8', start, end)]: 0 });
    this.#names[slot] = name;
    return name;
  }

  #wrong(how: string): UnreadableError {
    return damagedXml(this.#place, how);
  }
}

/** The attributes of the tag at hand: walked with `next`, or asked by name. Good until the event returns. */
export class Attributes {
  readonly #place: string;
  #bytes: Buffer = NOTHING;
  #at = 0;
  #start = 0;
  #end = 0;
  /** Of the attribute that `next` found. */
  nameStart = 0;
  nameEnd = 0;
  valueStart = 0;
  valueEnd = 0;

  constructor(place: string) {
    this.#place = place;
  }

  get bytes(): Buffer {
    return this.#bytes;
  }

  over(bytes: Buffer, start: number, end: number): this {
    this.#bytes = bytes;
    this.#at = start;
    this.#start = start;
    this.#end = end;
    return this;
  }

  /** Goes to the next attribute; false when there is none. */
  next(): boolean {
    const bytes = this.#bytes;
    const end = this.#end;
    let at = this.#at;
    while (at < end && (bytes[at] as number) <= SPACE) at++;
    if (at >= end) return false;
    this.nameStart = at;
    while (at < end && bytes[at] !== EQUALS && (bytes[at] as number) > SPACE) at++;
    this.nameEnd = at;
    while (at < end && (bytes[at] as number) <= SPACE) at++;
    if (bytes[at++] !== EQUALS) throw this.#wrong();
    while (at < end && (bytes[at] as number) <= SPACE) at++;
    const quote = bytes[at++];
    if (quote !== QUOTE && quote !== APOSTROPHE) throw this.#wrong();
    this.valueStart = at;
    while (at < end && bytes[at] !== quote) at++;
    if (at >= end) throw this.#wrong();
    this.valueEnd = at;
    this.#at = at + 1;
    return true;
  }

  /** The value of an attribute, whatever its prefix; `undefined` when the tag has none of that name. */
  get(name: string): string | undefined {
    this.#at = this.#start;
    while (this.next()) {
      const start = this.nameEnd - name.length;
      const whole = start === this.nameStart || (start > this.nameStart && this.#bytes[start - 1] === COLON);
      if (whole && same(name, this.#bytes, start, this.nameEnd)) {
        return textOf(this.#bytes, this.valueStart, this.valueEnd, this.#place);
      }
    }
    return undefined;
  }

  #wrong(): UnreadableError {
    return damagedXml(this.#place, 'an attribute in it is malformed');
  }
}

const texts = new TextCache();

/** Text as XML means it: entities resolved, line ends as `\n`. */
export function textOf(bytes: Buffer, start: number, end: number, place: string): string {
  let text = texts.get(bytes, start, end);
  if (text === undefined) throw damagedXml(place, 'a text in it is not valid UTF-8');
  if (text.includes('\r')) text = text.replace(/\r\n?/g, '\n');
  if (text.includes('&')) text = text.replace(/&([^;&]*);?/g, (whole, name) => entity(whole, name, place));
  return text;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function entity(whole: string, name: string, place: string): string {
  const known = Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined;
  const number = /^#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}))$/.exec(name);
  const codePoint = number ? Number.parseInt(number[1] ?? number[2] ?? '', number[1] ? 16 : 10) : 0;
  if (whole.endsWith(';') && known !== undefined) return known;
  if (whole.endsWith(';') && codePoint > 0 && codePoint <= 0x10ffff) return String.fromCodePoint(codePoint);
  throw damagedXml(place, `"${whole.slice(0, 20)}" in it is no XML entity`);
}

const escaped = (bytes: Buffer) => {
  const text = bytes.toString('latin1');
  return Buffer.from(text.replace(/&/g, '&amp;').replace(/</g, '&lt;'), 'latin1');
};

function endOfTag(bytes: Buffer, start: number): number {
  let quote = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (quote !== 0) {
      if (byte === quote) quote = 0;
    } else if (byte === GT) return at;
    else if (byte === QUOTE || byte === APOSTROPHE) quote = byte;
  }
  return -1;
}

function same(name: string, bytes: Buffer, start: number, end: number): boolean {
  if (name.length !== end - start || start >= end) return false;
  for (let i = 0; i < name.length; i++) if (name.charCodeAt(i) !== bytes[start + i]) return false;
  return true;
}

/** The pieces as UTF-8, whatever their encoding: a byte order mark, or else the XML declaration, names it. */
export async function* asUtf8(pieces: AsyncIterable<Buffer>, place: string): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | null | undefined;
  for await (const piece of pieces) {
    const first = decoder === undefined;
    if (decoder === undefined) decoder = decoderFor(piece, place);
    if (decoder) yield reencoded(piece, decoder, place);
    else yield first && piece[0] === 0xef ? piece.subarray(3) : piece;
  }
}

function reencoded(piece: Buffer, decoder: TextDecoder, place: string): Buffer {
  try {
    return Buffer.from(decoder.decode(piece, { stream: true }));
  } catch {
    throw damagedXml(place, `it is not valid ${decoder.encoding}`);
  }
}

/** `null` for UTF-8, which needs none. */
function decoderFor(head: Buffer, place: string): TextDecoder | null {
  if (head[0] === 0xff || head[1] === 0) return new TextDecoder('utf-16le', { fatal: true });
  if (head[0] === 0xfe || head[0] === 0) return new TextDecoder('utf-16be', { fatal: true });
  const declared = /^<\?xml[^>]*\sencoding\s*=\s*["']([^"']*)/.exec(head.toString('latin1', 0, 200))?.[1];
  if (declared === undefined || /^utf-?8$/i.test(declared)) return null;
  try {
    return new TextDecoder(declared, { fatal: true });
  } catch {
    throw damagedXml(place, `its encoding "${declared}" is not known`);
  }
}

const damagedXml = (place: string, how: string) =>
  new UnreadableError(
    `${place}: is damaged (${how}): open it in a spreadsheet program and save it again as .xlsx`,
  );
