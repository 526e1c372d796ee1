// Finds how a cell of an .ods workbook looks: whether its value is struck out, unseen, pale, raised or marked.

import { isNumeral, isSmallNumber, MARKED, PALE, RAISED, STRUCK, UNSEEN, WORDED } from '../cellLooks.ts';
import { isStruckOut } from '../footnotes.ts';
import { type Cell, isMarkedYear } from '../raw.ts';
import { standsForZero } from '../shownText.ts';
import type { OdsCell } from './cell.ts';
import type { OdsStyles } from './styles.ts';

/** The look of a cell as a sum of flags of `cellLooks.ts`. `shown` is the value of the cell, whose content has been read. */
export function lookOf(cell: OdsCell, shown: Cell, styles: OdsStyles): number {
  const { style } = cell;
  const isStruck = styles.strikesOut(style) || isStruckOut(cell.content.runs);
  return (
    (isStruck ? STRUCK : 0) +
    (isUnseen(cell) ? UNSEEN : 0) +
    (isWorded(cell) ? WORDED : 0) +
    (isPale(cell, styles) ? PALE : 0) +
    (styles.isRaised(style) && isSmallNumber(shown) ? RAISED : 0) +
    // A year with a mark gets an error elsewhere.
    (cell.isFigure && styles.numbers.showsMark(style) && !isMarkedYear(shown) ? MARKED : 0)
  );
}

/** Whether the cell holds a figure other than 0 that its number format does not show, as `;;;` does. */
const isUnseen = (cell: OdsCell): boolean =>
  cell.isFigure && cell.content.hasParagraphs && cell.shownText === '' && !cell.isZero;

/** Whether the cell holds a figure and shows a text without digits: `n/a`. */
function isWorded(cell: OdsCell): boolean {
  if (!cell.isFigure) return false;
  const text = cell.shownText;
  // A cell whose column is too narrow shows ###.
  if (DIGIT.test(text) || /^#*$/.test(text) || cell.error() !== null) return false;
  return !cell.isZero || !standsForZero(text);
}

const DIGIT = /\p{Nd}/u;

/** Whether the cell holds a figure in the colour of its background, or a number of which some digits have that colour. */
function isPale(cell: OdsCell, styles: OdsStyles): boolean {
  const { style } = cell;
  if (cell.isFigure && styles.isPale(style)) return true;
  const seen = cell.content.runs.filter(
    ({ text, raised, struck }) => text.trim() !== '' && !raised && !struck,
  );
  if (seen.every(({ colour }) => colour === undefined) || !isNumeral(cell.shownText)) return false;
  const pale = seen.filter(({ colour }) => styles.isPaleIn(style, colour));
  return pale.length > 0 && pale.length < seen.length;
}
