// Headings of percent metrics may say percent. In the headings of other metrics it is refused.

import { describe, expect, it } from '@jest/globals';
import { aMonth, csvOf } from '../../../support/month.ts';
import { aRow } from '../../../support/snapshot.ts';

/** The rows of country in csv files with these headings in place of `own`, one row a file, and the errors. */
async function read(own: string, headings: readonly string[]) {
  const files = headings.map((heading, i): [string, string] => {
    const row = aRow('country', { year: 2010 + i, inflation: 2.5 });
    return [`country-${i}.csv`, csvOf('country', [row]).replace(own, `"${heading}"`)];
  });
  const month = await aMonth(Object.fromEntries(files));
  try {
    const { problems, rows } = await month.read('country');
    return {
      errors: problems.filter((text) => text.startsWith('error')),
      inflation: rows.map(({ year, inflation }) => [headings[Number(year) - 2010], inflation]),
    };
  } finally {
    await month.remove();
  }
}

describe('percent', () => {
  it('may stand in the heading of a metric in percent', async () => {
    const headings = [
      'Inflation (%)',
      'Inflation, %',
      'Inflation (annual %)',
      'inflation in percent',
      'Inflation [per cent]',
      'Inflation Prozent',
    ];
    const { errors, inflation } = await read('inflation', headings);
    expect(errors).toEqual([]);
    expect(inflation).toEqual(headings.map((heading) => [heading, 2.5]));
  });

  it('is an error in the heading of an amount', async () => {
    const { errors } = await read('adult_population', ['adult_population (%)']);
    expect(errors).toContainEqual(expect.stringContaining('column "adult_population (%)" is neither'));
  });
});
