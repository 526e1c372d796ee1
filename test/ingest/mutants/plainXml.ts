// Parses a whole XML document exactly by its grammar. Whatever this parser refuses is not well-formed.

import { isUtf8 as isValidUtf8 } from 'node:buffer';

/** An element. Its name has no prefix, and its attributes and texts are as in the file. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly children: readonly (XmlElement | string)[];
}

/** Thrown for XML that is not well-formed, or that this parser does not judge. */
export class NotPlain extends Error {}

/** The root element. Throws NotPlain for XML that is not well-formed or has a DTD. */
export function parseXml(bytes: Uint8Array): XmlElement {
  const xml = decoded(Buffer.from(bytes)).replace(/\r\n?/g, '\n');
  const top: XmlElement = { name: '', attributes: [], children: [] };
  const open: XmlElement[] = [top];
  TOKEN.lastIndex = 0;
  for (let at = 0; at < xml.length; at = TOKEN.lastIndex) {
    const token = TOKEN.exec(xml)?.groups;
    if (!token) throw new NotPlain(`not well-formed at character ${at}`);
    const parent = open.at(-1) as XmlElement;
    const add = (child: XmlElement | string) => (parent.children as (XmlElement | string)[]).push(child);
    if (token.text !== undefined) {
      add(token.text);
    } else if (token.cdata !== undefined) add(token.cdata.replaceAll('&', '&amp;'));
    else if (token.close !== undefined) {
      if (open.length === 1 || parent.name !== local(token.close)) throw new NotPlain(`</${token.close}>`);
      open.pop();
    } else if (token.open !== undefined) {
      const child = {
        name: local(token.open),
        attributes: attributesOf(token.attributes ?? ''),
        children: [],
      };
      add(child);
      if (token.empty !== '/') open.push(child);
    }
  }
  if (open.length > 1) throw new NotPlain(`not closed: ${open.at(-1)?.name}`);
  const elements = top.children.filter((child) => typeof child !== 'string');
  const [root] = elements;
  const texts = top.children.filter((child) => typeof child === 'string');
  if (elements.length !== 1 || root === undefined || texts.some((t) => t.trim() !== ''))
    throw new NotPlain('not one root');
  return root;
}

const NAME = '(?:[^\\s<>/="\':]*:)?[\\p{L}_][\\p{L}\\p{N}\\p{M}_.\\-]*';
const ATTRIBUTE = `[\\s\\p{Cc}]+[^\\s=<>"'/]+[\\s\\p{Cc}]*=[\\s\\p{Cc}]*(?:"[^"<]*"|'[^'<]*')`;
const TOKEN = new RegExp(
  `<!--(?<comment>[^]*?)-->|<!\\[CDATA\\[(?<cdata>[^]*?)\\]\\]>|<\\?(?<instruction>[^]*?)\\?>` +
    `|</(?<close>${NAME})\\s*>|<(?<open>${NAME})(?<attributes>(?:${ATTRIBUTE})*)[\\s\\p{Cc}]*(?<empty>/?)>|(?<text>[^<]+)`,
  'uy',
);

const local = (name: string) => name.slice(name.indexOf(':') + 1);

const attributesOf = (text: string) =>
  [...text.matchAll(/([^\s\p{Cc}=]+)[\s\p{Cc}]*=[\s\p{Cc}]*("[^"]*"|'[^']*')/gu)].map(
    ([, name = '', value = '']) => [name, value.slice(1, -1)] as const,
  );

/**
 * The value of an attribute without a prefix, or with any prefix if `prefixed` is true. Throws NotPlain when it
 * occurs twice.
 */
export function attributeOf({ attributes }: XmlElement, name: string, prefixed = false): string | undefined {
  const [found, second] = attributes.filter(
    ([own]) => own === name || (prefixed && own.endsWith(`:${name}`)),
  );
  if (second !== undefined) throw new NotPlain(`attribute ${name} twice`);
  return found === undefined ? undefined : resolved(found[1]);
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/**
 * An attribute or text with its entities replaced. Throws NotPlain for unknown entities and for bytes that are not
 * UTF-8.
 */
export function resolved(text: string): string {
  if (text.includes('\ufffd')) throw new NotPlain('not UTF-8');
  return text.replace(/&([^;&]*)(;?)/g, (_, name: string, end: string) => {
    const point = /^#(?:x([0-9a-f]+)|(\d+))$/i.exec(name);
    const character = point
      ? fromPoint(point[1] ? Number.parseInt(point[1], 16) : Number(point[2]))
      : Object.hasOwn(ENTITIES, name)
        ? ENTITIES[name]
        : undefined;
    if (end !== ';' || character === undefined) throw new NotPlain(`&${name}`);
    return character;
  });
}

function fromPoint(point: number): string | undefined {
  const allowed = point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
  return allowed ? String.fromCodePoint(point) : undefined;
}

function decoded(bytes: Buffer): string {
  const [a, b, c] = bytes;
  const utf16 = a === 0xff && b === 0xfe ? 'utf-16le' : a === 0xfe && b === 0xff ? 'utf-16be' : null;
  const bare = a === 0x3c && b === 0 ? 'utf-16le' : a === 0 && b === 0x3c ? 'utf-16be' : null;
  const declared = /^<\?xml[^>]*?encoding\s*=\s*["']([^"']+)/.exec(bytes.toString('latin1', 0, 200))?.[1];
  const label = utf16 ?? bare ?? (a === 0xef && b === 0xbb && c === 0xbf ? 'utf-8' : (declared ?? 'utf-8'));
  try {
    // A part that declares UTF-16, but can be read byte by byte, is not in UTF-16.
    const isUtf8 = /^utf-?(8|16)$/i.test(label);
    const text = new TextDecoder(isUtf8 ? 'utf-8' : label, { fatal: !isUtf8 }).decode(bytes, {
      stream: true,
    });
    // In valid UTF-8, a replacement character is in the file itself. Otherwise it stands for bytes that could not be
    // decoded.
    return isValidUtf8(bytes) ? text.replaceAll('\ufffd', '&#xfffd;') : text;
  } catch {
    throw new NotPlain(`not ${label}`);
  }
}
