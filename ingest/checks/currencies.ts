// Reports unknown currency codes, and the code ALL where it probably means a total instead of the Albanian lek.

import { datasetOf, dimensionOf } from '../../src/catalog/datasets.ts';
import type { Problems } from '../messages/problems.ts';
import { nearest } from '../messages/spelling.ts';
import type { KnownValues } from '../staging/known.ts';
import { stagingColumn, stagingTable } from '../staging/staging.ts';
import { type Checked, PLACE, placeOf, ROW, rowCount, rowsOf, SOURCE, textOf } from './places.ts';

const CURRENCIES = Intl.supportedValuesOf('currency');

/** One warning per dataset, dimension and code, at the first cell that has it. */
export async function checkCurrencies(
  checked: Checked,
  known: KnownValues | null,
  problems: Problems,
): Promise<void> {
  const { staging, datasets } = checked;
  await checkLek(checked, known, problems);
  const codes = CURRENCIES.map((code) => `'${code}'`).join(', ');
  for (const dataset of datasets) {
    for (const dimension of datasetOf(dataset).dimensions) {
      if (dimensionOf(dimension).form !== 'currency') continue;
      const unknown = await rowsOf(
        staging,
        `SELECT text, n::INTEGER, ${SOURCE}, ${ROW}
         FROM (SELECT ${textOf('written')} AS text, n, place FROM
           (SELECT ${stagingColumn(dimension)} AS written, count(*) AS n, min(${PLACE}) AS place
            FROM ${stagingTable(dataset)} GROUP BY written))
         WHERE text <> '' AND text NOT IN (${codes}) ORDER BY place, text`,
      );
      for (const [text, n, source, row] of unknown) {
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

/**
 * `ALL` is the code of the Albanian lek, and people also write it for a total over all currencies. It is an error in
 * countries that fx gives another currency, unless the current snapshot has `ALL`.
 */
async function checkLek(
  { staging, datasets }: Checked,
  known: KnownValues | null,
  problems: Problems,
): Promise<void> {
  if (known?.has('fx', 'ALL')) return;
  const all = staging.code('ALL');
  const users = datasets.includes('fx')
    ? `SELECT country_code FROM ${stagingTable('fx')} WHERE fx_local_currency_code = ${all}`
    : 'SELECT NULL::INTEGER';
  for (const dataset of datasets.filter((name) => datasetOf(name).dimensions.includes('fx'))) {
    const found = await rowsOf(
      staging,
      `WITH odd AS (SELECT country_code, count(*) AS n, min(${PLACE}) AS place FROM ${stagingTable(dataset)}
          WHERE fx_code = ${all} AND country_code <> ${staging.code('Albania')} AND country_code NOT IN (SELECT country_code FROM (${users}) u(country_code) WHERE country_code IS NOT NULL)
          GROUP BY country_code)
       SELECT ${textOf('country_code')}, n::INTEGER, ${SOURCE}, ${ROW} FROM odd ORDER BY place`,
    );
    for (const [country, n, source, row] of found)
      problems.add('error', placeOf(staging, source, row, 'fx'), {
        problem: `fx "ALL" of ${country} is the Albanian lek (${rowCount(n)})`,
        remedy: 'write the currency; delete the rows if they are a total over all currencies',
        kind: 'fx "ALL" outside of Albania',
      });
  }
}
