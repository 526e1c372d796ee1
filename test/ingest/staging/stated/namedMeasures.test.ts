// Titles and names which say that figures of ggr or turnover are another measure.

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
