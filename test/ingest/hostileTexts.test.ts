// Patterns could take minutes on these texts of 100,000 characters. Each must take less than two seconds of CPU.

import { describe, expect, it } from '@jest/globals';
import { stemAndNumber } from '../../ingest/checks/variantSpellings.ts';
import { isUnitLabel, unitBesideNumber } from '../../ingest/messages/statedUnits.ts';
import { isNotAboutFigures } from '../../ingest/sources/readers/formatConditions.ts';
import { FormulaCells } from '../../ingest/sources/readers/formulas/formulaCells.ts';
import { fromOpenFormula } from '../../ingest/sources/readers/ods/openFormula.ts';
import { parseNumber } from '../../ingest/sources/readers/xlsx/bytes.ts';
import { currencyInFormat, shownBy } from '../../ingest/sources/readers/xlsx/numberFormat.ts';
import { printedSections } from '../../ingest/sources/readers/xlsx/worksheetMetadata.ts';
import { withAccountingSigns } from '../../ingest/staging/numbers/numberText.ts';
import { unsupportedNumberForm } from '../../ingest/staging/numbers/unsupportedForms.ts';
import { aMonth, csvOf } from '../support/month.ts';
import { odsRow, odsRows } from '../support/ods.ts';
import { processorMs } from '../support/processorMs.ts';
import { aRow } from '../support/snapshot.ts';
import { rowsOf } from '../support/sourceFile.ts';

const times = (text: string) => text.repeat(100_000 / text.length);
const SPACES = times(' ');

const LONGEST_MS = 2000;

function addFormulas(count: number, text: string): void {
  const formulas = new FormulaCells();
  for (let i = 0; i < count; i++) formulas.add(9, i, { text: `${text}${i}`, shared: null, array: null }, 1);
}

describe('a text of 100,000 characters is read without delay', () => {
  it.each<[string, () => unknown]>([
    ['letters of a value', () => stemAndNumber(times('a'))],
    ['spaces behind the label of a unit', () => isUnitLabel(`units${SPACES}x`)],
    ['spaces before a unit', () => unitBesideNumber(`${SPACES}x`)],
    ['ampersands in a print header', () => printedSections(times('&'))],
    ['spaces in a condition', () => isNotAboutFigures(`${SPACES}x`)],
    ['quotes in a formula', () => addFormulas(1, times("'"))],
    ['brackets in a formula', () => addFormulas(1, times("['"))],
    ['digits in formulas', () => addFormulas(100, `${'1'.repeat(990)}x`)],
    ['quotes in a formula of an .ods workbook', () => fromOpenFormula(`[${times("'")}`)],
    ['digits of a number', () => parseNumber(Buffer.from(`${times('1')}x`), 0, 100_001)],
    ['signs in a number format', () => shownBy(`[${times('$')}`)],
    ['signs in the format of a currency', () => currencyInFormat(`[${times('$')}`)],
    ['spaces between two figures', () => unsupportedNumberForm('ggr', `1${SPACES}1`, '')],
    ['spaces before a minus', () => withAccountingSigns(`1${SPACES}1`)],
  ])('%s', (_, look) => {
    const start = processorMs();
    look();
    expect(processorMs() - start).toBeLessThan(LONGEST_MS);
  });

  it('in what a figure of an .ods workbook shows', async () => {
    const shown = `${times('a')}1`;
    const cell = `<table:table-cell office:value-type="float" office:value="7"><text:p>${shown}</text:p></table:table-cell>`;
    const start = processorMs();
    expect(await rowsOf('a.ods', odsRows(odsRow(cell)))).toHaveLength(1);
    expect(processorMs() - start).toBeLessThan(LONGEST_MS);
  });

  it('in values of a month', async () => {
    const rows = [`${SPACES}a`, `${times('*')}a`].map((state) => aRow('ggr', { state: `a${state}` }));
    const month = await aMonth({ 'ggr.csv': csvOf('ggr', rows) });
    const start = processorMs();
    await month.problems();
    expect(processorMs() - start).toBeLessThan(5 * LONGEST_MS);
    await month.remove();
  });
});
