// Walks the attributes of an XML tag, straight from the bytes.

import type { UnreadableError } from '../../../messages/fault.ts';
import type { Place } from '../../../messages/place.ts';
import { APOSTROPHE, COLON, EQUALS, QUOTE, SLASH, SPACE } from '../ascii.ts';
import { damagedXml } from './damage.ts';
import { textOf } from './text.ts';

const NOTHING = Buffer.alloc(0);

/** The attributes of one tag, to walk with `next` or to `get` by name. The object is valid until the listener returns. */
export class Attributes {
  readonly #place: Place;
  #bytes: Buffer = NOTHING;
  #at = 0;
  #start = 0;
  #end = 0;
  /** The positions of the name and the value of the attribute that `next` found. */
  nameStart = 0;
  nameEnd = 0;
  valueStart = 0;
  valueEnd = 0;

  constructor(place: Place) {
    this.#place = place;
  }

  get bytes(): Buffer {
    return this.#bytes;
  }

  /** Begins with the attributes of another tag, which are between these positions. */
  begin(bytes: Buffer, start: number, end: number): this {
    this.#bytes = bytes;
    this.#at = start;
    this.#start = start;
    this.#end = end;
    return this;
  }

  /** Moves to the next attribute; false at the end. */
  next(): boolean {
    const bytes = this.#bytes;
    const end = this.#end;
    let at = this.#at;
    while (at < end && (bytes[at] as number) <= SPACE) at++;
    if (at >= end) return false;
    this.nameStart = at;
    while (at < end && bytes[at] !== EQUALS && bytes[at] !== SLASH && (bytes[at] as number) > SPACE) at++;
    this.nameEnd = at;
    while (at < end && (bytes[at] as number) <= SPACE) at++;
    if (bytes[at++] !== EQUALS || this.nameEnd === this.nameStart) throw this.#wrong();
    while (at < end && (bytes[at] as number) <= SPACE) at++;
    const quote = bytes[at++];
    if (quote !== QUOTE && quote !== APOSTROPHE) throw this.#wrong();
    this.valueStart = at;
    while (at < end && bytes[at] !== quote) at++;
    if (at >= end) throw this.#wrong();
    this.valueEnd = at;
    this.#at = at + 1;
    if (at + 1 < end && (bytes[at + 1] as number) > SPACE) throw this.#wrong();
    return true;
  }

  /** The value of an attribute; `undefined` when the tag has none of that name. */
  get(name: string): string | undefined {
    return this.#find((start) => start === this.nameStart, name);
  }

  /** The value of an attribute with any prefix, such as `r:id`. */
  getPrefixed(name: string): string | undefined {
    return this.#find((start) => start === this.nameStart || this.#bytes[start - 1] === COLON, name);
  }

  /** Whether an attribute is given and true, as `xsd:boolean` writes it. */
  isOn(name: string): boolean {
    return /^(?:1|true)$/.test(this.get(name) ?? '');
  }

  /** Whether an attribute is given and false, as `xsd:boolean` writes it. */
  isOff(name: string): boolean {
    return /^(?:0|false)$/.test(this.get(name) ?? '');
  }

  /** Reads the remaining attributes, so that malformed ones are found. */
  finish(): void {
    while (this.next());
  }

  #find(mayBegin: (start: number) => boolean, name: string): string | undefined {
    let found: string | undefined;
    this.#at = this.#start;
    while (this.next()) {
      const start = this.nameEnd - name.length;
      if (start < this.nameStart || !mayBegin(start)) continue;
      if (!isSame(name, this.#bytes, start, this.nameEnd)) continue;
      if (found !== undefined) throw this.twice(name);
      found = textOf(this.#bytes, this.valueStart, this.valueEnd, this.#place);
    }
    return found;
  }

  /** The error for an attribute that a tag has twice. */
  twice(name: string): UnreadableError {
    return damagedXml(this.#place, `an element in it has the attribute ${name} twice`);
  }

  #wrong(): UnreadableError {
    return damagedXml(this.#place, 'an attribute in it is malformed');
  }
}

/** The number of items that a list declares; 0 when it declares none. */
export const countIn = (text = ''): number => (/^\d+$/.test(text) ? Number(text) : 0);

/** Whether these bytes are the name, which is ASCII. */
export function isSame(name: string, bytes: Buffer, start: number, end: number): boolean {
  if (name.length !== end - start || start >= end) return false;
  for (let i = 0; i < name.length; i++) if (name.charCodeAt(i) !== bytes[start + i]) return false;
  return true;
}
