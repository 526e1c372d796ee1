// Formulas whose stored values are outdated, because a program changed cells without calculating.

import { describe, expect, it } from '@jest/globals';
import { itInDepth } from '../../../../support/depth.ts';
import {
  type Cells,
  eachIsFound,
  expectNoneFound,
  formula,
  formulaProblems,
  MAIN,
  sheetOf,
  UNCOMPUTED,
} from '../../../../support/formulaWorkbooks.ts';
import { SHEET_PART } from '../../../../support/handmadeZip.ts';

/** The cells that the formulas refer to. */
const INPUTS: Cells = {
  A1: 2,
  B1: 3,
  A2: 40,
  B2: 80,
  A3: 0.5,
  B3: 'text n/a',
  A4: -7,
  D1: 'truth 1',
  D2: 8,
  E1: 'text 2024',
};

describe('a stored value that its formula does not have', () => {
  const FOUND: readonly (readonly [text: string, right: number])[] = [
    ['A2+B2', 120],
    ['+A2-B2', -40],
    ['A2*1000000', 40_000_000],
    ['-A2^2', 1600],
    ['A2/B2*100%', 0.5],
    ['(A1+B1)*(A2+B2)', 600],
    ['A2 - B1 * 2 ^ 2', 28],
    ['$A$2+A$1+$B1', 45],
    ['SUM(A1:A4)', 35.5],
    ['SUM(B1:B3,A1,1)', 86],
    ['sum( A1:B2 )', 125],
    ['AVERAGE(B1:B3)', 41.5],
    ['MAX(A1:A4)-MIN(A1:A4)', 47],
    ['PRODUCT(A1:B1)', 6],
    ['ROUND(A2/7,2)', 5.71],
    ['ROUND(A4/2+0.01,0)', -3],
    ['ROUNDUP(A2/7,1)', 5.8],
    ['ROUNDDOWN(A4/2,0)', -3],
    ['TRUNC(A2/7)+TRUNC(A2/7,1)', 10.7],
    ['INT(A4/2)', -4],
    ['ROUNDUP(A1,0)', 2],
    ['SUBTOTAL(9,A1:A4)+SUBTOTAL(104,B:B)', 115.5],
    ['ABS(A4)', 7],
    ['IF(B2="","",B2*1000)', 80_000],
    ['IF(A1<B1,A2,B2)', 40],
    ['IFERROR(A2/A8,5)', 5],
    ['A8+1', 1],
    ['SUM(B:B)', 83],
    ['POWER(A1,B1)+SQRT(D2*2)', 12],
    ['SIGN(A4)*MOD(A2,B1)+MOD(A4,B1)', 1],
    ['MEDIAN(A1:A4)', 1.25],
    ['VALUE(E1)+VALUE(A1)', 2026],
    ['MEDIAN(A1:A4,B1)', 2],
    ['LARGE(A1:A4,2)+SMALL(A1:B4,1)', -5],
    ['LARGE(A1:A4,A1)', 2],
    ['CHOOSE(A1,A3,A2,B2)', 40],
    ['_xlfn.IFS(A1>B1,A2,A1<B1,B2)', 80],
    ['_xlfn.SWITCH(A1,B1,A2,2,B2,7)', 80],
    ['_xlfn.SWITCH("x",1,A2,A4)', -7],
    ['data!A2+1', 41],
    ["'Data'!A2*2", 80],
    // Parentheses side by side are not nested.
    [Array.from({ length: 60 }, () => '(A1)').join('+'), 120],
  ];
  eachIsFound(INPUTS, FOUND);

  it('is found where a formula divides by 0 now', async () => {
    expect(await formulaProblems({ ...INPUTS, A9: formula('A2/A8', 99) })).toEqual([
      'warning 9,0 holds 99, and its formula has the error #DIV/0!',
    ]);
  });

  it('is found where a formula refers to cells or a sheet that were deleted', async () => {
    const cells = ['#REF!*2', 'A2+Data!#REF!', 'SUM(#REF!,A2)', "'Old sheet'!#REF!", '#REF!A2'];
    for (const text of [...cells, 'Gone!A1*2', "SUM('Old sheet'!A1:A9)", 'VLOOKUP(2,Gone!A1:B2,2,FALSE)'])
      expect(await formulaProblems({ ...INPUTS, A9: formula(text, 99) })).toEqual([
        'warning 9,0 holds 99, and its formula has the error #REF!',
      ]);
    expect(await formulaProblems({ ...INPUTS, A9: formula('IFERROR(#REF!,99)', 99) })).toEqual([]);
    expect(await formulaProblems({ ...INPUTS, A9: formula('IF(A2>0,99,#REF!)', 99) })).toEqual([]);
  });

  it('is found where a formula has a text, or held one', async () => {
    const sheet = (formulaText: string, stored: string) =>
      sheetOf({
        A1: 1,
        B1: 'text Spain',
        A2: 2,
        B2: 'text Malta',
        C2: 'text Slots 1',
        D1: formula(formulaText, stored),
      });
    const problemsWith = (formulaText: string, stored: string) => {
      const xml = sheet(formulaText, stored);
      const isText = Number.isNaN(Number.parseFloat(stored));
      return formulaProblems({}, '', {
        [SHEET_PART]: isText ? xml.replace('<c r="D1">', '<c r="D1" t="str">') : xml,
      });
    };
    const lookup = 'VLOOKUP(2,A1:B2,2,FALSE)';
    expect(await problemsWith(lookup, 'Malta')).toEqual([]);
    expect(await problemsWith(lookup, 'MALTA')).toEqual([]);
    expect(await problemsWith(lookup, 'Spain')).toEqual([
      'warning 1,3 holds "Spain", and its formula has the value "Malta"',
    ]);
    expect(await problemsWith(lookup, '')).toEqual([
      'warning 1,3 holds "", and its formula has the value "Malta"',
    ]);
    expect(await problemsWith(lookup, '7')).toEqual([
      'warning 1,3 holds 7, and its formula has the value "Malta"',
    ]);
    expect(await problemsWith('A2*5', '')).toEqual([
      'warning 1,3 holds "", and its formula has the value 10',
    ]);
    expect(await problemsWith('VLOOKUP(9,A1:B2,2,FALSE)', 'Spain')).toEqual([
      'warning 1,3 holds "Spain", and its formula has the error #N/A',
    ]);
    expect(await problemsWith('IF(A2>1,"",7)', '7')).toEqual([
      'warning 1,3 holds 7, and its formula has the value ""',
    ]);
    // There is no remark, because programs disagree about references to empty cells and about texts that may be numbers.
    expect(await problemsWith('A9', '')).toEqual([]);
    expect(await problemsWith('C2', 'Slots 2')).toEqual([]);
  });

  it('is found where SUBTOTAL passes over other subtotals', async () => {
    const cells = (total: number): Cells => ({
      A1: 1,
      A2: formula('SUBTOTAL(9,A1:A1)', 1),
      A3: 5,
      A4: formula('SUBTOTAL(9,A1:A3)', total),
    });
    expect(await formulaProblems(cells(6))).toEqual([]);
    expect(await formulaProblems(cells(7))).toEqual(['warning 4,0 holds 7, and its formula has the value 6']);
    const inPart = { ...cells(7), A2: formula('1+SUBTOTAL(9,A1:A1)', 2) };
    expect(await formulaProblems(inPart)).toEqual([]);
    expect(
      await formulaProblems({ ...cells(7), B9: formula('SUBTOTAL(9,A1:A2)+GEOMEAN(A1:A3)', 1) }),
    ).toEqual([]);
  });

  it.each([
    ['A1+B1', 5],
    ['SUM(A1:A2*B1:B2)', 3206],
    ['SUM((A1:A4>1)*A1:A4)', 42],
    ['MAX(ROUND(A1:A4/3,0))', 13],
    ['SUM(A1:A4)', 35.5],
  ])('is found in an array formula of one cell: {=%s}', async (text, right) => {
    const array = ' t="array" ref="A9"';
    expect(await formulaProblems({ ...INPUTS, A9: formula(text, right, array) })).toEqual([]);
    expect(await formulaProblems({ ...INPUTS, A9: formula(text, 99, array) })).toEqual([
      `warning 9,0 holds 99, and its formula has the value ${right}`,
    ]);
  });

  it('is found in each cell of an array formula of many', async () => {
    const cells = (text: string, ...values: readonly [number, number]): Cells => ({
      ...INPUTS,
      F1: formula(text, values[0], ' t="array" ref="F1:F2"'),
      F2: values[1],
    });
    expect(await formulaProblems(cells('A1:A2*B1:B2', 6, 3200))).toEqual([]);
    expect(await formulaProblems(cells('A1:A2*B1:B2', 6, 99))).toEqual([
      'warning 2,5 holds 99, and its formula has the value 3200',
    ]);
    expect(await formulaProblems(cells('A1:A2/SUM(A1:A2)*42', 2, 99))).toEqual([
      'warning 2,5 holds 99, and its formula has the value 40',
    ]);
    expect(await formulaProblems(cells('A1:A3*2', 4, 99))).toEqual([]);
    expect(await formulaProblems(cells('A1:A2*F2', 4, 99))).toEqual([]);
    expect(await formulaProblems(cells('VLOOKUP(A1:A2,A1:B2,2,FALSE)', 3, 99))).toEqual([]);
  });

  it('is not looked for in SUBTOTAL where rows are hidden', async () => {
    const cells = { A1: 1, A2: 5, A3: formula('SUBTOTAL(9,A1:A2)', 5), B3: formula('A1*2', 3) };
    const hidden = sheetOf(cells).replace('<row r="1">', '<row r="1" hidden="1">');
    expect(await formulaProblems({}, '', { [SHEET_PART]: hidden })).toEqual([
      'note undefined 1 row is hidden, and was read like all others: 1',
      'warning 3,1 holds 3, and its formula has the value 2',
    ]);
  });

  it('is found in formulas that cells share, each by its own cells', async () => {
    const shared = ' t="shared" si="3"';
    const cells = (last: number): Cells => ({
      A1: 1,
      B1: 5,
      C1: formula('A1*B$1', 5, `${shared} ref="C1:C3"`),
      A2: 2,
      C2: `<f${shared}/><v>10</v>`,
      A3: 3,
      C3: `<f${shared}></f><v>${last}</v>`,
    });
    expect(await formulaProblems(cells(15))).toEqual([]);
    expect(await formulaProblems(cells(99))).toEqual([
      'warning 3,2 holds 99, and its formula has the value 15',
    ]);
  });

  it('is found by what cells hold, whatever their format shows', async () => {
    const book = (stored: number) => ({
      A1: 45_000,
      A2: `<f>A1+365</f><v>${stored}</v>`,
    });
    const parts = {
      'xl/styles.xml': `<styleSheet ${MAIN}><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy"/></numFmts><cellXfs count="1"><xf numFmtId="164"/></cellXfs></styleSheet>`,
    };
    expect(await formulaProblems(book(45_365), '', parts)).toEqual([]);
    expect(await formulaProblems(book(45_366), '', parts)).toHaveLength(1);
  });

  it('names the first cells of a column, and counts the others', async () => {
    const rows = Array.from({ length: 8 }, (_, i) => [
      [`A${i + 1}`, i],
      [`B${i + 1}`, formula(`A${i + 1}+1`, i + 2)],
    ]);
    expect(await formulaProblems(Object.fromEntries(rows.flat()))).toEqual([
      'warning 1,1 holds 2, and its formula has the value 1; so do B2, B3, B4, B5 and 3 more',
    ]);
  });

  it('is found by the sheet that each formula names, in names that look like cells, too', async () => {
    const cells = { A1: 1, A2: 2, B1: formula('Data!A1+1', 9) };
    // The workbook has no sheet FX2, so the 9 in B2 is no value of its formula either.
    expect(await formulaProblems({ ...cells, B2: formula('FX2!A2+1', 9) })).toEqual([
      'warning 1,1 holds 9, and its formula has the value 2; so does B2',
    ]);
    expect(await formulaProblems(cells)).toEqual(['warning 1,1 holds 9, and its formula has the value 2']);
  });

  itInDepth(
    'is not looked for in formulas that refer to more cells than fit into memory, and is in others',
    async () => {
      const rows = { A1: formula('SUM(B1:AZ1048576)', 99), A2: formula('1+1', 99) };
      const last = Object.fromEntries([...'BCDEFGHIJKLMN'].map((column) => [`${column}1048576`, 1]));
      expect(await formulaProblems({ ...rows, ...last })).toEqual([
        'warning 2,0 holds 99, and its formula has the value 2',
      ]);
      expect(await formulaProblems({ ...rows, C2: 1 })).toHaveLength(1);
    },
  );

  it('is not what is left of digits that a program did not store, or that rounding decides', async () => {
    expect(
      await formulaProblems({
        A1: 0.1,
        A2: 0.2,
        A3: formula('A1+A2', 0.3),
        A4: formula('A1+A2-0.3', 0),
        A5: formula('1/3', 0.333333333),
        A6: formula('ROUND(2.675,2)', 2.68),
        A7: formula('ROUND(2.675,2)', 2.67),
        A8: formula('1e9/7', 142857142.86),
        A9: formula('A1*3=A4', 0),
      }),
    ).toEqual([]);
    expect(await formulaProblems({ A1: 4, B1: formula('A1*0.25', 1.3) })).toHaveLength(1);
  });

  it('is not looked for where a formula has itself in its range', async () => {
    expect(await formulaProblems({ ...INPUTS, A9: formula('SUM(A:A)', 99) })).toEqual([]);
  });

  it('is not looked for where programs differ, or a formula is out of reach', async () => {
    const formulas: readonly (readonly [what: string, text: string])[] = [
      ['another function', 'VLOOKUP(A1,A1:B2,2)'],
      ['a name', 'A2*rate'],
      ['a column of a table', 'Table1[[#This Row],[GGR]]*1000'],
      ['a truth value in a range', 'SUM(D1:D2)'],
      ['an empty cell that IF chooses', 'AVERAGE(IF(A1=2,A8,1),4)'],
      ['several sheets', 'SUM(One:Two!A2)'],
      ['a text that may be a number', 'B3+1'],
      ['a range as one cell', 'A1:A3*2'],
      ['texts', 'A1&B1'],
      ['a comparison', 'A1=B1'],
      ['an intersection', 'SUM(A1:A3 A2:B2)'],
      ['what is not closed', '(A1+B1'],
      ['a cell to the left of the sheet', 'A1+XFE1'],
      ['an empty formula', ''],
      ['too many arguments, of which one is an error', 'ROUNDDOWN(A2/A8,0,B1)'],
    ];
    await expectNoneFound(INPUTS, formulas);
  });

  it('is not looked for in circles, and where formulas see rounded cells', async () => {
    expect(await formulaProblems({ A1: formula('A1+1', 99) }, '<calcPr iterate="1"/>')).toEqual([]);
    expect(
      await formulaProblems({ ...INPUTS, A9: formula('A1+B1', 99) }, '<calcPr fullPrecision="0"/>'),
    ).toEqual([]);
  });
});

describe('formulas without a lasting value', () => {
  it('are a warning where each calculation gives another one', async () => {
    const cells = {
      A1: formula('RANDBETWEEN(1,9)', 4, ' t="shared" si="0" ref="A1:A2"'),
      A2: '<f t="shared" si="0"/><v>5</v>',
      A3: formula('YEAR(TODAY())', 2026),
      A4: formula('BRAND(A1)', 4),
    };
    expect(await formulaProblems(cells)).toEqual([
      'warning 1,0 3 formulas have another value at each calculation, by RAND, TODAY or a function like them',
    ]);
  });

  it('are a note where they take it from another file', async () => {
    expect(
      await formulaProblems({ A1: formula('[1]Data!A2+1', 4), A2: formula("'[2]My data'!$A2", 4) }),
    ).toEqual([
      'note 1,0 2 formulas take their values from other files, as these were when the workbook was calculated last',
    ]);
  });
});

describe('formulas that are not computed', () => {
  it('are one note a column, which names the functions that are never computed', async () => {
    const cells = {
      ...INPUTS,
      J1: formula('RANK(A1,A1:A4)*TEXT(A2,"0.0(")', 3, ' t="shared" si="0" ref="J1:J2"'),
      J2: '<f t="shared" si="0"/><v>4</v>',
      K1: formula('VLOOKUP(A1,A1:B2,2)', 3),
      L1: formula('_xlfn._xlws.SORT(A1:A4)', -7, ' t="array" ref="L1:L4"'),
      M1: formula("A2*'My (sheet)'!rate", 3),
      N1: formula('[1]Data!A2+1', 4),
      O1: formula('A1+B1', 5),
    };
    expect(await formulaProblems(cells, '', {}, UNCOMPUTED)).toEqual([
      'note 1,9 2 cells of column J hold formulas that are not computed here (RANK, TEXT); their saved values are taken',
      'note 1,10 1 cell of column K holds a formula that is not computed here (VLOOKUP); its saved value is taken',
      'note 1,11 4 cells of column L hold formulas that are not computed here (SORT); their saved values are taken',
      'note 1,12 1 cell of column M holds a formula that is not computed here; its saved value is taken',
    ]);
    expect(await formulaProblems(cells, '<calcPr fullCalcOnLoad="1"/>', {}, UNCOMPUTED)).toEqual([]);
  });

  it('are looked at in a moment, however long their words are', async () => {
    const long = { ...INPUTS, J1: formula(`${'n.'.repeat(100_000)}*_xlfn.STDEV.X(A1)`, 3) };
    expect(await formulaProblems(long, '', {}, UNCOMPUTED)).toEqual([
      'note 1,9 1 cell of column J holds a formula that is not computed here (STDEV.X); its saved value is taken',
    ]);
  });
});

describe('values that may be old', () => {
  const known = { ...INPUTS, A9: formula('A1+B1', 5) };
  const unknown = { ...known, B9: formula('VLOOKUP(A1,A1:B2,2)', 3), C9: formula('CONCAT(A1)', 3) };

  it.each([
    ['calcCompleted="0"', 'was saved before it was calculated'],
    ['fullCalcOnLoad="1"', 'asks to be calculated when it is opened'],
    ['calcMode="manual" calcOnSave="0"', 'is calculated by hand alone'],
  ])('are a warning where a workbook says %s, and they cannot be computed', async (calcPr, why) => {
    expect(await formulaProblems(unknown, `<calcPr ${calcPr}/>`)).toEqual([
      `warning 9,1 the workbook ${why}, so 2 formulas may have an old value`,
    ]);
    expect(await formulaProblems(known, `<calcPr ${calcPr}/>`)).toEqual([]);
  });

  it('are none in a workbook that is calculated by hand and before it is saved', async () => {
    expect(await formulaProblems(unknown, '<calcPr calcMode="manual"/>')).toEqual([]);
    expect(
      await formulaProblems(unknown, '<calcPr calcMode="auto" calcCompleted="1" fullCalcOnLoad="0"/>'),
    ).toEqual([]);
  });

  it('are not those that were never calculated, which have a remark of their own', async () => {
    const cells = { A1: 1, A2: '<f>VLOOKUP(A1,A1:B2,2)</f>', A3: formula('COUNT(A1)', 0) };
    expect(await formulaProblems(cells, '<calcPr fullCalcOnLoad="1"/>')).toEqual([]);
  });
});
