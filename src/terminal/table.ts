// Lays out tables for a terminal: columns as wide as their widest cell, whatever script the cells are in.

export interface TableLayout {
  /** What each line begins with. */
  readonly indent?: string;
  /** Whether cells that are numbers stand on the right. */
  readonly numbersRight?: boolean;
  /** Columns of the terminal: the widest cells are cut with `…` until a line fits. Without it, nothing is cut. */
  readonly width?: number;
}

/** Two spaces between columns, none at the end of a line; every line ends with a line break. */
export function table(rows: readonly (readonly string[])[], layout: TableLayout = {}): string {
  const { indent = '', numbersRight = false, width } = layout;
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, i) =>
    Math.max(...rows.map((row) => displayWidth(row[i] ?? ''))),
  );
  if (width !== undefined) narrow(widths, width - indent.length);
  const padded = (whole: string, i: number) => {
    const cell = cut(whole, widths[i] ?? 0);
    const space = ' '.repeat((widths[i] ?? 0) - displayWidth(cell));
    return numbersRight && NUMBER.test(cell) ? space + cell : cell + space;
  };
  return rows.map((row) => `${indent}${row.map(padded).join('  ').trimEnd()}\n`).join('');
}

/** Takes from the widest column until all of them fit; a column keeps at least eight. */
function narrow(widths: number[], room: number): void {
  const taken = () => widths.reduce((sum, one) => sum + one, 0) + 2 * Math.max(0, widths.length - 1);
  while (taken() > room) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= NARROWEST) return;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
}

const NARROWEST = 8;

function cut(cell: string, width: number): string {
  if (displayWidth(cell) <= width) return cell;
  let kept = '';
  for (const { segment } of GRAPHEMES.segment(cell)) {
    if (displayWidth(kept + segment) > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** A count, a change or a size: `31,142`, `−45`, `12.3 kB`. */
const NUMBER = /^[+−±]?[\d,.]+( [kMG]?B)?$/;

/** How many columns of a terminal a text takes. */
function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  return Array.from(GRAPHEMES.segment(text)).reduce(
    (sum, { segment }) => sum + (WIDE.test(segment) ? 2 : 1),
    0,
  );
}

const ASCII = /^[ -~]*$/;
const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u;
