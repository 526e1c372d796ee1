// Formulas that look values up or add up what meets criteria, and whose stored values are outdated.

import { describe, expect, it } from '@jest/globals';
import { itInDepth } from '../../../../support/depth.ts';
import {
  type Cells,
  eachIsFound,
  expectNoneFound,
  formula,
  formulaProblems,
} from '../../../../support/formulaWorkbooks.ts';

/** Countries, years and figures, and below them rates by country and year. */
const INPUTS: Cells = {
  ...{ A1: 'text country', B1: 'text year', C1: 'text ggr', D1: 'text ngr' },
  ...{ A2: 'text Austria', B2: 2024, C2: 100, D2: 50 },
  ...{ A3: 'text France', B3: 2024, C3: 200, D3: 'text n/a' },
  ...{ A4: 'text AUSTRIA', B4: 2025, C4: 300, D4: 80 },
  ...{ A5: 'text Spain', B5: 2025, C5: 400 },
  ...{ A7: 'text rates', B7: 2024, C7: 2025, D7: 'text note' },
  ...{ A8: 'text France', B8: 1.1, C8: 1.2, D8: 'text 2024' },
  ...{ A9: 'text Austria', B9: 1.3, C9: 1.4, D9: 'text Malta ' },
  ...{ A10: 'text T*', B10: 7, C10: 'truth 1', D10: 'text Malta' },
};

const foundIn = (text: string, value: number) => formulaProblems({ ...INPUTS, F9: formula(text, value) });

describe('a stored value that its formula does not have', () => {
  const FOUND: readonly (readonly [text: string, right: number])[] = [
    ['VLOOKUP("austria",A2:D5,3,FALSE)', 100],
    ['VLOOKUP(A3,$A$8:$C$9,2,0)*C3', 220],
    ['VLOOKUP(A2,A3:C5,3,0)', 300],
    ['VLOOKUP("Spain",A:C,2,FALSE())', 2025],
    ['VLOOKUP("Spain",A2:D5,4,0)+1', 1],
    ['HLOOKUP(B4,A7:C9,3,0)', 1.4],
    ['_xlfn.XLOOKUP(A2,A8:A9,B8:B9)', 1.3],
    ['_xlfn.XLOOKUP("Italy",A8:A9,B8:B9,5,0)', 5],
    ['_xlfn.XLOOKUP(2025,A7:C7,A9:C9)', 1.4],
    ['MATCH(2025,B2:B5,0)', 3],
    ['INDEX(C2:C5,MATCH("France",A2:A5,0))', 200],
    ['INDEX($A$7:$C$9,MATCH(A4,$A$7:$A$9,0),MATCH(B4,$A$7:$C$7,0))', 1.4],
    ['INDEX(B8:C8,2)', 1.2],
    ['IFERROR(VLOOKUP("Italy",A2:D5,3,0),7)', 7],
    ['_xlfn.IFNA(MATCH(1999,B2:B5,0),7)', 7],
    ['IF(ISNA(MATCH(1999,B2:B5,0)),6,5)', 6],
    ['VLOOKUP("Fra"&"nce",A2:D5,3,0)', 200],
    ['SUMIF(A2:A5,"Austria",C2:C5)', 400],
    ['SUMIF(A:A,A5,C:C)', 400],
    ['SUMIF(C2:C5,">150")', 900],
    ['SUMIF(B7:C7,2025,B9:C9)', 1.4],
    ['SUMIFS(C2:C5,A2:A5,"<>France",B2:B5,">="&B4)', 700],
    ['SUMIFS(C2:D5,C2:D5,"<>200",C2:D5,"<100")', 130],
    ['COUNTIF(A2:A5,"austria")', 2],
    ['COUNTIFS(A2:A5,"<>austria",B2:B5,2025)', 1],
    ['AVERAGEIF(B2:B5,2024,C2:C5)', 150],
    ['AVERAGEIFS(C2:C5,B2:B5,2025)', 350],
    ['_xlfn.MAXIFS(C2:C5,B2:B5,2024)', 200],
    ['_xlfn.MINIFS(C2:C5,B2:B5,2025)', 300],
    ['COUNT(D1:D5)', 2],
    ['SUMPRODUCT(C2:C5,D2:D5)', 29_000],
    ['SUMPRODUCT(ABS(-C2:C5),D2:D5)', 29_000],
    ['SUMPRODUCT((A2:A5="Austria")*(B2:B5=2025),C2:C5)', 300],
    ['SUMPRODUCT(--(B2:B5<>2024),C2:C5)/100%', 700],
    ['IF(A2="AUSTRIA",1,2)', 1],
    ['IF(AND(B2=2024,NOT(A2<>"Austria"),OR(C2>500,ISNUMBER(C2))),1,2)', 1],
    ['IF(A6="",1,2)', 1],
  ];
  eachIsFound(INPUTS, FOUND);

  it('is found where a formula looks for what is not there any more', async () => {
    expect(await foundIn('VLOOKUP("Italy",A2:D5,3,0)', 99)).toEqual([
      'warning 9,5 holds 99, and its formula has the error #N/A',
    ]);
  });

  it.each([
    ['the formula itself in the range', 'SUMIF(E:F,2024)'],
    ['the formula itself in a range that names its sheet', 'SUMIF(data!E:F,2024)'],
  ])('is not looked for where a formula has %s', async (_, text) => {
    expect(await foundIn(text, 99)).toEqual([]);
  });

  it('is not looked for where programs differ, or a formula is out of reach', async () => {
    const formulas: readonly (readonly [what: string, text: string])[] = [
      ['an approximate match', 'VLOOKUP(2025,B2:C5,2)'],
      ['an approximate match that is asked for', 'MATCH(2025,B2:B5,1)'],
      ['another direction', '_xlfn.XLOOKUP(A2,A2:A5,C2:C5,0,0,-1)'],
      ['a pattern to look for', 'VLOOKUP("Aus*",A2:C5,3,0)'],
      ['a pattern as a criterion', 'SUMIF(A2:A10,A10,C2:C10)'],
      ['a number as text to look for', 'MATCH("2024",B2:B5,0)'],
      ['a number as text beside a number that is looked for', 'MATCH(2024,D7:D10,0)'],
      ['a number as text beside a number that is a criterion', 'COUNTIF(D7:D10,2024)'],
      ['a decimal as a criterion', 'SUMIF(B8:B10,">1.15")'],
      ['a date as a criterion', 'SUMIF(B2:B5,">1 Jan 2024",C2:C5)'],
      ['a text that differs by a space', 'VLOOKUP("Malta",D8:D10,1,0)+MATCH("Malta",D8:D10,0)'],
      ['an empty cell to look for', 'MATCH(A6,A2:A9,0)'],
      ['an empty criterion', 'COUNTIF(A2:A9,"")'],
      ['a number with decimals to look for', 'MATCH(1.1,B8:B9,0)'],
      ['a truth value in the way', 'MATCH(1,C8:C10,0)'],
      ['a column outside of the table', 'VLOOKUP("France",A2:C5,4,0)'],
      ['ranges of different sizes', 'SUMIF(A2:A5,"Austria",C2:C4)'],
      ['a condition that counts as 0 by itself', 'SUMPRODUCT(A2:A5="Austria",C2:C5)'],
      ['a text as a factor', 'SUMPRODUCT(C2:C5*D2:D5)'],
      ['cells without end that fulfil a criterion', 'COUNTIF(A:A,"<>France")'],
      ['a sheet that is not there', 'SUMIF(Other!A:A,"x",Other!B:B)'],
    ];
    await expectNoneFound(INPUTS, formulas);
  });

  it('is found by whole columns in each column that a formula was copied to', async () => {
    const cells = {
      A1: 1,
      B1: 2,
      C1: formula('SUM(A:A)', 1),
      D1: formula('SUM(A:A)', 1),
      E1: formula('SUM(B:B)', 2),
    };
    expect(await formulaProblems(cells)).toEqual([]);
  });

  itInDepth('is looked for in sums where searches are too many', async () => {
    const rows = Array.from({ length: 4000 }, (_, i) => [
      [`A${i + 1}`, i],
      [`B${i + 1}`, formula('COUNTIF($A$1:$A$4000,">5")', 3994)],
      [`C${i + 1}`, formula('SUM(A1:A2)', 1)],
    ]);
    const old = formula('COUNTIF($A$1:$A$4000,">5")', 99);
    const cells = {
      ...Object.fromEntries(rows.flat()),
      B3: old,
      B3999: old,
      C4000: formula('SUM(A1:A2)', 99),
    };
    expect(await formulaProblems(cells)).toEqual([
      expect.stringMatching(/^warning 3,1 holds 99/),
      expect.stringMatching(/^warning 4000,2 holds 99/),
    ]);
  });
});
