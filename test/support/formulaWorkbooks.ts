// Workbooks with formulas and their stored values, and the problems that reading reports about them.

import { beforeAll, expect, it } from '@jest/globals';
import { columnLetters } from '../../ingest/messages/place.ts';
import { openFile } from '../../ingest/sources/readers/openFile.ts';
import { workbook } from '../../ingest/workbook/workbook.ts';
import { partOf, SHEET_PART, workbookWith } from './handmadeZip.ts';
import { allOf, withFile } from './sourceFile.ts';

export const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';

const WORKBOOK = partOf(workbook([{ name: 'Data', rows: [['a', 'b']] }]), 'xl/workbook.xml');

/**
 * The content of each cell, by its name such as A1: a number, `text …`, `truth 1` for TRUE, or the XML inside its element.
 */
export type Cells = Readonly<Record<string, number | string>>;

/** The XML of a sheet with these cells. */
export const sheetOf = (cells: Cells): string => {
  const rows = new Map<string, string>();
  for (const [name, content] of Object.entries(cells)) {
    const row = name.replace(/\D/g, '');
    const [, kind = '', value] = /^(text|truth) (.*)$/s.exec(`${content}`) ?? [];
    const cell =
      value === undefined
        ? `<c r="${name}">${typeof content === 'number' ? `<v>${content}</v>` : content}</c>`
        : `<c r="${name}" t="${kind === 'text' ? 'str' : 'b'}"><v>${value}</v></c>`;
    rows.set(row, `${rows.get(row) ?? ''}${cell}`);
  }
  const data = [...rows].map(([row, inside]) => `<row r="${row}">${inside}</row>`);
  return `<worksheet ${MAIN}><sheetData>${data.join('')}</sheetData></worksheet>`;
};

/** The XML of a formula and of the value that is stored with it. */
export const formula = (text: string, value: number | string, attributes = '') =>
  `<f${attributes}>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</f><v>${value}</v>`;

/** The problems of the formulas of a sheet. `inWorkbook` is XML: settings and defined names. */
export async function formulaProblems(
  cells: Cells,
  inWorkbook = '',
  parts: Readonly<Record<string, string>> = {},
  kind?: string,
) {
  const book = workbookWith({
    'xl/workbook.xml': WORKBOOK.replace('</workbook>', `${inWorkbook}</workbook>`),
    [SHEET_PART]: sheetOf(cells),
    ...parts,
  });
  return remarksOn('a.xlsx', book, kind);
}

/**
 * The problems of each of these formulas. The formulas are beside one another, below the cells to which they refer. Each
 * has its own column, because the problems of a column are reported once. At most ten columns are reported.
 */
async function problemsOfEach(
  inputs: Cells,
  formulas: readonly (readonly [text: string, value: number])[],
): Promise<readonly string[]> {
  const some = formulas.slice(0, REPORTED_COLUMNS);
  const beside = some.map(([text, value], i) => [`${columnLetters(FIRST + i)}20`, formula(text, value)]);
  const all = await formulaProblems({ ...inputs, ...Object.fromEntries(beside) });
  const ownProblems = some.map((_, i) => all.filter((one) => one.split(' ')[1] === `20,${FIRST + i}`));
  if (ownProblems.flat().length !== all.length)
    throw new Error(`other cells are named, too: ${all.join('\n')}`);
  const texts = ownProblems.map((found) => found.map((one) => one.replace(/ \d+,\d+ /, ' ')).join('\n'));
  const others = formulas.slice(REPORTED_COLUMNS);
  return others.length === 0 ? texts : [...texts, ...(await problemsOfEach(inputs, others))];
}

/** Defines tests for each formula: its right value gives no problem, and another value gives one. */
export function eachIsFound(
  inputs: Cells,
  formulas: readonly (readonly [text: string, right: number])[],
): void {
  let ofRight: readonly string[] = [];
  let ofWrong: readonly string[] = [];
  beforeAll(async () => {
    ofRight = await problemsOfEach(inputs, formulas);
    ofWrong = await problemsOfEach(
      inputs,
      formulas.map(([text]) => [text, 99]),
    );
  });
  it.each(formulas.map(([text, right], i) => [text, right, i] as const))('is found: =%s', (_, right, i) => {
    expect(ofRight[i]).toBe('');
    expect(ofWrong[i]).toBe(`warning holds 99, and its formula has the value ${right}`);
  });
}

/** Expects no problem of these formulas although their values are wrong. `what` names the case in a failure. */
export async function expectNoneFound(
  inputs: Cells,
  formulas: readonly (readonly [what: string, text: string])[],
): Promise<void> {
  const problems = await problemsOfEach(
    inputs,
    formulas.map(([, text]) => [text, 99]),
  );
  expect(formulas.map(([what], i) => [what, problems[i]])).toEqual(formulas.map(([what]) => [what, '']));
}

/** The kind of the notes on formulas that are not computed. */
export const UNCOMPUTED = 'formulas that are not computed';

const REPORTED_COLUMNS = 10;

/** The column of the first formula. */
const FIRST = 10;

/** The remarks on the formulas of a workbook's first sheet. With a `kind`, only the remarks of this kind. */
export const remarksOn = (name: string, book: Uint8Array, kind?: string): Promise<readonly string[]> =>
  withFile(name, book, async (path) => {
    const file = await openFile(path, name);
    try {
      await allOf(file);
      const remarks = (await file.tables[0]?.findings())?.remarks ?? [];
      const asked = remarks.filter((one) =>
        kind === undefined ? one.kind !== UNCOMPUTED : one.kind === kind,
      );
      return asked.map(({ severity, cell, problem }) => `${severity} ${cell?.join(',')} ${problem}`);
    } finally {
      await file.close();
    }
  });
