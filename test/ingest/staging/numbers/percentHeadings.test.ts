// Headings of percent metrics may say percent. In the headings of other metrics it is refused.

import { describe, expect, it } from '@jest/globals';
import { aMonth, csvOf } from '../../../support/month.ts';
import { aRow } from '../../../support/snapshot.ts';

/** The problems of a csv of country in which `heading` replaces one heading, and the inflation that was read. */
async function read(own: string, heading: string) {
  const month = await aMonth({
    'country.csv': csvOf('country', [aRow('country', { inflation: 2.5 })]).replace(own, `"${heading}"`),
  });
  try {
    const { problems, rows } = await month.read('country');
    return {
      problems: problems.filter((text) => text.startsWith('error')),
      inflation: rows.map((row) => row.inflation),
    };
  } finally {
    await month.remove();
  }
}

describe('percent', () => {
  it.each([
    'Inflation (%)',
    'Inflation, %',
    'Inflation (annual %)',
    'inflation in percent',
    'Inflation [per cent]',
    'Inflation Prozent',
  ])('may stand in the heading %s', async (heading) => {
    expect(await read('inflation', heading)).toEqual({ problems: [], inflation: [2.5] });
  });

  it('is an error in the heading of an amount', async () => {
    const { problems } = await read('adult_population', 'adult_population (%)');
    expect(problems).toContainEqual(expect.stringContaining('column "adult_population (%)" is neither'));
  });
});
