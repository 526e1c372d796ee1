// Headings that name a metric and its unit in other languages have one remedy each.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { some } from '../../../support/depth.ts';
import { aMonth, csvOf } from '../../../support/month.ts';
import { type Case, type CaseResult, readCases } from '../../../support/readCases.ts';
import { aRow } from '../../../support/snapshot.ts';
import { expectWithin } from '../../../support/within.ts';

/** A csv of ggr with this heading above its figures, which are 1 and 2. */
const fileOf = (heading: string): Case => [
  'ggr.csv',
  (own) =>
    csvOf('ggr', [aRow('ggr', { ...own, year: 2025 }), aRow('ggr', { ...own, year: 2024, ggr: 2 })]).replace(
      /,ggr\n/,
      `,"${heading}"\n`,
    ),
];

const PLACE = 'error ggr.csv › line 1, column 11: ';

describe('a heading of a metric and its unit', () => {
  const UNITS: readonly (readonly [heading: string, factor: string])[] = [
    ['GGR (EUR m)', '1e6'],
    ['GGR (millones de euros)', '1e6'],
    ['GGR (miles de millones de pesos)', '1e9'],
    ['GGR (Millones de US$)', '1e6'],
    ['GGR in Mio. Euro', '1e6'],
    ['GGR (in Tausend Euro)', '1e3'],
    ["GGR en millions d'euros", '1e6'],
    ['GGR en milliers d’euros', '1e3'],
    ['GGR (milioni di euro)', '1e6'],
    ['GGR (em milhares de reais)', '1e3'],
    ['GGR (R$ mi)', '1e6'],
    ['GGR in miljoen euro', '1e6'],
    ['GGR miljoner kronor', '1e6'],
    ['GGR i 1000 kr', '1e3'],
    ['GGR tys. złotych', '1e3'],
    ['GGR (млн евро)', '1e6'],
    ['GGR（百万円）', '1e6'],
    ['GGR（百万）', '1e6'],
    ['GGR 億', '1e8'],
    ['GGR_m', '1e6'],
    ['ggr_mn', '1e6'],
    ['GGR | m', '1e6'],
    ['GGR – bn', '1e9'],
    ['GGR/k', '1e3'],
    ['GGR {m}', '1e6'],
    ['GGR*1000', '1e3'],
    ['GGR GBPm', '1e6'],
    ["GGR '000", '1e3'],
    ['GGR x1,000', '1e3'],
    ['GGR (ล้านบาท)', '1e6'],
    ['GGR\n(ล้านดอลลาร์สหรัฐ)', '1e6'],
    ['GGR (백만원)', '1e6'],
    ['GGR (triệu đồng)', '1e6'],
    ['GGR (juta)', '1e6'],
    ['GGR (x € 1.000.000)', '1e6'],
    ['GGR (v milionech Kč)', '1e6'],
  ];
  const OTHER_WORDS = [
    'BSE (Mio. EUR)',
    "PBJ en millions d'euros",
    'Produit brut des jeux (M€)',
    'Bruttospielertrag (Mio. EUR)',
    'Gross gaming revenue',
    'GGR en euros',
    'GGR (€)',
    'GGR (local currency)',
  ];
  const CHANGED = [
    'GGR real (Mio. EUR)',
    'GGR Casinos (Mio. EUR)',
    'GGR per capita (k€)',
    'NGR (EUR m)',
    'GGR US ($m)',
  ];
  let unscaled: readonly CaseResult[];
  let others: readonly CaseResult[];
  /** For each factor, the problems of all headings when they are read with --scale of that factor. */
  const scaled = new Map<string, readonly CaseResult[]>();
  // Headings are read together: one month has all that are not scaled, and there is one month for each factor.
  beforeAll(async () => {
    unscaled = await readCases(UNITS.map(([heading]) => fileOf(heading)));
    for (const factor of new Set(UNITS.map(([, factor]) => factor)))
      scaled.set(
        factor,
        await readCases(
          UNITS.filter(([, one]) => one === factor).map(([heading]) => fileOf(heading)),
          { scale: [`ggr=${factor}`] },
        ),
      );
    others = await readCases([...OTHER_WORDS, ...CHANGED].map(fileOf), { scale: ['ggr=1e6'] });
  });

  it.each(UNITS.map((unit, i) => [...unit, i] as const))(
    'is read with --scale, and without it asks for it: %s',
    (heading, factor, i) => {
      const problems = unscaled[i]?.problems ?? [];
      expect(problems).toEqual([
        // A line break in a heading is shown as \n.
        expect.stringContaining(`${PLACE}"${heading.replace('\n', '\\n')}" says that the figures are in `),
      ]);
      expect(problems[0]).toContain(`multiply them with --scale ggr.csv=ggr=${factor}`);
      const alike = UNITS.filter(([, one]) => one === factor);
      expect(scaled.get(factor)?.[alike.findIndex(([one]) => one === heading)]).toEqual({
        problems: [],
        figures: [Number(factor), 2 * Number(factor)],
      });
    },
  );

  it('asks for --scale once, also where a cell above it states the unit too', async () => {
    const [file, content] = fileOf('GGR (EUR m)');
    const [result] = await readCases([
      [file, async (own) => `,,,,,,,,,,GGR in EUR m\n${await content(own)}`],
    ]);
    expect(result?.problems).toEqual([
      expect.stringMatching(/line 1, column 11: .* --scale ggr\.csv=ggr=1e6/),
    ]);
  });

  it.each(OTHER_WORDS.map((heading, i) => [heading, i] as const))(
    'in other words, or with a currency alone, asks whether the metric is meant: %s',
    (heading, i) => {
      expect(others[i]?.problems[0]).toBe(
        `${PLACE}column "${heading}" is neither a dimension nor a metric of ggr; did you mean "ggr"?`,
      );
    },
  );

  it.each(CHANGED.map((heading, i) => [heading, OTHER_WORDS.length + i] as const))(
    'with a word that may change its meaning is never read as the metric: %s',
    (heading, i) => {
      expect(others[i]?.problems[0]).toContain(
        `column "${heading}" is neither a dimension nor a metric of ggr`,
      );
    },
  );

  it.each(some(['Unit', 'Scale factor', 'Multiplier'], 1))(
    'says to use a column of units before it is deleted: %s',
    async (heading) => {
      const rows = [aRow('ggr', { year: 2025 }), aRow('ggr', { year: 2024 })];
      const text = csvOf('ggr', rows)
        .trimEnd()
        .split('\n')
        .map((line, i) => `${line},${i === 0 ? heading : 'thousand'}\n`);
      const month = await aMonth({ 'ggr.csv': text.join('') });
      const { problems } = await month.read('ggr');
      expect(problems[0]).toBe(
        `error ggr.csv › line 1, column 12: column "${heading}" is neither a dimension nor a metric of ggr; multiply the figures by the factor that it says, or use --scale ggr=1e3 where that is thousands in all rows; then delete it`,
      );
      await month.remove();
    },
  );

  it('says to make rows of whole years before a column of their parts is deleted', async () => {
    const rows = [aRow('ggr', { year: 2025 }), aRow('ggr', { year: 2024 })];
    for (const heading of ['Month', 'Half-Year', 'Period']) {
      const lines = csvOf('ggr', rows).trimEnd().split('\n');
      const month = await aMonth({
        'ggr.csv': lines.map((line, i) => `${line},${i === 0 ? heading : 'Q3'}\n`).join(''),
      });
      expect((await month.problems())[0]).toBe(
        `error ggr.csv › line 1, column 12: column "${heading}" is neither a dimension nor a metric of ggr; give each year one row that covers all its months, then delete the column`,
      );
      await month.remove();
    }
  });

  it('is refused in seconds where it holds 100,000 spaces', async () => {
    const results = await expectWithin(5000, () => readCases([fileOf(`a${' '.repeat(100_000)}b`)]));
    expect(results[0]?.problems[0]).toContain('is neither a dimension nor a metric');
  });
});
