// Wraps text at spaces, so that a terminal does not break lines within words. An option stays on a line with its value.

import { displayWidth } from './table.ts';

/**
 * The text in lines of at most `width` characters. The first line begins with `indent`, the others with `hanging`. A
 * word that is longer than a line gets a line of its own. Without `width` there is only one line.
 */
export function wrapped(text: string, indent: string, hanging: string, width?: number): string {
  if (width === undefined) return `${indent}${text}\n`;
  const lines: string[] = [];
  let line = indent;
  let isFresh = true;
  for (const word of text.split(BETWEEN_WORDS)) {
    if (!isFresh && displayWidth(line) + 1 + displayWidth(word) > width) {
      lines.push(line);
      line = hanging;
      isFresh = true;
    }
    line += isFresh ? word : ` ${word}`;
    isFresh = false;
  }
  return [...lines, line].map((each) => `${each}\n`).join('');
}

/** Matches spaces at which a line may end: not those between an option and its value, before `%` or after `→`. */
const BETWEEN_WORDS = /(?<!(?:^|\s)\(?--[a-z][a-z-]*|→) (?!%)/;
