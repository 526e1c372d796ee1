// Lists the texts in rows, such as the titles above a header, each with the place of its cell.

import { type Origin, type Place, placeOfCell } from '../../messages/place.ts';
import { textIn } from '../../sources/readers/footnotes.ts';
import type { RawRow } from '../../sources/readers/rawFile.ts';

export interface PlacedText {
  readonly text: string;
  /** The text as a message names it. */
  readonly shown: string;
  readonly place: Place;
}

/** The texts in the cells of these rows, with their footnote marks. */
export const textsIn = (rows: readonly RawRow[], origin: Origin): readonly PlacedText[] =>
  rows.flatMap(({ row, cells }) =>
    cells.flatMap((cell, index) => {
      const text = textIn(cell);
      if (text === null) return [];
      return [{ text, shown: `"${text.trim()}"`, place: placeOfCell(origin, row, `${index + 1}`, index) }];
    }),
  );
