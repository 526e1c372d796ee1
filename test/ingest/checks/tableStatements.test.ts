// Names, titles and comments that state another currency or temporal than all rows of their table.

import { describe, expect, it } from '@jest/globals';
import { wholeTable } from '../../../ingest/messages/place.ts';
import { labelsInName, labelsInText } from '../../../ingest/messages/statedLabels.ts';
import { statementsBeside } from '../../../ingest/staging/stated/statements.ts';
import { cellsOf, csvOf, ownProblemsOf } from '../../support/month.ts';
import { aRow, type Row } from '../../support/snapshot.ts';

const rows = (own: Row = {}) => [2023, 2024].map((year) => aRow('ggr', { fx: 'USD', year, ...own }));

const sheet = (name: string, own: Row = {}, titles: readonly (string | number)[][] = []) => ({
  name,
  rows: [...titles.map((cells) => [...cells]), ...cellsOf('ggr', rows(own))],
});

const ASKS_FOR_FX = 'correct the fx of the rows, or the text';

describe('a currency that is stated of rows in another one', () => {
  it('is a warning in the name of a sheet, once for each sheet', async () => {
    const sheets = [sheet('EUR', {}, [['GGR, EUR']]), sheet('GBP', { fx: 'GBP', product: 'Bingo' })];
    expect(await ownProblemsOf({ 'ggr.xlsx': sheets })).toEqual([
      `warning ggr.xlsx › EUR: the name of this sheet says EUR, and its 2 rows are USD; ${ASKS_FOR_FX}`,
    ]);
  });

  it('is a warning in the name of a file, where no sheet of it has the currency', async () => {
    const others = sheet('B', { fx: 'GBP' });
    expect(await ownProblemsOf({ 'ggr-eur.xlsx': [sheet('A'), others] })).toEqual([
      `warning ggr-eur.xlsx: the name of this file says EUR, and its 4 rows are GBP and USD; ${ASKS_FOR_FX}`,
    ]);
    expect(await ownProblemsOf({ 'ggr-usd.xlsx': [sheet('A'), others] })).toEqual([]);
  });

  it('is a warning in a title, also beside a unit that --scale deals with', async () => {
    expect(
      await ownProblemsOf({ 'ggr.xlsx': [sheet('A', {}, [['Italy'], ['All figures in euros']])] }),
    ).toEqual([
      `warning ggr.xlsx › A!A2: "All figures in euros" says EUR, and its 2 rows are USD; ${ASKS_FOR_FX}`,
    ]);
    expect(
      await ownProblemsOf({ 'ggr.xlsx': [sheet('A', {}, [['GGR, kEUR']])] }, { scale: ['ggr=1'] }),
    ).toEqual([`warning ggr.xlsx › A!A1: "GGR, kEUR" says EUR, and its 2 rows are USD; ${ASKS_FOR_FX}`]);
  });

  it('is nothing where a row has it, beside rates, in a list of currencies, or where EUR is Europe', async () => {
    const titles = [
      [['GGR in USD']],
      [['Converted from', 'EUR']],
      [['EUR', 0.92]],
      [['EUR'], ['GBP']],
      [['EUR/USD 1.08']],
    ];
    const sheets = titles.map((title, i) => sheet(`A${i}`, { product: `P${i}` }, title));
    expect(await ownProblemsOf({ 'ggr.xlsx': sheets })).toEqual([]);
    const asia = csvOf('ggr', rows({ product: 'Bingo' }));
    expect(await ownProblemsOf({ 'ggr-eur.csv': csvOf('ggr', rows()), 'ggr-asia.csv': asia })).toEqual([]);
  });

  it('is read in comments of titles and figures, not in those of labels', () => {
    const header = {
      row: 1,
      columns: [
        { kind: 'dimension', name: 'fx' },
        { kind: 'metric', name: 'ggr' },
      ],
    } as const;
    const origin = { file: 'ggr.xlsx', sheet: 'A', format: 'xlsx', columns: new Map() } as const;
    const countAt = (row: number, column: number) =>
      statementsBeside([{ what: 'comment', text: 'in EUR', cell: [row, column] }], header, origin).length;
    expect([countAt(1, 1), countAt(1, 0), countAt(2, 1)]).toEqual([1, 0, 0]);
    const [ofPage] = statementsBeside([{ what: 'print header', text: 'in EUR' }], header, origin);
    expect(ofPage?.place).toEqual(wholeTable(origin));
  });
});

describe('a temporal that is stated of rows with the other one', () => {
  it('is a warning in names and titles', async () => {
    const forecast = { temporal: 'Forecast', product: 'Bingo' };
    expect(await ownProblemsOf({ 'ggr.xlsx': [sheet('Forecast 2027'), sheet('Actuals', forecast)] })).toEqual(
      [
        'warning ggr.xlsx › Forecast 2027: the name of this sheet says Forecast, and its 2 rows are Current; correct the temporal of the rows, or the text',
        'warning ggr.xlsx › Actuals: the name of this sheet says Current, and its 2 rows are Forecast; correct the temporal of the rows, or the text',
      ],
    );
    expect(await ownProblemsOf({ 'ggr.xlsx': [sheet('A', {}, [['Budget figures for 2027']])] })).toHaveLength(
      1,
    );
  });

  it('is nothing where a row has it', async () => {
    const both = [...cellsOf('ggr', rows()), ...cellsOf('ggr', rows({ temporal: 'Forecast' })).slice(1)];
    expect(await ownProblemsOf({ 'ggr.xlsx': [{ name: 'Forecast', rows: both }] })).toEqual([]);
  });
});

describe('what texts state', () => {
  const values = (labels: ReturnType<typeof labelsInName>) => labels.map(({ value }) => value).join(' ');

  it('is read from names and short texts', () => {
    const names = ['GGR_EUR', 'ggr-usd-2026', 'kEUR', 'EURm', 'GGR 2025 EUR', 'GGR US$', 'ggrEUR', '£m'];
    expect(names.map((name) => values(labelsInName(name)))).toEqual([
      'EUR',
      'USD',
      'EUR',
      'EUR',
      'EUR',
      'USD',
      'EUR',
      '£',
    ]);
    const texts = ['in EUR', 'Currency: GBP', 'GGR (€ m)', 'US dollars', "USD '000", 'GGR in £ (GBP)'];
    expect(texts.map((text) => values(labelsInText(text)))).toEqual([
      'EUR',
      'GBP',
      'EUR',
      'USD',
      'USD',
      'GBP',
    ]);
  });

  it('is nothing where a text may be about something else', () => {
    const texts = [
      'ggr-all',
      'ggr-top-20',
      'Europe',
      'EUR and USD',
      'not in EUR',
      'operators above EUR 1 million',
      'EUR 5m',
      'converted from USD',
      'Euro area',
      'Euro 2024',
      'euro-zone',
      'Actuals and forecasts',
      'without forecasts',
      'forecast-2027 vs actuals',
      'source: EUR database',
      `All figures are in EUR. ${'They come from the regulator. '.repeat(2)}`,
    ];
    expect(texts.map((text) => values([...labelsInName(text), ...labelsInText(text)])).join('')).toBe('');
    expect(values([...labelsInText('EUR-Lex'), ...labelsInText('The next forecast: May')])).toBe('');
  });
});
