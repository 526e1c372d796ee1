// Makes text from outside safe to show: control and bidirectional characters become visible escapes.

/**
 * The text on one line, fit for a terminal, a log and a page: a line break becomes `\n`, an escape `\u001b`, a change of
 * direction `\u202e`. Text without such characters is returned as it is; applied twice, it changes nothing more.
 *
 * Every text from a source (cell, sheet name, file name, label, argument) passes it before it is shown. It does not
 * replace quoting for HTML, SQL or JSON.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => SHORT[character] ?? escaped(character));
}

/** A JSON text in which no character acts on a terminal; it is read back as the very same data. */
export function printableJson(json: string): string {
  // Outside of strings JSON has no such characters but the line breaks and spaces that lay it out.
  return json.replace(UNPRINTABLE, (character) =>
    character === '\n'
      ? character
      : [...Array(character.length).keys()].map((i) => unit(character, i)).join(''),
  );
}

/**
 * Controls (C0, delete, C1), line and paragraph separators, lone surrogates, and invisible format characters, changes of
 * direction among them. The two joiners (U+200C, U+200D) are part of honest words and emoji.
 */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|(?![\u200c\u200d])\p{Cf}/gu;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : unit(character, 0);
}

const unit = (text: string, at: number) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`;
