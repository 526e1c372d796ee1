// Turns the text of XML into strings.

import type { Place } from '../../../messages/place.ts';
import { TextCache } from '../textCache.ts';
import { damagedXml } from './damage.ts';

const texts = new TextCache();

/**
 * A place, or a function that makes it. The place of a cell is made only when a message needs it, because that takes as
 * long as reading the cell.
 */
export type PlaceOrMaker = Place | (() => Place);

/** The text of these bytes, with entities resolved and line ends as `\n`. */
export function textOf(bytes: Buffer, start: number, end: number, place: PlaceOrMaker): string {
  let text = texts.get(bytes, start, end);
  if (text === undefined) throw damagedXml(made(place), 'a text in it is not valid UTF-8');
  if (text.includes('\r')) text = text.replace(/\r\n?/g, '\n');
  if (text.includes('&')) text = text.replace(/&([^;&]*);?/g, (whole, name) => entity(whole, name, place));
  return text;
}

const made = (place: PlaceOrMaker): Place => (typeof place === 'function' ? place() : place);

/** The entities of XML, by their names. */
export const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
};

function entity(whole: string, name: string, place: PlaceOrMaker): string {
  const known = Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined;
  const number = /^#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}))$/.exec(name);
  const codePoint = number ? Number.parseInt(number[1] ?? number[2] ?? '', number[1] ? 16 : 10) : 0;
  if (whole.endsWith(';') && known !== undefined) return known;
  const isCharacter = codePoint > 0 && codePoint <= 0x10ffff && !(codePoint >= 0xd800 && codePoint <= 0xdfff);
  if (whole.endsWith(';') && isCharacter) return String.fromCodePoint(codePoint);
  throw damagedXml(made(place), `"${whole.slice(0, 20)}" in it is not an XML entity`);
}
