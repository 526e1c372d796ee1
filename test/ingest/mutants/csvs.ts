// Makes mutants of csv files, and compares our reading of them with that of a simpler reader.

import { isUtf8 } from 'node:buffer';
import { firstDifference, type Mutant } from './hunt.ts';
import { withMutatedBytes } from './mutateBytes.ts';
import { NotPlain } from './plainXml.ts';
import { Random } from './random.ts';
import type { Read, Verdict } from './verdict.ts';

type Row = readonly (string | null)[];

/** The mutant with this number: a table in an unusual form, or with changed bytes. */
export function csvMutant(number: number): Mutant {
  const random = new Random(number);
  const rows = aTable(random);
  const { bytes, lines } = writtenAs(rows, aForm(random));
  if (random.chance(0.4)) {
    const expected = rows.map((cells, i) => ({ row: lines[i] ?? 0, cells: withoutTail(cells) }));
    const full = expected.filter(({ cells }) => cells.length > 0);
    return {
      kind: 'csv in an odd form',
      name: 'm.csv',
      bytes,
      changes: [],
      complaint: (verdict) =>
        verdict.outcome === 'rows' ? firstDifference(full, verdict.read[0]?.rows) : JSON.stringify(verdict),
    };
  }
  const mutated = withMutatedBytes(bytes, random);
  return {
    kind: 'csv with changed bytes',
    name: 'm.csv',
    ...mutated,
    complaint: (verdict) => mustBeRead(mutated.bytes, verdict),
  };
}

const CELLS = [
  'Malta',
  'Congo, Dem. Rep.',
  'a;b',
  'a|b',
  'a\tb',
  'say "yes"',
  '""',
  '"',
  'two\nlines',
  'three\r\nlines',
  'Türkiye',
  '日本',
  '🎲',
  '1234.5',
  '2024',
  '-3',
  ' spaced ',
  'x',
  '#N/A',
  "'",
  '\\',
  '\ufeff',
  'é',
];

function aTable(random: Random): Row[] {
  const width = 2 + random.below(6);
  const count = 2 + random.below(12);
  const header = Array.from({ length: width }, (_, i) => `column ${i}`);
  const rows = Array.from({ length: count }, () =>
    Array.from({ length: width }, () => (random.chance(0.15) ? null : random.pick(CELLS))),
  );
  return [header, ...rows];
}

interface Form {
  readonly random: Random;
  readonly separator: string;
  readonly lineEnd: string;
  readonly mark: boolean;
  readonly quotesAll: boolean;
  readonly blanks: boolean;
}

const aForm = (random: Random): Form => ({
  random,
  separator: random.pick([',', ',', ';', '\t', '|']),
  lineEnd: random.pick(['\n', '\r\n', '\r']),
  mark: random.chance(0.3),
  quotesAll: random.chance(0.3),
  blanks: random.chance(0.2),
});

/** The bytes of the file, and the line at which each row begins. */
function writtenAs(rows: readonly Row[], form: Form): { bytes: Buffer; lines: number[] } {
  const { random, separator, lineEnd } = form;
  const lines: number[] = [];
  let text = form.mark ? '\ufeff' : '';
  let line = 1;
  for (const [i, row] of rows.entries()) {
    if (form.blanks && random.chance(0.2)) {
      text += lineEnd;
      line += 1;
    }
    lines.push(line);
    const record = row.map((cell) => field(cell, form)).join(separator);
    const isLast = i === rows.length - 1 && random.chance(0.3) && record !== '';
    text += isLast ? record : record + lineEnd;
    line += 1 + (record.match(/\r\n|\r|\n/g)?.length ?? 0);
  }
  return { bytes: Buffer.from(text), lines };
}

function field(cell: string | null, { random, separator, quotesAll }: Form): string {
  if (cell === null) return random.chance(0.2) ? '""' : '';
  const mustQuote = cell.includes(separator) || /^["\ufeff]|[\r\n]|^\s+"/.test(cell);
  return mustQuote || quotesAll || random.chance(0.1) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/**
 * What is wrong with a reading. Null when the file was refused, or when the simpler reader agrees for one of the
 * separators.
 */
function mustBeRead(bytes: Buffer, verdict: Verdict): string | null {
  if (verdict.outcome !== 'rows') return null;
  const found = JSON.stringify(verdict.read[0]?.rows);
  const reasons = [',', ';', '\t', '|'].map((separator) => {
    try {
      const rows = readPlainly(bytes, separator);
      return JSON.stringify(rows) === found ? null : firstDifference(rows, verdict.read[0]?.rows);
    } catch (error) {
      if (!(error instanceof NotPlain)) throw error;
      return error.message;
    }
  });
  return reasons.includes(null) ? null : `read otherwise: ${reasons.join(' | ')}`;
}

/** The records of RFC 4180, found by a pattern over the whole text. */
function readPlainly(bytes: Buffer, separator: string): Read[number]['rows'] {
  if (!isUtf8(bytes)) throw new NotPlain('not UTF-8');
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  if (text.includes('\0')) throw new NotPlain('NUL');
  const own = separator === '|' ? '\\|' : separator;
  const pattern = new RegExp(`"((?:[^"]|"")*)"|((?:[^"${own}\\r\\n][^${own}\\r\\n]*)?)`, 'y');
  const rows: { row: number; cells: (string | null)[] }[] = [];
  let line = 1;
  for (let at = 0; at < text.length; ) {
    const cells: (string | null)[] = [];
    const start = at;
    for (;;) {
      pattern.lastIndex = at;
      const found = pattern.exec(text);
      if (found === null) throw new NotPlain(`an open quote at ${at}`);
      if (/^ +"/.test(found[0])) throw new NotPlain(`a late quote at ${at}`);
      cells.push((found[1]?.replaceAll('""', '"') ?? found[2]) || null);
      at = pattern.lastIndex;
      if (text[at] !== separator) break;
      at += 1;
    }
    if (at < text.length && !/[\r\n]/.test(text[at] ?? ''))
      throw new NotPlain(`text behind a quote at ${at}`);
    at += text.startsWith('\r\n', at) ? 2 : 1;
    const full = withoutTail(cells);
    if (full.length > 0) rows.push({ row: line, cells: full });
    line += text.slice(start, at).match(/\r\n|\r|\n/g)?.length ?? 0;
  }
  return rows;
}

function withoutTail(cells: Row): (string | null)[] {
  const last = cells.findLastIndex((cell) => cell !== null);
  return cells.slice(0, last + 1);
}
