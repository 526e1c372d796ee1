// Lays out tables for a terminal: each column is as wide as its widest cell, in any script.

export interface TableLayout {
  /** The text at the beginning of each line. */
  readonly indent?: string;
  /** Whether numbers are aligned to the right. All other text is aligned to the left. */
  readonly numbersRight?: boolean;
  /** The width of the terminal in characters. When left out, lines may have any length. */
  readonly width?: number;
}

/**
 * The rows as aligned text, with two spaces between columns and a line break after each row.
 *
 * Columns that do not fit into the width follow in another table below, which repeats the first column. A cell that
 * does not fit by itself is cut, and ends in `…`.
 */
export function table(rows: readonly (readonly string[])[], layout: TableLayout = {}): string {
  const { indent = '', numbersRight = false, width = Number.POSITIVE_INFINITY } = layout;
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, i) =>
    Math.max(...rows.map((row) => displayWidth(row[i] ?? ''))),
  );
  const room = width - indent.length;
  return splitColumns(widths, room)
    .map((shown) => {
      const narrowed = narrow(
        shown.map((i) => widths[i] ?? 0),
        room,
      );
      const padded = (whole: string, most: number) => {
        const cell = cut(whole, most);
        const space = ' '.repeat(most - displayWidth(cell));
        return numbersRight && NUMBER.test(cell) ? space + cell : cell + space;
      };
      const lineOf = (row: readonly string[]) =>
        shown.map((column, i) => padded(row[column] ?? '', narrowed[i] ?? 0)).join('  ');
      return rows.map((row) => `${indent}${lineOf(row).trimEnd()}\n`).join('');
    })
    .join('\n');
}

/**
 * Divides columns into tables that fit. Gives the indexes of the columns of each table. Each table begins with the first
 * column.
 */
function splitColumns(widths: readonly number[], room: number): number[][] {
  const parts: number[][] = [];
  let part: number[] = [];
  let taken = 0;
  widths.forEach((width, i) => {
    if (part.length > 1 && taken + 2 + width > room) {
      parts.push(part);
      part = [0];
      taken = widths[0] ?? 0;
    }
    taken += width + (part.length === 0 ? 0 : 2);
    part.push(i);
  });
  // A last table with only one column besides the first looks odd, so another column moves to it if both fit.
  const last = parts.at(-1) ?? [];
  const moving = widths[last.at(-1) ?? 0] ?? 0;
  if (last.length > 3 && part.length === 2 && taken + 2 + moving <= room)
    part.splice(1, 0, ...last.splice(-1));
  return [...parts, part];
}

/** Makes the widest column narrower, again and again, until all columns fit or the widest has `MIN_COLUMN_WIDTH`. */
function narrow(whole: readonly number[], room: number): number[] {
  const widths = [...whole];
  const taken = () => widths.reduce((sum, width) => sum + width, 0) + 2 * Math.max(0, widths.length - 1);
  while (taken() > room) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= MIN_COLUMN_WIDTH) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

/** The least width of a column that is made narrower, in characters. */
const MIN_COLUMN_WIDTH = 8;

/** The text, cut to `width` characters of the terminal. A text that was cut ends in `…`. */
export function cut(cell: string, width: number): string {
  if (displayWidth(cell) <= width) return cell;
  let fitting = '';
  for (const { segment } of graphemes(cell)) {
    if (displayWidth(fitting + segment) > width - 1) break;
    fitting += segment;
  }
  return `${fitting}…`;
}

/** Matches a count, a change or a size, such as `31,142`, `−45` or `12.3 kB`. */
const NUMBER = /^[+−±]?[\d,.]+( [kMG]?B)?$/;

/** The width of a text on a terminal. Wide characters, such as Chinese ones and emoji, count as two. */
export function displayWidth(text: string): number {
  if (NARROW.test(text)) return text.length;
  return Array.from(graphemes(text)).reduce((sum, { segment }) => sum + (WIDE.test(segment) ? 2 : 1), 0);
}

/** Matches text that has only Latin letters, dashes, arrows and signs, so that its width is its length. */
const NARROW = /^[ -~\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u21ff\u2212\u2248]*$/;

let segmenter: Intl.Segmenter | undefined;

/**
 * The visible characters of a text. The segmenter is made at its first use, because making it takes 12 ms and few tables
 * need it.
 */
function graphemes(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u;
