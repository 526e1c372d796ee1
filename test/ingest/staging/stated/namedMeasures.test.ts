// A title or name is a warning if it says that the figures are of another measure, are no amounts, or do not count.

import { describe, expect, it } from '@jest/globals';
import type { DatasetName } from '../../../../src/catalog/datasets.ts';
import { cellsOf, csvOf, problemsOf } from '../../../support/month.ts';
import { aRow } from '../../../support/snapshot.ts';

/** For each of these titles, the problem of a table of a dataset below it; empty when there is none. */
async function problemsBelow(dataset: DatasetName, titles: readonly string[]): Promise<string[]> {
  const sheets = titles.map((title, i) => {
    const [heading = [], row = []] = cellsOf(dataset, [aRow(dataset, { year: 1990 + i })]);
    return { name: `S${i}`, rows: [[title], [], heading, row] };
  });
  const problems = await problemsOf({ [`${dataset}.xlsx`]: sheets });
  return titles.map((_, i) => problems.find((text) => text.includes(`S${i}!A1`)) ?? '');
}

const warningOf = (dataset: DatasetName, statement: string, what: string) =>
  `${statement} says that the figures are ${what}, and they were read as ${dataset}; put the figures of ${dataset} in their place; if the text is about other figures, reword or move it`;

describe('a title', () => {
  it('is a warning where it names another measure than the dataset', async () => {
    const titles = [
      ['NGR by product', 'net gaming revenue'],
      ['Net gaming revenue of licensed operators, 2020–2024', 'net gaming revenue'],
      ['Nettospielertrag nach Produkt', 'net gaming revenue'],
      ['Turnover by product', 'turnover'],
      ['Total betting stakes, EUR', 'turnover'],
      ['Handle', 'turnover'],
      ['Amounts wagered in lotteries', 'turnover'],
      ['Spieleinsätze nach Produkt', 'turnover'],
      ['Gaming tax by product', 'taxes'],
      ['Duties 2020–2024', 'taxes'],
      ['Player winnings', 'winnings'],
      ['EBITDA by country', 'profits'],
      ['Number of gaming machines', 'counts'],
    ] as const;
    expect(
      await problemsBelow(
        'ggr',
        titles.map(([title]) => title),
      ),
    ).toEqual(
      titles.map(
        ([title, what], i) => `warning ggr.xlsx › S${i}!A1: ${warningOf('ggr', `"${title}"`, what)}`,
      ),
    );
    expect(await problemsBelow('turnover', ['GGR by product', 'Gross gambling yield'])).toEqual([
      `warning turnover.xlsx › S0!A1: ${warningOf('turnover', '"GGR by product"', 'gross gaming revenue')}`,
      `warning turnover.xlsx › S1!A1: ${warningOf('turnover', '"Gross gambling yield"', 'gross gaming revenue')}`,
    ]);
  });

  it('is none where it names the dataset, mentions another measure, or is a note', async () => {
    const honest = [
      'Gross gaming revenue by country, 2003–2030',
      'GGR and NGR of licensed operators',
      'GGR (stakes less winnings)',
      'GGR before tax',
      'Before taxes',
      'Turnover tax is deducted',
      'Tax year 2024',
      'Operators with a turnover of more than 1 m',
      'Handle with care',
      'Stakes in charity lotteries are left out of these figures of the licensed operators',
      'Revenue net of winnings',
      'Prizes are deducted',
    ];
    expect(await problemsBelow('ggr', honest)).toEqual(honest.map(() => ''));
    expect(await problemsBelow('turnover', ['Turnover (GGR plus winnings)', 'Stakes, NGR and GGR'])).toEqual([
      '',
      '',
    ]);
    expect(await problemsBelow('country', ['Taxes by country', 'GGR'])).toEqual(['', '']);
  });
});

describe('the name of a sheet or a file', () => {
  it('is a warning where it names another measure than the dataset', async () => {
    const rows = cellsOf('ggr');
    expect(await problemsOf({ 'ggr.xlsx': [{ name: 'NGR', rows }] })).toContain(
      `warning ggr.xlsx › NGR: ${warningOf('ggr', 'the name of this sheet', 'net gaming revenue')}`,
    );
    expect(await problemsOf({ 'ggr-turnover_2024.csv': csvOf('ggr') })).toContain(
      `warning ggr-turnover_2024.csv: ${warningOf('ggr', 'the name of this file', 'turnover')}`,
    );
  });

  it('is none where it names the dataset, a product or a country', async () => {
    const rows = (year: number) => cellsOf('ggr', [aRow('ggr', { year })]);
    const sheets = ['GGR', 'GGR and NGR', 'Casino', 'Prize games', 'Tax havens'];
    const problems = await problemsOf({
      'ggr-europe.xlsx': sheets.map((name, i) => ({ name, rows: rows(1990 + i) })),
    });
    expect(problems.filter((text) => text.includes('says'))).toEqual([]);
  });
});

describe('a title about whether figures count', () => {
  it('is a warning where it says that the figures do not count', async () => {
    const titles = [
      'DRAFT',
      'GGR_draft_v2',
      'Entwurf, Stand 1.11.',
      'Do not use!',
      'Test data',
      'GGR (work in progress)',
    ];
    expect(await problemsBelow('ggr', titles)).toEqual(
      titles.map(
        (title, i) =>
          `warning ggr.xlsx › S${i}!A1: "${title}" says that the figures do not count, and they were read like all others; delete it if they count, else move the table away`,
      ),
    );
  });

  it('is none where it is about a law, a licence or valid figures', async () => {
    const honest = [
      'DraftKings is counted in Betting',
      'Effects of the draft Gambling Act are left out',
      'Draft law 2026/12 is not yet in force',
      'Do not use for commercial purposes',
      'Provisional figures of 2025, estimates for 2026',
      'Synthetic sample – not for use',
    ];
    expect(await problemsBelow('ggr', honest)).toEqual(honest.map(() => ''));
  });
});

describe('a title above amounts', () => {
  it('is a warning where it names another measure', async () => {
    const titles = [
      ['GGR per capita (EUR)', 'per person'],
      ['Bruttospielertrag pro Kopf', 'per person'],
      ['GGR, % of GDP', 'shares of others'],
      ['Growth of GGR, %', 'changes in percent'],
      ['GGR: year-on-year change', 'changes in percent'],
      ['GGR (2010 = 100)', 'an index'],
      ['Monthly average of GGR', 'averages of parts of a year'],
      ['GGR, 2026 YTD', 'of a part of a year'],
      ['Quarterly figures', 'of a part of a year'],
      ['GGR, January to June 2026', 'of a part of a year'],
      ['Jan–Sep 2026', 'of a part of a year'],
      ['GGR, nine months ended 30 September', 'of a part of a year'],
      ['First half of 2026', 'of a part of a year'],
      ['GGR in USD (PPP)', 'at purchasing power parities'],
      ['GGR in constant 2015 prices', 'at the prices of another year'],
    ] as const;
    const found = await problemsBelow(
      'ggr',
      titles.map(([title]) => title),
    );
    expect(found).toEqual(
      titles.map(
        ([title, what], i) =>
          `warning ggr.xlsx › S${i}!A1: "${title}" says that the figures are ${what}, and they were read as amounts; write the amounts themselves; if the title is about other figures, reword or move it`,
      ),
    );
  });

  it('is none where it names amounts, or may be about percentages beside them', async () => {
    const ofGgr = [
      'Gross gaming revenue by country, 2003–2030',
      'Monthly update, November 2026',
      'Years added up from quarterly figures',
      'GGR in euros, growth markets',
      'GGR, January to December, revised in the first half of 2026',
      'Some years are reported six months to a year late',
      'Personal and per-machine limits apply; 20 % of operators report late',
      `GGR. ${'Notes on growth in percent and on shares of GDP are on another sheet. '.repeat(2)}`,
    ];
    expect(await problemsBelow('ggr', ofGgr)).toEqual(ofGgr.map(() => ''));
    const ofIndicators = ['Inflation, annual % change', 'GDP and inflation (2010 = 100)'];
    expect(await problemsBelow('country', ofIndicators)).toEqual(['', '']);
    expect(await problemsBelow('fx', ['Rates per capita'])).toEqual(['']);
  });
});
