// Counts the fields of records, to find records with more or fewer fields than the others.
//
// A record with more fields probably has a separator inside a value. One with fewer fields probably lacks a separator.

import { counted } from '../../../messages/numbers.ts';
import type { Remark } from '../rawFile.ts';

/** The counts of all records with the same number of fields. */
interface SameWidth {
  readonly fields: number;
  count: number;
  /** How many of the records end in an empty field, and the line of the first of them. */
  emptyEnds: number;
  firstEmptyEndLine: number;
  /**
   * How many of the records end in a filled field, the lines of the first and the last of them, and whether two of these
   * lines are adjacent.
   */
  filledEnds: number;
  firstFilledEndLine: number;
  lastFilledEndLine: number;
  areAdjacent: boolean;
}

/** Counts records by their width, which is their number of fields, and remembers the lines of the first ones. */
export class RecordWidths {
  readonly #widths = new Map<number, SameWidth>();
  /**
   * The counts for the width of the last record. Most records have the same width as the one before, so this saves a
   * search.
   */
  #last: SameWidth | undefined;
  /** The counts for the width of the last record, when no line end follows it; otherwise undefined. */
  #unended: SameWidth | undefined;
  /** Whether some of the records that `addMany` and `addEmpty` counted end in an empty field. */
  #someEndOpen = false;
  /**
   * Whether the header, the first record, was counted. It is never reported as too short, because R writes no heading for
   * the column of row numbers.
   */
  #hasHeader = false;

  /** Counts a record. `filled` is its number of fields up to the last one that is not empty. */
  add(fields: number, filled: number, line: number): void {
    const isHeader = !this.#hasHeader;
    this.#hasHeader = true;
    const width = this.#last?.fields === fields ? this.#last : this.#widthOf(fields);
    this.#last = width;
    width.count += 1;
    if (filled < fields) {
      if (width.emptyEnds === 0) width.firstEmptyEndLine = line;
      width.emptyEnds += 1;
    } else if (!isHeader) {
      if (width.filledEnds === 0) width.firstFilledEndLine = line;
      else if (line === width.lastFilledEndLine + 1) width.areAdjacent = true;
      width.filledEnds += 1;
      width.lastFilledEndLine = line;
    }
  }

  /** Counts a record whose fields are all empty. A blank line has one field, and is not counted. */
  addEmpty(fields: number): void {
    if (fields > 1) this.addMany(fields, 1, true);
  }

  /** Marks the record that was counted last as the last of the file, without a line end behind it. */
  markUnended(): void {
    this.#unended = this.#last;
  }

  /** Counts many records with the same number of fields. `endOpen` is whether some of them end in an empty field. */
  addMany(fields: number, count: number, endOpen: boolean): void {
    if (count > 0) this.#widthOf(fields).count += count;
    this.#someEndOpen ||= endOpen;
  }

  #widthOf(fields: number): SameWidth {
    const known = this.#widths.get(fields);
    if (known !== undefined) return known;
    const lines = { firstEmptyEndLine: 0, firstFilledEndLine: 0, lastFilledEndLine: 0 };
    const width = { fields, count: 0, emptyEnds: 0, filledEnds: 0, areAdjacent: false, ...lines };
    this.#widths.set(fields, width);
    return width;
  }

  counts(): readonly { readonly fields: number; readonly count: number }[] {
    return [...this.#widths.values()];
  }

  remarks(): readonly Remark[] {
    const [most, ...others] = [...this.#widths.values()].sort((a, b) => b.count - a.count);
    if (most === undefined || most.count === others[0]?.count) return [];
    return [...this.#remarkOnLonger(most.fields), ...this.#remarkOnShorter(most)];
  }

  /**
   * Warns of records that are longer than most and end in an empty field: `1,234,` below the years 2023 and 2024 is read as
   * 1 and 234. A longer record whose last field is filled has a value without a heading. Another check refuses such a
   * value.
   */
  #remarkOnLonger(most: number): readonly Remark[] {
    const longer = [...this.#widths.values()].filter(
      ({ fields, emptyEnds }) => fields > most && emptyEnds > 0,
    );
    if (longer.length === 0) return [];
    const lineCount = longer.reduce((sum, { emptyEnds }) => sum + emptyEnds, 0);
    const lines = longer.map(({ firstEmptyEndLine }) => firstEmptyEndLine);
    const subject = `${counted(lineCount, 'line')} ${lineCount === 1 ? 'has' : 'have'}`;
    return [
      {
        severity: 'warning',
        problem: `${subject} more than the ${most} fields of most lines, and end${lineCount === 1 ? 's' : ''} in an empty one: line ${Math.min(...lines)}${lineCount === 1 ? '' : ' is the first'}`,
        remedy:
          'see that no value has a separator in it, which moves the values behind it; write such a value in quotes',
        kind: 'lines with more fields than most',
      },
    ];
  }

  /**
   * Remarks on a few single records that lack fields at their end: `12` below the years 2023 and 2024 in place of `1,2`, or
   * a line that was cut.
   *
   * Some programs leave out empty fields at the end of records. A file with many short records, or with two on successive
   * lines, was probably written by such a program, and gets no remark. When no record at all ends in an empty field, the
   * remark is only a note.
   */
  #remarkOnShorter(most: SameWidth): readonly Remark[] {
    const shorter = [...this.#widths.values()].filter((width) => isLittleShorter(width, most));
    const count = shorter.reduce((sum, { filledEnds }) => sum + filledEnds, 0);
    if (count === 0 || count > MOST_SHORTER || shorter.some(({ areAdjacent }) => areAdjacent)) return [];
    const line = Math.min(...shorter.map(({ firstFilledEndLine }) => firstFilledEndLine));
    const lackOne = shorter.every(({ fields }) => fields === most.fields - 1);
    return [
      {
        severity: this.#someEndOpen || most.emptyEnds > 0 ? 'warning' : 'note',
        problem: `${count === 1 ? '1 line has' : `${count} lines have`} ${lackOne ? 'one field fewer than' : 'fewer fields than'} the ${most.fields} of most lines: line ${line}${count === 1 ? '' : ' is the first'}`,
        remedy: lackOne
          ? 'check whether a separator is missing, which moves the values after it to the left'
          : 'check whether a part of it is missing: what it lacks is read as empty',
        kind: lackOne ? 'lines with one field fewer than most' : 'lines with fewer fields than most',
      },
    ];
  }

  /**
   * The number of fields of a last record that was cut, and that of most records; null when the last record was not cut. It
   * counts as cut when no line end follows it, it is a little shorter than most, and no other record has its width.
   */
  cutRecord(): { readonly fields: number; readonly most: number } | null {
    const [most] = [...this.#widths.values()].sort((a, b) => b.count - a.count);
    const last = this.#unended;
    if (most === undefined || last?.count !== 1 || !isLittleShorter(last, most)) return null;
    return { fields: last.fields, most: most.fields };
  }
}

/**
 * Whether records of this width probably lack fields at their end: they have fewer fields than most records, but at least
 * half as many. A footnote with commas has fewer than half.
 */
const isLittleShorter = ({ fields, filledEnds, emptyEnds }: SameWidth, most: SameWidth): boolean =>
  most.fields >= FEWEST_FIELDS &&
  fields < most.fields &&
  2 * fields >= most.fields &&
  filledEnds + emptyEnds > 0;

/** The fewest fields of a table that is checked. A title or footnote with commas has fewer. */
const FEWEST_FIELDS = 6;

/**
 * The most short records that are reported. A file with more of them was written by a program that leaves out empty fields.
 */
const MOST_SHORTER = 3;
