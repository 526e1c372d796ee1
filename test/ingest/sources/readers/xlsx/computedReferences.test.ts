// Formulas with AGGREGATE, and with OFFSET and INDIRECT of constants, whose stored values are outdated.

import { describe, expect, it } from '@jest/globals';
import { type Cells, formula, formulaProblems, sheetOf } from '../../../../support/formulaWorkbooks.ts';
import { SHEET_PART } from '../../../../support/handmadeZip.ts';

/** The cells that the formulas refer to. */
const INPUTS: Cells = { A1: 2, B1: 3, A2: 40, B2: 80, A3: 0.5, B3: 'text n/a', A4: -7 };

describe('a stored value that its formula does not have', () => {
  it.each([
    ['AGGREGATE(9,6,A1:A4)+AGGREGATE(4,0,B:B)', 115.5],
    ['AGGREGATE(1,4,A1:A2,B1:B2)', 31.25],
    ['OFFSET(A1,1,0)*2', 80],
    ['OFFSET($B$2,-1,-1)', 2],
    ['SUM(OFFSET(A1:B1,1,0))', 120],
    ['SUM(OFFSET(A1,0,0,2,2))', 125],
    ['SUM(OFFSET(A1,0,0,4,1))', 35.5],
    ['INDIRECT("B2")+INDIRECT("Data!$A$1",TRUE)', 82],
    ['SUM(INDIRECT("A1:A4"))', 35.5],
    ['SUM(INDIRECT("\'Data\'!B:B"))', 83],
    ['OFFSET(INDIRECT("A1"),1,0)', 40],
    ['OFFSET(A1,B1,0)', -7],
    ['SUM(OFFSET(A1,0,0,A1,1))', 42],
    ['LARGE(OFFSET(A1,0,0,B1,1),1)', 40],
  ])('is found: =%s', async (text, right) => {
    expect(await formulaProblems({ ...INPUTS, A9: formula(text, right) })).toEqual([]);
    expect(await formulaProblems({ ...INPUTS, A9: formula(text, 99) })).toEqual([
      `warning 9,0 holds 99, and its formula has the value ${right}`,
    ]);
  });

  it('is found where AGGREGATE passes over other subtotals, or counts them', async () => {
    const cells = (option: number, total: number, inside = 'SUBTOTAL(9,A1:A1)'): Cells => ({
      A1: 1,
      A2: formula(inside, 1),
      A3: 5,
      A4: formula(`AGGREGATE(9,${option},A1:A3)`, total),
    });
    for (const [option, right] of [0, 3, 4, 7].map((one) => [one, one < 4 ? 6 : 7] as const)) {
      expect(await formulaProblems(cells(option, right))).toEqual([]);
      expect(await formulaProblems(cells(option, 99))).toEqual([
        `warning 4,0 holds 99, and its formula has the value ${right}`,
      ]);
    }
    expect(await formulaProblems(cells(1, 99, 'AGGREGATE(9,0,A1)'))).toHaveLength(1);
    // There is no remark in case of doubt: SUBTOTAL over AGGREGATE, an error among the cells, and functions of
    // AGGREGATE other than sums.
    expect(await formulaProblems({ ...cells(0, 6), A5: formula('SUBTOTAL(9,A3:A4)', 99) })).toEqual([]);
    const ofError = sheetOf({ A1: '<v>#DIV/0!</v>', A2: formula('AGGREGATE(9,6,A1:A1,C1)', 99) });
    const parts = { [SHEET_PART]: ofError.replace('<c r="A1">', '<c r="A1" t="e">') };
    expect(await formulaProblems({}, '', parts)).toEqual([]);
    expect(await formulaProblems({ A1: 1, A2: formula('AGGREGATE(14,6,A1:A1,1)', 99) })).toEqual([]);
  });

  it.each([
    'OFFSET(A1,0,0,-1,1)',
    'OFFSET(A1,-1,0)',
    'SUM(OFFSET(A:A,0,1))',
    'OFFSET(A1,0,0,1,2)',
    'OFFSET(A1,A3,0)',
    'OFFSET(A1,B3,0)',
    'INDIRECT("R1C1",FALSE)',
    'INDIRECT("R1C1")',
    'INDIRECT("A"&A1)',
    'INDIRECT("+A1")',
    'INDIRECT(" A1")',
    'INDIRECT("A9")',
    'INDIRECT("Data.A1")',
  ])('is not looked for where cells are not known before: =%s', async (text) => {
    expect(await formulaProblems({ ...INPUTS, A9: formula(text, 99) })).toEqual([]);
  });

  it('is found in copies of a formula with INDIRECT, which all mean the same cell', async () => {
    const cells = (last: number): Cells => ({
      A1: 2,
      B1: formula('INDIRECT("A1")*A1', 4, ' t="shared" si="0" ref="B1:B2"'),
      A2: 3,
      B2: `<f t="shared" si="0"/><v>${last}</v>`,
    });
    expect(await formulaProblems(cells(6))).toEqual([]);
    expect(await formulaProblems(cells(9))).toEqual(['warning 2,1 holds 9, and its formula has the value 6']);
  });
});
