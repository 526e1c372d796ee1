// Separates the footnote marks of a text, which are superscript, from the text itself.

import type { Footnoted } from './raw.ts';

/** A piece of a text, in its order. */
export interface TextRun {
  readonly text: string;
  /** Whether it is shown as superscript or subscript. */
  readonly raised: boolean;
  /** Whether it is struck out, because the text beside it replaced it. */
  readonly struck?: boolean;
}

/** Whether a text is struck out as a whole, white space aside. */
export const isStruckOut = (runs: readonly TextRun[]): boolean =>
  runs.some(({ struck }) => struck === true) &&
  runs.every(({ text, struck }) => struck === true || text.trim() === '');

/**
 * The text of the runs, as plain text when no part or every part is raised or struck out: that is only a style then.
 * Otherwise these parts are marks: `4012360` with a raised `2` must not become 40123602.
 */
export function textOfRuns(runs: readonly TextRun[]): string | Footnoted {
  const [first, ...others] = runs;
  if (first && others.length === 0 && !first.raised && first.struck !== true && !RAISED.test(first.text))
    return first.text;
  const parts = runs.flatMap(({ text, raised, struck }) =>
    raised || struck === true ? [{ text, raised: true }] : split(text),
  );
  const value = textOf(parts, false);
  const mark = textOf(parts, true);
  // Raised or struck out white space is no mark, and it still parts the words beside it.
  if (mark.trim() === '' || value.trim() === '') return runs.map(({ text }) => text).join('');
  const text = parts.map((part) => (part.raised ? raised(part.text) : part.text)).join('');
  return { kind: 'footnoted', value, mark: mark.normalize('NFKC').trim(), text };
}

/** The same for a text without runs, where superscript characters such as `¹` are the marks. */
export const textOrFootnoted = (text: string): string | Footnoted =>
  RAISED.test(text) ? textOfRuns([{ text, raised: false }]) : text;

/** Superscript and subscript digits, letters and signs (Unicode: Latin-1 and U+2070 to U+209C). */
const RAISED = /[\u00b9\u00b2\u00b3\u2070-\u209c]/;
const RAISED_PARTS = /([\u00b9\u00b2\u00b3\u2070-\u209c]+)/;

/** Every second part that the pattern's group yields is what it found. */
const split = (text: string): TextRun[] =>
  text.split(RAISED_PARTS).map((part, i) => ({ text: part, raised: i % 2 === 1 }));

const textOf = (parts: readonly TextRun[], raised: boolean) =>
  parts
    .filter((part) => part.raised === raised)
    .map(({ text }) => text)
    .join('');

/** The mark in superscript characters, because nobody reads `4012360²` as a number. */
const raised = (mark: string) => mark.replace(/[0-9]/g, (digit) => SUPERSCRIPTS[Number(digit)] ?? digit);

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
