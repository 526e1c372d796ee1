// Warns of currency codes that no currency has, with the code that was likely meant.

import { datasetOf, dimensionOf } from '../../src/catalog/datasets.ts';
import type { Problems } from '../messages/problems.ts';
import { nearest } from '../messages/spelling.ts';
import { stagingColumn, stagingTable } from '../staging/staging.ts';
import { type Checked, PLACE, placeOf, ROW, rowCount, rowsOf, SOURCE, textOf } from './places.ts';

const CURRENCIES = Intl.supportedValuesOf('currency');

/** One warning per dataset, dimension and code, at the first cell that has it. */
export async function checkCurrencies({ staging, datasets }: Checked, problems: Problems): Promise<void> {
  const known = CURRENCIES.map((code) => `'${code}'`).join(', ');
  for (const dataset of datasets) {
    for (const dimension of datasetOf(dataset).dimensions) {
      if (dimensionOf(dimension).form !== 'currency') continue;
      const codes = await rowsOf(
        staging,
        `SELECT text, n::INTEGER, ${SOURCE}, ${ROW}
         FROM (SELECT ${textOf('written')} AS text, n, place FROM
           (SELECT ${stagingColumn(dimension)} AS written, count(*) AS n, min(${PLACE}) AS place
            FROM ${stagingTable(dataset)} GROUP BY written))
         WHERE text <> '' AND text NOT IN (${known}) ORDER BY place, text`,
      );
      for (const [text, n, source, row] of codes) {
        const code = String(text);
        const near = nearest(code, CURRENCIES);
        problems.add('warning', placeOf(staging, source, row, dimension), {
          problem: `no currency has the code "${code}" (${rowCount(n)})`,
          remedy: near === undefined ? 'check the code' : `check the code; the nearest one is ${near}`,
          kind: `${dimension} is the code of no currency`,
        });
      }
    }
  }
}
