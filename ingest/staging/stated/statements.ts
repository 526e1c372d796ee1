// Collects statements of names, titles and comments about all rows of a table.
//
// `../../checks/tableStatements.ts` compares the statements with the rows when all are staged.

import {
  type Origin,
  type Place,
  placeOfCell,
  placeOfRow,
  type TableStatement,
  wholeFile,
  wholeTable,
} from '../../messages/place.ts';
import { isAboutOthers, labelsInName, labelsInText } from '../../messages/statedLabels.ts';
import type { Header } from '../../sources/header/headerTypes.ts';
import type { Aside } from '../../sources/readers/asides.ts';
import { textIn } from '../../sources/readers/footnotes.ts';
import type { RawRow } from '../../sources/readers/rawFile.ts';
import type { FileOptions } from '../readingOptions.ts';

/**
 * What the name of the file, the name of the sheet and the titles above the header state about the rows. Statements
 * of currencies are left out if a factor of `--scale` may be an exchange rate, because a text may state the currency
 * before the conversion.
 */
export function statementsAbove(
  titles: readonly RawRow[],
  origin: Origin,
  { scale }: FileOptions,
): TableStatement[] {
  const { file, sheet } = origin;
  const inName = (name: string, what: string, place: Place) =>
    labelsInName(name).map((label) => ({ ...label, what, place }));
  const all = [
    ...inName(sheet ?? '', 'the name of this sheet', wholeTable(origin)),
    ...statementsOfTitles(titles, origin),
    ...inName(file.replace(/\.\w+$/, ''), 'the name of this file', wholeFile(file)),
  ];
  return [...scale.values()].some(converts) ? all.filter(({ dimension }) => dimension !== 'fx') : all;
}

/** Whether a factor of `--scale` is no power of ten. It may then be an exchange rate. */
const converts = (factor: string): boolean => !Number.isInteger(Math.log10(Number(factor)));

/** The statements of the titles. If they name several currencies, as a list of rates does, none is about all rows. */
function statementsOfTitles(titles: readonly RawRow[], origin: Origin): TableStatement[] {
  const all = titles.flatMap(({ row, cells }) =>
    cells.flatMap((cell, index) => {
      const text = textIn(cell);
      const right = cells[index + 1];
      const isLabelled = isAboutOthers(textIn(cells[index - 1]) ?? '') || typeof right === 'number';
      if (text === null || isLabelled) return [];
      const place = placeOfCell(origin, row, `${index + 1}`, index);
      return labelsInText(text).map((label) => ({ ...label, what: `"${text.trim()}"`, place }));
    }),
  );
  const currencies = new Set(all.flatMap(({ dimension, value }) => (dimension === 'fx' ? [value] : [])));
  return currencies.size > 1 ? all.filter(({ dimension }) => dimension !== 'fx') : all;
}

/** The statements of comments on headings and titles, and of other texts beside the cells. */
export const statementsBeside = (
  asides: readonly Aside[],
  header: Pick<Header, 'row' | 'columns'>,
  origin: Origin,
): TableStatement[] =>
  asides.flatMap(({ what, text, cell: [row = 0, column = 0] = [] }) => {
    const kind = header.columns[column]?.kind;
    if (!OF_THE_TABLE.has(what) || row > header.row) return [];
    if (row === header.row && row > 0 && kind !== 'metric' && kind !== 'year') return [];
    const labels = what === 'table name' ? labelsInName(text) : labelsInText(text);
    const place = row === 0 ? wholeTable(origin) : placeOfRow(origin, row, column);
    return labels.map((label) => ({ ...label, what: `a ${what}, "${text}"`, place }));
  });

/** Kinds of texts that are about the whole table. */
const OF_THE_TABLE: ReadonlySet<Aside['what']> = new Set([
  'comment',
  'print footer',
  'print header',
  'table name',
  'text box',
]);
