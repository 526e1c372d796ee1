// The texts of the explorer are in src/explorer/texts/ and labels.ts, so that one person can read them all.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

const VIEWS = path.join('src', 'explorer', 'views');

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

/** Names of formats, which are the same in every language. */
const NAMES = ['SVG', 'PNG'];

describe('the texts of the explorer', () => {
  it('are in texts/ and labels.ts: no view has words of its own', () => {
    const found = readdirSync(VIEWS).flatMap((file) => {
      const source = readFileSync(path.join(VIEWS, file), 'utf8').replace(/^\s*(\/\/|\*|\/\*\*).*$/gm, '');
      return TEXTS.flatMap((pattern) =>
        [...source.matchAll(pattern)]
          .map(([, text = '']) => `${file}: ${text}`)
          .filter((text) => !NAMES.some((name) => text.endsWith(`: ${name}`))),
      );
    });
    expect(found).toEqual([]);
  });
});
