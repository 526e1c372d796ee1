// Reads headings that name a metric and its unit in the words of other languages, and expects one remedy for each.

import { describe, expect, it } from '@jest/globals';
import { type GivenOptions, readingOptions } from '../../../../ingest/staging/readingOptions.ts';
import { some } from '../../../support/depth.ts';
import { aMonth, csvOf } from '../../../support/month.ts';
import { aRow } from '../../../support/snapshot.ts';

/** What is told of a csv of ggr with this heading above its figures, which are 1 and 2, and their sum. */
async function read(heading: string, given: GivenOptions = {}) {
  const rows = [aRow('ggr', { year: 2025 }), aRow('ggr', { year: 2024, ggr: 2 })];
  const month = await aMonth({ 'ggr.csv': csvOf('ggr', rows).replace(/,ggr\n/, `,"${heading}"\n`) });
  try {
    const { problems, rows: staged } = await month.read('ggr', { reading: readingOptions(given) });
    return { problems, sum: staged.reduce((sum, { ggr }) => sum + Number(ggr), 0) };
  } finally {
    await month.remove();
  }
}

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
  ];
  it.each(some(UNITS, 6))('is read with --scale, and without it asks for it: %s', async (heading, factor) => {
    const { problems } = await read(heading);
    expect(problems).toEqual([expect.stringContaining(`${PLACE}"${heading}" says that the figures are in `)]);
    expect(problems[0]).toContain(`multiply them with --scale ggr.csv=ggr=${factor}`);
    expect(await read(heading, { scale: [`ggr=${factor}`] })).toEqual({
      problems: [],
      sum: 3 * Number(factor),
    });
  });

  it.each([
    'BSE (Mio. EUR)',
    "PBJ en millions d'euros",
    'Produit brut des jeux (M€)',
    'Bruttospielertrag (Mio. EUR)',
    'Gross gaming revenue',
    'GGR en euros',
    'GGR (€)',
  ])('in other words, or with a currency alone, asks whether the metric is meant: %s', async (heading) => {
    const { problems } = await read(heading, { scale: ['ggr=1e6'] });
    expect(problems[0]).toBe(
      `${PLACE}column "${heading}" is neither a dimension nor a metric of ggr; did you mean "ggr"?`,
    );
  });

  it.each([
    'GGR real (Mio. EUR)',
    'GGR Casinos (Mio. EUR)',
    'GGR per capita (k€)',
    'NGR (EUR m)',
    'GGR US ($m)',
  ])('with a word that may change its meaning is never read as the metric: %s', async (heading) => {
    const { problems } = await read(heading, { scale: ['ggr=1e6'] });
    expect(problems[0]).toContain(`column "${heading}" is neither a dimension nor a metric of ggr`);
  });
});
