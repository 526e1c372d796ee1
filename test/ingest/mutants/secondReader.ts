// Reads a workbook with SheetJS, and lists the cells that our reader sees differently.

import { type CellObject, read, SSF, utils } from '@e965/xlsx';
import { columnLetters } from '../../../ingest/messages/place.ts';
import type { Cell } from '../../../ingest/sources/readers/rawFile.ts';
import type { Read } from './verdict.ts';

/** The cells that SheetJS reads, by sheet and reference; null when it cannot read the workbook. */
export function readBySheetJs(bytes: Uint8Array): SecondRead | null {
  try {
    const book = read(bytes, {
      type: 'buffer',
      cellNF: true,
      cellText: false,
      cellHTML: false,
      dense: false,
    });
    const date1904 = book.Workbook?.WBProps?.date1904 === true;
    return new Map(
      book.SheetNames.map((name) => {
        const sheet = book.Sheets[name] ?? {};
        const cells = Object.entries(sheet).filter(([key]) => /^[A-Z]+\d+$/.test(key));
        return [name, new Map(cells.map(([key, cell]) => [key, cellOf(cell as CellObject, date1904)]))];
      }),
    );
  } catch {
    return null;
  }
}

export type SecondRead = ReadonlyMap<string, ReadonlyMap<string, Cell>>;

export interface Difference {
  readonly place: string;
  readonly ours: Cell;
  readonly theirs: Cell;
}

/**
 * The cells that the two readers see differently, except those that RULES explain. `xml` is that of the sheets and
 * texts.
 */
export function differences(ours: Read, theirs: SecondRead, xml: string): Difference[] {
  return ours.flatMap(({ name, rows }) => {
    const other = theirs.get(name ?? '');
    // A sheet of which SheetJS read nothing is one that it cannot read.
    if (other === undefined || other.size === 0) return [];
    const own = new Map<string, Cell>();
    for (const { row, cells } of rows)
      for (const [column, cell] of cells.entries())
        if (cell !== null) own.set(`${columnLetters(column)}${row}`, cell);
    const places = new Set([...own.keys(), ...other.keys()]);
    return [...places].flatMap((key) => {
      const difference = {
        place: `${name}!${key}`,
        ours: own.get(key) ?? null,
        theirs: other.get(key) ?? null,
      };
      const same = JSON.stringify(difference.ours) === JSON.stringify(difference.theirs);
      return same || RULES.some(({ explains }) => explains(difference, xml)) ? [] : [difference];
    });
  });
}

const kindOf = (cell: Cell) => (cell !== null && typeof cell === 'object' ? cell.kind : typeof cell);

/** Reasons why the two may differ although our reading is right. */
const RULES: readonly {
  readonly why: string;
  readonly explains: (difference: Difference, xml: string) => boolean;
}[] = [
  {
    why: 'a formula without a value is not a cell, an empty text or untrue to SheetJS',
    explains: ({ ours, theirs }) =>
      kindOf(ours) === 'uncalculated' && [null, '', false].some((empty) => empty === theirs),
  },
  {
    why: 'SheetJS keeps a carriage return, which XML reads as the end of a line',
    explains: ({ ours, theirs }) =>
      typeof ours === 'string' && typeof theirs === 'string' && ours === theirs.replace(/\r\n?/g, '\n'),
  },
  {
    why: 'SheetJS leaves out empty texts',
    explains: ({ ours, theirs }) => (ours === '' && theirs === null) || (ours === null && theirs === ''),
  },
  {
    why: 'SheetJS looks for tags by pattern: comments, CDATA, instructions, controls and > in an attribute confuse it',
    explains: (_, xml) => /<!|(?![\t\n\r])\p{Cc}|<\?(?!xml )|="[^"<]*>[^"<]*"/u.test(xml),
  },
  {
    why: 'SheetJS reads what stands in extensions and loses runs with odd looks, and passes over what is claimed of an encoding',
    explains: (_, xml) => /<extLst|<rPr>(?!<b\/><\/rPr>)|encoding="(?!utf-8)/i.test(xml),
  },
  {
    why: 'SheetJS puts a time of day alone on the first day of its calendar',
    explains: ({ ours }) => JSON.stringify(ours).includes('"iso":"T'),
  },
  {
    why: 'SheetJS takes a text alone and not the runs behind it, and tags and references only as they are mostly written',
    explains: (_, xml) =>
      /<\/t><r>|\s=|=\s|<\w+[^\w >/]|<\/\w+\s|r="[A-Z]*[a-z]|s="0\d/.test(xml.replace(/>[^<]*</g, '><')),
  },
  {
    why: 'to SheetJS a cell without a style has none, and not the first; and attributes in capitals count',
    explains: (_, xml) => /<cellXfs[^>]*><xf numFmtId="(?!0")|<xf (?!numFmtId)/.test(xml),
  },
  {
    why: 'of a number format whose brackets do not close SheetJS makes nothing',
    explains: (_, xml) => /formatCode="[^"]*\[[^\]"]*"/.test(xml),
  },
  {
    why: 'half a character is left alone here, and refused in every dataset',
    explains: ({ ours }) => typeof ours === 'string' && /\p{Cs}/u.test(ours),
  },
  {
    why: 'SheetJS resolves what _x005F_ protects',
    explains: ({ ours }) => typeof ours === 'string' && /_x[0-9a-f]{4}_/i.test(ours),
  },
  {
    why: 'SheetJS gives the value of a number that its format shows with other digits',
    explains: ({ ours, theirs }) =>
      ours !== null && typeof ours === 'object' && ours.kind === 'misshown' && ours.value === theirs,
  },
  {
    why: 'SheetJS makes a date of any text in a cell of dates',
    explains: ({ ours, theirs }, xml) =>
      typeof ours === 'string' && typeof theirs === 'number' && / t="d"/.test(xml),
  },
  {
    why: 'SheetJS knows no other errors than its own',
    explains: ({ ours, theirs }) => kindOf(ours) === 'error' && kindOf(theirs) === 'error',
  },
];

function cellOf(cell: CellObject, date1904: boolean): Cell {
  const format = typeof cell.z === 'string' ? cell.z : 'General';
  switch (cell.t) {
    case 'n':
      return numberOf(Number(cell.v), format, date1904);
    case 's':
      return String(cell.v);
    case 'b':
      return Boolean(cell.v);
    case 'e':
      return { kind: 'error', code: utils.format_cell(cell) };
    default:
      return null;
  }
}

function numberOf(value: number, format: string, date1904: boolean): Cell {
  if (SSF.is_date(format)) {
    const date = SSF.parse_date_code(value, { date1904 });
    if (!date) return { kind: 'misshown', value, shown: '#####' };
    const two = (n: number) => String(n).padStart(2, '0');
    const day = `${String(date.y).padStart(4, '0')}-${two(date.m)}-${two(date.d)}`;
    const time = `T${two(date.H)}:${two(date.M)}:${two(Math.round(date.S))}`;
    return { kind: 'date', iso: time === 'T00:00:00' ? day : day + time };
  }
  return /%/.test(format.replace(/"[^"]*"/g, '')) ? { kind: 'percent', value } : value;
}
