// Makes text from outside safe to show: control characters and invisible characters become visible escapes.

/**
 * The text in one line, for a terminal, a log or a page. A line break becomes `\n`, an escape character `\u001b`, a change
 * of direction `\u202e`. Other text stays as it is, so applying it twice does no harm.
 *
 * Every text from outside, such as a cell, a sheet's name, a file name, a label or an argument, must pass through this
 * function before it is shown. HTML, SQL and JSON still need their own quoting.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => SHORT[character] ?? escaped(character));
}

/** Escapes the characters of a JSON text that would act on a terminal. The result is JSON of the same data. */
export function printableJson(json: string): string {
  // Line breaks stay. `JSON.stringify` writes no other such character outside strings.
  return json.replace(UNPRINTABLE, (character) =>
    character === '\n'
      ? character
      : [...Array(character.length).keys()].map((i) => unit(character, i)).join(''),
  );
}

/**
 * Matches control characters (C0, delete, C1), line and paragraph separators, lone surrogates, and invisible format
 * characters, such as changes of direction. It does not match the two joiners (U+200C, U+200D), which are part of
 * ordinary words and emoji.
 */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|(?![\u200c\u200d])\p{Cf}/gu;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** The escape of a character: `\u200b`, `\u{e0041}`. */
export function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : unit(character, 0);
}

const unit = (text: string, index: number) => `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`;
