// The texts of the explorer are in src/explorer/texts/ and labels.ts, so that one person can read them all.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

const EXPLORER = path.join('src', 'explorer');
const VIEWS = path.join(EXPLORER, 'views');

/** The words that people read in a view. */
const TEXTS = [
  // Between two tags or expressions.
  /(?<!=)>\s*([A-Za-z][A-Za-z ,.’“”]{2,}?)\s*[<{]/g,
  /\} ((?!else|catch|finally)[A-Za-z][A-Za-z ,.’“”]{2,}?)\s*[<{]/g,
  /(?:aria-label|label|title|placeholder)="([^"$]*[A-Za-z]{3}[^"$]*)"/g,
  // In a string that goes on with a sentence, or has a typographic character.
  /(?<=[\s([{])'([,.:;] [A-Za-z][^'\n]*|[^'\n]*[’“”…][^'\n]*)'/g,
  // In a template literal, a word before a value, and words after the last one.
  /([A-Za-z]{2,}[,.:]? [“(]?)\$\{/g,
  /\}( [A-Za-z]{2,}[^`{}\n]*)`/g,
];

/** A string of several words in small letters. */
const SMALL_WORDS = /'([a-z]+(?: [a-z]+)+)'/g;

/** The strings that code compares. Nobody reads them. */
const COMPARED = new Set(
  readdirSync(EXPLORER, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => [
      ...readFileSync(path.join(EXPLORER, file), 'utf8').matchAll(/(?:[|]|[!=]==|case|kind:) '([^'\n]+)'/g),
    ])
    .map(([, text]) => text),
);
/** The classes of the style sheet. A string may list several. */
const CLASSES = new Set(
  [...readFileSync(path.join(EXPLORER, 'style.css'), 'utf8').matchAll(/\.([a-z][\w-]*)/g)].map(
    ([, name]) => name,
  ),
);
const isRead = (text: string) => !COMPARED.has(text) && !text.split(' ').every((name) => CLASSES.has(name));

/** Names of formats, which are the same in every language. */
const NAMES = ['SVG', 'PNG'];

describe('the texts of the explorer', () => {
  it('are in texts/ and labels.ts: no view has words of its own', () => {
    const found = readdirSync(VIEWS).flatMap((file) => {
      const source = readFileSync(path.join(VIEWS, file), 'utf8').replace(/^\s*(\/\/|\*|\/\*\*).*$/gm, '');
      const textsIn = (pattern: RegExp) => Array.from(source.matchAll(pattern), ([, text = '']) => text);
      const texts = TEXTS.flatMap(textsIn).filter((text) => !NAMES.includes(text));
      return [...texts, ...textsIn(SMALL_WORDS).filter(isRead)].map((text) => `${file}: ${text}`);
    });
    expect(found).toEqual([]);
  });
});
