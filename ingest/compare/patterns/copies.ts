// Values that repeat those of another year, country, currency, product …, and did not before.

import { type DimensionName, datasetOf } from '../../../src/catalog/datasets.ts';
import { KIND } from '../matched.ts';
import type { Pattern, ValuePair } from '../types.ts';
import { describePattern } from './describe.ts';
import { decoded, type Search, type ShiftCounts } from './shifts.ts';

/** Fewer equal values than this are chance. */
const FEWEST = 3;

/** Of a country's changed values in the copied part, so many must be copies. */
const MOST = 0.5;

/** A country's own currency is not another's: of swapped countries only the common currencies can be equal. */
const MOST_OF_COUNTRY = 0.3;

/** What may be copied from, in the order of the search: years first, as the most common slip. */
const DIMENSIONS: readonly DimensionName[] = [
  'year',
  'fx',
  'country',
  'product',
  'channel',
  'sub_channel',
  'category',
  'state',
];

/** More pairs than this are counted, not listed. */
const PAIRS = 60;

/**
 * Reported values other than zero that equal, to the last digit, what another row of the current snapshot says that
 * differs in one dimension alone (for a country: in region and state besides). Only metrics by market (ggr,
 * turnover) are looked at: rates and indicators repeat honestly.
 */
export async function findCopies(search: Search, counts: ShiftCounts): Promise<Pattern[]> {
  const { engine, dataset, keys, metrics } = search;
  const [metric = ''] = metrics;
  if (!keys.has('fx') || counts.added + counts.revised === 0) return [];
  const changed = `kind <> ${KIND.removed} AND NOT told AND NOT forecast AND a <> 0`;
  await engine.run(
    `CREATE OR REPLACE TABLE sources AS SELECT ${decoded(search)}, ${metric} AS v FROM rows_before
     WHERE ${metric} IN (SELECT a FROM shifts WHERE ${changed})`,
  );
  const [any = 0] = await engine.counts('SELECT count(*) FROM sources');
  if (any < FEWEST) return [];
  const found: Pattern[] = [];
  for (const dimension of DIMENSIONS.filter((d) => keys.has(d))) {
    const differs = dimension === 'country' ? ['country', 'region', 'state'] : [dimension];
    const rest = datasetOf(dataset).dimensions.filter((d) => !differs.includes(d) && d !== 'temporal');
    await engine.run(
      `CREATE OR REPLACE TABLE copied AS
       SELECT s.rowid AS id, s.country, s.${dimension} AS y, min(r.${dimension}) AS x
       FROM shifts s JOIN sources r ON r.v = s.a AND ${rest.map((d) => `r.${d} = s.${d}`).join(' AND ')}
       WHERE s.kind <> ${KIND.removed} AND NOT s.told AND NOT s.forecast AND s.a <> 0 AND r.${dimension} <> s.${dimension}
       GROUP BY ALL`,
    );
    const pairs = await engine.rows(
      `SELECT country, x, y, count(*)::INTEGER AS n FROM copied GROUP BY ALL ORDER BY country, n DESC, x, y`,
    );
    if (pairs.length === 0) continue;
    found.push(...(await told(search, dimension, pairs)));
  }
  return found;
}

async function told(
  search: Search,
  dimension: DimensionName,
  pairs: readonly (readonly unknown[])[],
): Promise<Pattern[]> {
  const { engine, keys, metrics } = search;
  const found: Pattern[] = [];
  const share = dimension === 'country' ? MOST_OF_COUNTRY : MOST;
  for (const country of new Set(pairs.map(([code]) => Number(code)))) {
    const of = pairs.filter(([code]) => Number(code) === country);
    const targets = [...new Set(of.map(([, , y]) => Number(y)))];
    const inside = `country = ${country} AND kind <> ${KIND.removed} AND NOT told AND NOT forecast AND a <> 0`;
    const [changed = 0] = await engine.counts(
      `SELECT count(*) FROM shifts WHERE ${inside} AND ${dimension} IN (${targets.join(', ')})`,
    );
    const cells = of.reduce((sum, [, , , n]) => sum + Number(n), 0);
    if (cells < FEWEST || cells < share * changed) continue;
    if (dimension === 'fx' && (await wereEqual(search, country, of))) continue;
    const which = `rowid IN (SELECT id FROM copied WHERE country = ${country})`;
    const valuePairs: ValuePair[] = of.slice(0, PAIRS).map(([, x, y, n]) => ({
      from: keys.valueOf(dimension, x),
      to: keys.valueOf(dimension, y),
      cells: Number(n),
    }));
    const place = { country: keys.valueOf('country', country) };
    const pattern = {
      family: 'copied' as const,
      metric: metrics[0] ?? null,
      place,
      forecast: false,
      cells,
      of: changed,
      between: { dimension, pairs: valuePairs },
    };
    found.push(await describePattern(search, pattern, which));
    await engine.run(
      `UPDATE shifts SET told = true WHERE ${inside} AND ${dimension} IN (${targets.join(', ')})`,
    );
  }
  return found;
}

/** Currencies that are worth the same were equal before: pegged 1:1, or one under two codes. */
async function wereEqual(
  { engine, dataset, keys, metrics }: Search,
  country: number,
  pairs: readonly (readonly unknown[])[],
): Promise<boolean> {
  const [, x, y] = pairs[0] ?? [];
  const rest = datasetOf(dataset).dimensions.filter((d) => d !== 'fx');
  const side = (code: unknown) =>
    `(SELECT ${decoded({ dataset, keys })}, ${metrics[0]} AS v FROM rows_before
      WHERE ${keys.code('country')} = ${country} AND ${keys.code('fx')} = ${Number(code)})`;
  const [all = 0, equal = 0] = await engine.counts(
    `SELECT count(*), count(*) FILTER (p.v = q.v) FROM ${side(x)} p JOIN ${side(y)} q ON ${rest.map((d) => `p.${d} = q.${d}`).join(' AND ')}`,
  );
  return all > 0 && equal > all / 2;
}
