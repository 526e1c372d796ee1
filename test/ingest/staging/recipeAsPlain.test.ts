// Workbooks that are read plainly and through a recipe give the same figures, and both ways report something or neither.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CellInput, SheetInput } from '../../../ingest/workbook/sheets.ts';
import { datasetOf } from '../../../src/catalog/datasets.ts';
import { isDeep, runs } from '../../support/depth.ts';
import { aMonth, cellsOf } from '../../support/month.ts';
import { SELECTS } from '../../support/selects.ts';
import { aRow } from '../../support/snapshot.ts';

/** Parts of number formats. Together they make usual and odd formats. */
const format = fc.oneof(
  fc.constantFrom('General', '0', '#,##0', '#,##0.00', '0.0', '0.00E+00', '# ?/?', '@'),
  fc
    .tuple(
      fc.constantFrom('', '"€"', '-', '(', '"<"', '"~"', '+', '[$USD] ', '"1"'),
      fc.constantFrom('0', '#,##0', '0.0', '#,##0,', '0.0,,', ''),
      fc.constantFrom('', '" m"', '" k"', '%', ')', '-', '" €"', '"00"', '"n/a"', '"E"', ' "people"'),
      fc.constantFrom('', ';0', ';-0', ';(0)', ';;', ';;;', ';"n/a"', ';[Red]0'),
    )
    .map((parts) => parts.join('')),
);

const figure = fc.oneof(
  fc.constantFrom<CellInput>(0, 404, -404, 1, 0.05, 2026, 1e15, 1.1, 123456.789, -0.5, 1e-7),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 }),
  fc.integer({ min: -5000, max: 5_000_000 }),
  fc.constantFrom<CellInput>('404', ' 404 ', '404.5', '1e3', 'n/a', '-', true, false, null),
  fc.constant<CellInput>({ error: '#N/A' }),
  fc.constant<CellInput>({ date: '2024-05-06' }),
  fc.constant<CellInput>({ formula: 'A1', cached: '404' }),
  fc.constant<CellInput>({ formula: 'A1', cached: 404 }),
);

/** The number of sheets in a workbook. Reading one more sheet takes much less time than reading another month. */
const SHEETS = isDeep ? 30 : 12;

/** Figures in one format. */
const sheet = fc.tuple(format, fc.array(figure, { minLength: 1, maxLength: 4 }));

const inFormat = (cell: CellInput, code: string): CellInput => {
  if (cell === null) return null;
  if (typeof cell === 'object') return { ...cell, ...('date' in cell ? {} : { format: code }) };
  return { value: cell, format: code };
};

/** The SQL for the same rows. A text that is not a number becomes NULL. */
const sqlOf = (tables: number): string => {
  const columns = datasetOf('ggr').dimensions.map((name) =>
    name === 'year' ? 'year::INTEGER AS year' : `coalesce("${name}", '') AS ${name}`,
  );
  return Array.from(
    { length: tables },
    (_, i) =>
      `SELECT ${columns.join(', ')}, TRY_CAST(ggr AS DOUBLE) AS ggr, 't${i}' AS _table, _row FROM t${i} WHERE TRY_CAST(ggr AS DOUBLE) IS NOT NULL`,
  ).join(' UNION ALL ');
};

/**
 * The problems of a sheet, without those about signs, rows without a value, and the currency of a row, which only SQL
 * knows.
 */
const problemsOfSheet = (problems: readonly string[], name: string): readonly string[] =>
  problems.filter(
    (problem) =>
      new RegExp(`› ${name}(?:[!:]| ›)`).test(problem) &&
      !/usually not negative|without any value|in EUR, and its number format shows (?:USD|[$])/.test(problem),
  );

describe('a recipe and plain reading', () => {
  it('give the same figures of a workbook, and neither is silent where the other is not', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sheet, { minLength: SHEETS, maxLength: SHEETS }), async (all) => {
        const sheets: SheetInput[] = all.map(([code, figures], at) => {
          const [heading = [], ...rows] = cellsOf(
            'ggr',
            figures.map((_, i) => aRow('ggr', { year: 1000 + at * 10 + i })),
          );
          return {
            name: `s${at}`,
            rows: [
              heading,
              ...rows.map((row, i) => [...row.slice(0, -1), inFormat(figures[i] ?? null, code)]),
            ],
          };
        });
        const plain = await aMonth({ 'ggr.xlsx': sheets });
        const recipe = await aMonth(
          {
            ...SELECTS,
            'ggr.xlsx': sheets,
            'ggr.sql': sqlOf(sheets.length),
            'recipe.json': JSON.stringify({
              tables: Object.fromEntries(
                sheets.map(({ name }, i) => [`t${i}`, { file: 'ggr.xlsx', sheet: name, header: 1 }]),
              ),
            }),
          },
          true,
        );
        try {
          const plainly = await plain.read('ggr');
          const bySql = await recipe.read('ggr', { recipe: recipe.directory });
          const figuresOf = (rows: typeof plainly.rows) =>
            new Map(rows.map(({ year, ggr }) => [Number(year), Number(ggr)]));
          const [a, b] = [figuresOf(plainly.rows), figuresOf(bySql.rows)];
          for (const [year, value] of a) {
            const [code, figures] = all[Math.floor((year - 1000) / 10)] ?? [];
            expect([b.get(year), year, code, figures]).toEqual([value, year, code, figures]);
          }
          for (const [at, [code, figures]] of all.entries()) {
            const plainProblems = problemsOfSheet(plainly.problems, `s${at}`);
            const sqlProblems = problemsOfSheet(bySql.problems, `s${at}`);
            const what = JSON.stringify({ code, figures, plainProblems, sqlProblems });
            const refused = figures.some((_, i) => b.has(1000 + at * 10 + i) && !a.has(1000 + at * 10 + i));
            if (refused && sqlProblems.length === 0) throw new Error(`read by SQL alone: ${what}`);
            const isWarned = plainProblems.some((one) => one.startsWith('warning'));
            if (isWarned && sqlProblems.length === 0) throw new Error(`reported plainly alone: ${what}`);
          }
        } finally {
          await plain.remove();
          await recipe.remove();
        }
      }),
      // The failing sheet is not shrunk: its name is enough, and shrinking would take minutes.
      { numRuns: runs(1), endOnFailure: true },
    );
  });
});
