// Formulas with defined names and columns of table objects, whose stored values are outdated.

import { describe, expect, it } from '@jest/globals';
import { type Cells, formula, formulaProblems, MAIN } from '../../../../support/formulaWorkbooks.ts';
import { relationshipsOf } from '../../../../support/handmadeZip.ts';

const INPUTS: Cells = {
  ...{ A1: 'text country', B1: 'text Q1', C1: 'text a[b]', D1: 'text Q2' },
  ...{ A2: 'text Austria', B2: 10, C2: 1, D2: 3 },
  ...{ A3: 'text France', B3: 20, C3: 2, D3: 4 },
  ...{ A4: 'text sum', B4: 30, F1: 5, F2: 6 },
};

const NAMES = `<definedNames>
  <definedName name="Rate">Data!$F$1</definedName>
  <definedName name="rate" localSheetId="0">Data!$F$2</definedName>
  <definedName name="other" localSheetId="1">Data!$F$1</definedName>
  <definedName name="million">1000000</definedName>
  <definedName name="figures">Data!$B$2:$B$3</definedName>
  <definedName name="beside">Data!F1</definedName>
  <definedName name="nested">million*2</definedName>
  <definedName name="fx.A1">Data!$B$2</definedName>
  <definedName name="fx.A2">Data!$B$3</definedName>
  <definedName name="twice">Data!$F$1</definedName>
  <definedName name="TWICE">Data!$F$2</definedName>
</definedNames>`;

const TABLE = {
  ...relationshipsOf(['table', '../tables/table1.xml']),
  'xl/tables/table1.xml': `<table ${MAIN} id="1" name="Ggr" displayName="Ggr" ref="A1:D4" totalsRowCount="1"><tableColumns count="4"><tableColumn id="1" name="country"/><tableColumn id="2" name="Q1"/><tableColumn id="3" name="a[b]"/><tableColumn id="4" name="Q2"/></tableColumns></table>`,
};

const problemsOf = (cells: Cells) => formulaProblems({ ...INPUTS, ...cells }, NAMES, TABLE);

describe('a stored value that its formula does not have', () => {
  it.each([
    ['B2*rate', 60],
    ['Data!RATE+0', 6],
    ['B2*million', 10_000_000],
    ['SUM(figures)', 30],
    ['VLOOKUP("France",Ggr,2,0)', 20],
    ['fx.A2*1', 20],
    ['SUM(Ggr[Q1])', 30],
    ['SUM(Ggr[[Q1]:[Q2]])', 40],
    ["SUM(ggr[a'[b']])", 3],
    ['SUM(Ggr[[#All],[Q1]])', 60],
    ['Ggr[[#Totals],[Q1]]', 30],
    ['Ggr[[#This Row],[Q1]]*1000', 20_000],
    ['SUM(Ggr[[#This Row],[Q1]:[Q2]])', 26],
    ['SUMIFS(Ggr[Q1],Ggr[country],"France")', 20],
  ])('is found: =%s', async (text, right) => {
    expect(await problemsOf({ H3: formula(text, right) })).toEqual([]);
    expect(await problemsOf({ H3: formula(text, 99) })).toEqual([
      `warning 3,7 holds 99, and its formula has the value ${right}`,
    ]);
  });

  it('is not looked for in names that depend on the cell, on other names or sheets, or are defined twice', async () => {
    for (const name of ['beside', 'nested', 'other', 'twice', 'unknown', 'figures', 'Other!rate'])
      expect(await problemsOf({ H3: formula(`${name}*1`, 99) })).toEqual([]);
  });

  it('is not looked for in rows and columns that a table does not have', async () => {
    const cells = { H4: formula('Ggr[[#This Row],[Q1]]*1', 99), H3: formula('SUM(Ggr[ngr])', 99) };
    expect(await problemsOf(cells)).toEqual([]);
  });

  it('is not a name or heading that looks like a cell below', async () => {
    const cells = {
      H2: formula('fx.A1*1', 10),
      H3: formula('fx.A2*1', 20),
      I2: formula('Ggr[[#This Row],[Q1]]+0', 10),
      I3: formula('Ggr[[#This Row],[Q2]]+0', 4),
    };
    expect(await problemsOf(cells)).toEqual([]);
  });
});
