// Titles which say that figures are not amounts.

import { describe, expect, it } from '@jest/globals';
import type { DatasetName } from '../../../../src/catalog/datasets.ts';
import { aMonth, cellsOf } from '../../../support/month.ts';
import { aRow } from '../../../support/snapshot.ts';

/** What is told of tables of a dataset, each below one of these titles. */
async function toldOf(dataset: DatasetName, titles: readonly string[]): Promise<string[]> {
  const sheets = titles.map((title, i) => {
    const [heading = [], row = []] = cellsOf(dataset, [aRow(dataset, { year: 1990 + i })]);
    return { name: `S${i}`, rows: [[title], [], heading, row] };
  });
  const month = await aMonth({ [`${dataset}.xlsx`]: sheets });
  try {
    const problems = await month.problems();
    return titles.map((_, i) => problems.find((text) => text.includes(`S${i}!A1`)) ?? '');
  } finally {
    await month.remove();
  }
}

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
      ['GGR in USD (PPP)', 'at purchasing power parities'],
      ['GGR in constant 2015 prices', 'at the prices of another year'],
    ] as const;
    const told = await toldOf(
      'ggr',
      titles.map(([title]) => title),
    );
    expect(told).toEqual(
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
      'Personal and per-machine limits apply; 20 % of operators report late',
      `GGR. ${'Notes on growth in percent and on shares of GDP are on another sheet. '.repeat(2)}`,
    ];
    expect(await toldOf('ggr', ofGgr)).toEqual(ofGgr.map(() => ''));
    const ofIndicators = ['Inflation, annual % change', 'GDP and inflation (2010 = 100)'];
    expect(await toldOf('country', ofIndicators)).toEqual(['', '']);
    expect(await toldOf('fx', ['Rates per capita'])).toEqual(['']);
  });
});
