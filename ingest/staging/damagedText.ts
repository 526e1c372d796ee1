// Recognises damaged texts: invisible characters, letters of two alphabets, lost letters, HTML codes, a wrong encoding.

import { codePoint, withEscaped } from '../messages/characters.ts';
import type { Diagnostic } from '../messages/fault.ts';

/** The fault of a damaged text; null for an ordinary text. The words of the problem follow the name of the dimension. */
export function damagedTextFault(text: string): Diagnostic | null {
  const [code] = HTML_CODE.exec(text) ?? [];
  if (code !== undefined)
    return {
      problem: `"${text}" holds "${code}", which stands for a character in HTML`,
      remedy: 'write the character itself',
    };
  const shown = text.replace(/\s/g, ' ');
  const [lostLetter] = LOST.exec(text) ?? [];
  if (lostLetter !== undefined)
    return {
      problem: `"${shown}" holds "${lostLetter}" where a letter was probably lost`,
      remedy: 'type the letter, and export the file as UTF-8',
    };
  if (ASCII.test(text)) return null;
  const original = decodedAsUtf8(text);
  if (original !== null)
    return {
      problem: `"${shown}" is "${original}" in a wrong encoding`,
      remedy: 'read the file as UTF-8 in the program that wrote this one, and export it again',
    };
  const [invisible] = INVISIBLE.exec(text) ?? [];
  if (invisible !== undefined && /[\n\r\u2028\u2029]/.test(invisible))
    return { problem: `"${shown}" holds a line break`, remedy: 'write a space in its place' };
  if (invisible !== undefined)
    return {
      problem: `"${withEscaped(shown, invisible)}" holds the character ${codePoint(invisible)}`,
      remedy: 'delete it',
    };
  const [, before, after] = TWO_ALPHABETS.exec(text) ?? [];
  const letter = before ?? after;
  if (letter === undefined) return null;
  return {
    problem: `"${shown}" mixes two alphabets: "${letter}" is ${codePoint(letter)}, no Latin letter`,
    remedy: inOneAlphabet(text),
  };
}

/** Matches `&amp;`, `&#39;` and `&#x27;`. */
const HTML_CODE = /&(?:[a-z]{2,8}\d{0,2}|#\d{1,7}|#x[\da-f]{1,6});/i;

/** The mark that a program writes for a letter that its encoding does not have, as in `R?union`. */
const LOST = /(?<=\p{L})\?(?=\p{Ll})|(?<=^|\s)\?(?=\p{Ll})|\ufffd/u;

const ASCII = /^[ -~]*$/;

/**
 * Matches control characters, lone surrogates and characters that show nothing. It matches joiners and variation selectors
 * only behind ASCII characters, because other scripts need them.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cs}\u2028\u2029]|(?!\u200c|\u200d|[\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}|(?<=[ -~])(?:\u200c|\u200d|[\ufe00-\ufe0f])/u;

/** Cyrillic and Greek letters that look like Latin ones. `LATIN` has the Latin letter at the same index. */
const ALIKE = 'АВЕЅІЈКМНОРСТУХԚԜаеѕіјорсухԛԝһΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυ';
const LATIN = 'ABESIJKMHOPCTYXQWaesijopcyxqwhABEZHIKMNOPTYXaikvopu';

function inOneAlphabet(text: string): string {
  const latin = Array.from(text, (letter) => LATIN[ALIKE.indexOf(letter)] ?? letter).join('');
  return /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(latin)
    ? 'type the word again in one alphabet'
    : `type "${latin}" in Latin letters`;
}

/** Captures a letter of `ALIKE` beside a Latin letter. */
const TWO_ALPHABETS = new RegExp(
  `\\p{Script=Latin}\\p{M}*([${ALIKE}])|([${ALIKE}])\\p{M}*\\p{Script=Latin}`,
  'u',
);

/** The original of a UTF-8 text that was decoded as Windows-1252: `Åland` for `Ã…land`. Null for other texts. */
function decodedAsUtf8(text: string): string | null {
  if (!/[ÂÃÄÅâ]/.test(text)) return null;
  const bytes = Array.from(text, (character) => {
    const at = WINDOWS_1252.indexOf(character);
    return at >= 0 ? FIRST_OF_WINDOWS_1252 + at : (character.codePointAt(0) ?? 0);
  });
  if (bytes.some((byte) => byte > 0xff)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
  } catch {
    return null;
  }
}

/**
 * The characters of the bytes 0x80 to 0x9F in Windows-1252. Windows-1252 does not define five of these bytes. They have
 * their Latin-1 characters here.
 */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
const FIRST_OF_WINDOWS_1252 = 0x80;
