// Walks XML as it streams in, for the readers of workbooks: `walkXml` walks a whole part, `XmlWalker` one piece at a time.

import { UnreadableError } from '../../../messages/fault.ts';
import type { Place } from '../../../messages/place.ts';
import { APOSTROPHE, BANG, COLON, CR, GT, LF, LT, QUESTION, QUOTE, SLASH, SPACE, TAB } from '../ascii.ts';
import { LIMITS } from '../sourceLimits.ts';
import { Attributes, isSame } from './attributes.ts';
import { damagedXml } from './damage.ts';
import { asUtf8 } from './encoding.ts';

/**
 * The events of a walk. Names come without their prefix, because programs choose different prefixes for the same element.
 * `depth` is that of the element which opens, closes or holds the text: 1 for the root, 2 for an element in it, and so on.
 */
export interface XmlEvents {
  open(name: string, attributes: Attributes, depth: number): void;
  /**
   * All text between two tags, as it is written in the file. `textOf` turns it into a string. The bytes are valid until the
   * call returns.
   */
  text?(bytes: Buffer, start: number, end: number, depth: number): void;
  close?(name: string, depth: number): void;
  /**
   * Reads elements from `at` on without the walker, which is faster for elements whose commonest form is known byte for
   * byte. Returns where the first element begins that the walker must read.
   */
  skim?(bytes: Buffer, at: number): number;
}

/**
 * Walks a part from its pieces.
 *
 * @param root The name of its root element.
 * @param place The place of the part for messages.
 * @throws {UnreadableError} for XML that is cut off or not well-formed, or has another root or a DTD. No spreadsheet
 * program writes a DTD, and its entities can expand to any size.
 */
export async function walkXml(
  pieces: AsyncIterable<Buffer>,
  root: string,
  place: Place,
  events: XmlEvents,
): Promise<void> {
  const walker = new XmlWalker(root, place, events);
  for await (const piece of asUtf8(pieces, place)) walker.push(piece);
  walker.end();
}

const OTHER_MARKUP = [
  { open: Buffer.from('<?'), close: '?>', isText: false },
  { open: Buffer.from('<!--'), close: '-->', isText: false },
  { open: Buffer.from('<![CDATA['), close: ']]>', isText: true },
];
const LONGEST_OPENING = 9;
const NAME_SLOTS = 256;
const NAME = /^[\p{L}_][\p{L}\p{N}\p{M}_.-]*$/u;
const NOTHING = Buffer.alloc(0);

/** Walks piece by piece, for callers that work between two pieces. */
export class XmlWalker {
  readonly #root: string;
  readonly #place: Place;
  readonly #events: XmlEvents;
  readonly #attributes: Attributes;
  /** A cache of names, because a sheet repeats a few of them millions of times. */
  readonly #names: string[] = new Array(NAME_SLOTS).fill('');
  readonly #open: string[] = [];
  #nameEnd = 0;
  #begun = false;
  /** The unfinished tag or text at the end of the last piece. */
  #rest: Buffer = NOTHING;
  /** The parts so far of a text that continues behind a comment or CDATA section. */
  #textBefore: Buffer[] = [];
  #textBeforeBytes = 0;

  constructor(root: string, place: Place, events: XmlEvents) {
    this.#root = root;
    this.#place = place;
    this.#events = events;
    this.#attributes = new Attributes(place);
  }

  /** The number of bytes of the unfinished tag or text. */
  get pendingBytes(): number {
    return this.#rest.length;
  }

  /** Whether all bytes so far have been reported. Only then may a caller read the following elements itself. */
  get isIdle(): boolean {
    return this.#rest.length === 0 && this.#textBeforeBytes === 0;
  }

  push(piece: Buffer): void {
    const bytes = this.#rest.length ? Buffer.concat([this.#rest, piece]) : piece;
    let at = 0;
    for (;;) {
      // Nothing is skimmed after a comment within a text, because the parts of the text must be joined first.
      if (this.#textBeforeBytes === 0) at = this.#events.skim?.(bytes, at) ?? at;
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

  /** Ends the walk. Throws UnreadableError when the XML is empty or an element is still open. */
  end(): void {
    if (!this.#begun) throw this.#wrong('it is empty');
    const last = this.#open.at(-1);
    if (last !== undefined) throw this.#wrong(`it is cut off before </${last}>`);
    this.#text(this.#rest, 0, this.#rest.length);
  }

  /**
   * Reports the text from `at` on and the markup at `tag`. Returns where the markup ends, or -1 when the piece ends before
   * it.
   */
  #markup(bytes: Buffer, at: number, tag: number): number {
    const second = bytes[tag + 1];
    if (second === BANG || second === QUESTION) return this.#otherMarkup(bytes, at, tag);
    const end = endOfTag(bytes, tag + 1);
    if (end < 0) return -1;
    if (bytes[end] === LT) throw this.#wrong('a tag in it does not end');
    if (tag > at || this.#textBeforeBytes > 0) this.#text(bytes, at, tag);
    if (second === SLASH) this.#closeTag(bytes, tag + 2, end);
    else this.#openTag(bytes, tag + 1, end);
    return end + 1;
  }

  #openTag(bytes: Buffer, start: number, end: number): void {
    const empty = bytes[end - 1] === SLASH;
    const last = empty ? end - 1 : end;
    const name = this.#name(bytes, start, last);
    if (this.#open.length === 0) this.#checkRoot(name);
    const attributes = this.#attributes.begin(bytes, this.#nameEnd, last);
    const depth = this.#open.length + 1;
    this.#events.open(name, attributes, depth);
    if (this.#nameEnd < last) attributes.finish();
    if (empty) this.#events.close?.(name, depth);
    else this.#open.push(name);
    if (this.#open.length > LIMITS.xmlDepth) throw this.#wrong('its elements are nested too deep');
  }

  #closeTag(bytes: Buffer, start: number, end: number): void {
    const name = this.#name(bytes, start, end);
    if (this.#open.pop() !== name || !isSpace(bytes, this.#nameEnd, end)) {
      throw this.#wrong(`</${name}> closes what is not open`);
    }
    this.#events.close?.(name, this.#open.length + 1);
  }

  #checkRoot(name: string): void {
    if (this.#begun) throw this.#wrong('it has more than one root');
    if (name !== this.#root) throw this.#wrong(`it is <${name}> where <${this.#root}> belongs`);
    this.#begun = true;
  }

  #text(bytes: Buffer, start: number, end: number): void {
    const pieces = this.#textBefore;
    if (this.#textBeforeBytes > 0) {
      this.#textBefore = [];
      this.#textBeforeBytes = 0;
      const whole = Buffer.concat([...pieces, bytes.subarray(start, end)]);
      this.#text(whole, 0, whole.length);
    } else if (this.#open.length > 0) this.#events.text?.(bytes, start, end, this.#open.length);
    else if (!isSpace(bytes, start, end)) {
      throw this.#wrong(this.#begun ? 'something follows its end' : 'something stands before its beginning');
    }
  }

  /** Skips a comment or instruction. Stores the text of a CDATA section in its escaped form. */
  #otherMarkup(bytes: Buffer, at: number, tag: number): number {
    const kind = OTHER_MARKUP.find(({ open }) => bytes.subarray(tag, tag + open.length).equals(open));
    if (!kind) {
      if (bytes.length - tag < LONGEST_OPENING) return -1;
      throw new UnreadableError({
        place: this.#place,
        problem: 'has a document type declaration, which no workbook needs and some attacks use',
        remedy: 'save it again as .xlsx',
      });
    }
    const end = bytes.indexOf(kind.close, tag + kind.open.length);
    if (end < 0) return -1;
    const content = kind.isText ? escaped(bytes.subarray(tag + kind.open.length, end)) : NOTHING;
    // The bytes are copied, because the buffer of the piece is used again.
    for (const text of [Buffer.from(bytes.subarray(at, tag)), content]) {
      if (text.length > 0) this.#textBefore.push(text);
      this.#textBeforeBytes += text.length;
    }
    if (this.#textBeforeBytes > LIMITS.tokenBytes) throw this.#wrong('a text in it is too long');
    return end + kind.close.length;
  }

  /** The name at the beginning of a tag, without its prefix. Sets `#nameEnd` to where it ends. */
  #name(bytes: Buffer, tagStart: number, tagEnd: number): string {
    let start = tagStart;
    let end = tagStart;
    for (; end < tagEnd && (bytes[end] as number) > SPACE; end++)
      if (bytes[end] === COLON) {
        if (start > tagStart) throw this.#wrong('a tag in it has an impossible name');
        start = end + 1;
      }
    this.#nameEnd = end;
    if (start === end) throw this.#wrong('a tag in it has no name');
    const slot =
      ((bytes[start] as number) * 31 + (bytes[end - 1] as number) * 7 + (end - start)) % NAME_SLOTS;
    const known = this.#names[slot] as string;
    if (isSame(known, bytes, start, end)) return known;
    // V8 has a single copy of each property key, so a comparison of two names compares only their addresses.
    const [name = ''] = Object.keys({ [bytes.toString('utf8', start, end)]: 0 });
    if (!NAME.test(name)) throw this.#wrong('a tag in it has an impossible name');
    this.#names[slot] = name;
    return name;
  }

  #wrong(damage: string): UnreadableError {
    return damagedXml(this.#place, damage);
  }
}

const escaped = (bytes: Buffer) => {
  const text = bytes.toString('latin1');
  return Buffer.from(text.replace(/&/g, '&amp;').replace(/</g, '&lt;'), 'latin1');
};

/** Whether these bytes are white space. */
export function isSpace(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at];
    if (byte !== SPACE && byte !== TAB && byte !== LF && byte !== CR) return false;
  }
  return true;
}

/** The position of the `>` that ends the tag, or of a `<`, which is an error in a tag; -1 when the piece ends before it. */
function endOfTag(bytes: Buffer, start: number): number {
  let quote = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === LT) return at;
    if (quote !== 0) {
      if (byte === quote) quote = 0;
    } else if (byte === GT) return at;
    else if (byte === QUOTE || byte === APOSTROPHE) quote = byte;
  }
  return -1;
}
