// Names single characters in messages, also those that show nothing.

import { escaped } from '../../src/text/printable.ts';

/** The code point of a character: `U+200B`. */
export const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** The text with the escape of a character, such as `\u200d`, in place of the character. */
export const withEscaped = (text: string, character: string): string =>
  text.replaceAll(character, escaped(character));
