// Separates the footnote marks of a text, which are superscript, from the text itself.

import { type Cell, type Footnoted, isKind } from './rawFile.ts';

/** A part of a text with one format. */
export interface TextRun {
  readonly text: string;
  /** Whether the part is shown as superscript or subscript. */
  readonly raised: boolean;
  /** Whether the part is struck out, which people do when the text beside it replaces it. */
  readonly struck?: boolean;
  /** The colour of the part, where the reader knows it; undefined for a part in the colour of its cell. */
  readonly colour?: string | undefined;
}

/** Whether the whole text is struck out. White space does not count. */
export const isStruckOut = (runs: readonly TextRun[]): boolean =>
  runs.some(({ struck }) => struck === true) &&
  runs.every(({ text, struck }) => struck === true || text.trim() === '');

/**
 * The text of the runs. Parts that are raised or struck out are marks, so that `4012360` with a raised `2` does not become
 * 40123602. A text that is raised or struck out as a whole has only a style, and stays a plain text. An exception is a text
 * of nothing but one or two raised digits, which is a mark. It gets superscript characters, so that it is not read as a
 * number.
 */
export function textOfRuns(runs: readonly TextRun[]): string | Footnoted {
  const [first, ...others] = runs;
  if (first && others.length === 0 && !first.raised && !RAISED.test(first.text)) return first.text;
  const parts = runs.flatMap(({ text, raised, struck }) =>
    raised || struck === true ? [{ text, raised: true }] : split(text),
  );
  const value = textOf(parts, false);
  const mark = textOf(parts, true);
  // White space that is raised or struck out is not a mark. It stays in the text, because it separates words.
  if (value.trim() === '' && runs.every(isRaisedDigits)) return raised(mark);
  if (mark.trim() === '' || value.trim() === '') return runs.map(({ text }) => text).join('');
  const text = parts.map((part) => (part.raised ? raised(part.text) : part.text)).join('');
  return { kind: 'footnoted', value, mark: mark.normalize('NFKC').trim(), text };
}

/** The text of a cell without formats. Its marks are superscript characters, such as `¹`. */
export const textOrFootnoted = (text: string): string | Footnoted =>
  RAISED.test(text) ? textOfRuns([{ text, raised: false }]) : text;

/** Superscript and subscript digits, letters and signs (Unicode: Latin-1 and U+2070 to U+209C). */
const RAISED = /[\u00b9\u00b2\u00b3\u2070-\u209c]/;
const RAISED_PARTS = /([\u00b9\u00b2\u00b3\u2070-\u209c]+)/;

/** Splits a text into raised and other parts. Because the pattern has a group, the raised parts are at the odd indexes. */
const split = (text: string): TextRun[] =>
  text.split(RAISED_PARTS).map((part, i) => ({ text: part, raised: i % 2 === 1 }));

const textOf = (parts: readonly TextRun[], raised: boolean) =>
  parts
    .filter((part) => part.raised === raised)
    .map(({ text }) => text)
    .join('');

const isRaisedDigits = ({ text, raised, struck }: TextRun): boolean =>
  raised && struck !== true && /^\d{1,2}$/.test(text);

/** A mark in superscript characters, so that nobody takes it for a digit: `4012360²`. */
const raised = (mark: string) => mark.replace(/[0-9]/g, (digit) => SUPERSCRIPTS[Number(digit)] ?? digit);

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** The text in a cell, with its footnote marks; null for a cell that holds no text. */
export function textIn(cell: Cell | undefined): string | null {
  if (typeof cell === 'string') return cell;
  return isKind(cell, 'footnoted') ? cell.text : null;
}

/** The text of a cell without its footnote marks; any other cell as it is. */
export const withoutMarks = (cell: Cell | undefined): Exclude<Cell, Footnoted> | undefined =>
  isKind(cell, 'footnoted') ? cell.value : cell;
