// Titles which state that the figures are not amounts.

import { describe, expect, it } from '@jest/globals';
import type { DatasetName } from '../../../../src/catalog/datasets.ts';
import { cellsOf, problemsOf } from '../../../support/month.ts';
import { aRow } from '../../../support/snapshot.ts';

/** The problems of tables of a dataset. Each table is below one of these titles. */
async function problemsOfTables(dataset: DatasetName, titles: readonly string[]): Promise<string[]> {
  const sheets = titles.map((title, i) => {
    const [heading = [], row = []] = cellsOf(dataset, [aRow(dataset, { year: 1990 + i })]);
    return { name: `S${i}`, rows: [[title], [], heading, row] };
  });
  const problems = await problemsOf({ [`${dataset}.xlsx`]: sheets });
  return titles.map((_, i) => problems.find((text) => text.includes(`S${i}!A1`)) ?? '');
}

describe('a title', () => {
  it('is a warning where it says that the figures do not count', async () => {
    const titles = [
      'DRAFT',
      'GGR_draft_v2',
      'Entwurf, Stand 1.11.',
      'Do not use!',
      'Test data',
      'GGR (work in progress)',
    ];
    expect(await problemsOfTables('ggr', titles)).toEqual(
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
    expect(await problemsOfTables('ggr', honest)).toEqual(honest.map(() => ''));
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
    const found = await problemsOfTables(
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
    expect(await problemsOfTables('ggr', ofGgr)).toEqual(ofGgr.map(() => ''));
    const ofIndicators = ['Inflation, annual % change', 'GDP and inflation (2010 = 100)'];
    expect(await problemsOfTables('country', ofIndicators)).toEqual(['', '']);
    expect(await problemsOfTables('fx', ['Rates per capita'])).toEqual(['']);
  });
});
