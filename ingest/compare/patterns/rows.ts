// Rows that came: under another value of one dimension, beside their likes, as sums of others, or too early.

import { type DimensionName, datasetOf, dimensionOf } from '../../../src/catalog/datasets.ts';
import { KIND } from '../matched.ts';
import type { Pattern, Twin, ValuePair } from '../types.ts';
import { describePattern } from './describe.ts';
import { decoded, type Search, type ShiftCounts } from './shifts.ts';

/** Numbers that are revised by no more than this in the month of a renaming are still the same. */
const ALIKE = 0.01;

/** So many countries renamed alike are one finding of the dataset. */
const MANY_COUNTRIES = 10;

/** From estimated to reported is how figures grow up: no renaming. */
const GROWS_UP: readonly DimensionName[] = ['calculation'];

/**
 * Rows of a country that went and came again under another value of one dimension, with the same numbers. Pairs of
 * `twins` are marked only: the value is gone from the whole dataset, and the guard `renamed` tells of it.
 */
export async function findRenamed(
  search: Search,
  counts: ShiftCounts,
  twins: readonly Twin[],
): Promise<Pattern[]> {
  if (counts.added === 0 || counts.removed === 0) return [];
  const { engine, dataset, keys } = search;
  const { dimensions } = datasetOf(dataset);
  const found: Pattern[] = [];
  for (const dimension of await renamedDimensions(search, counts)) {
    const rest = dimensions.filter((d) => d !== dimension);
    await engine.run(
      `CREATE OR REPLACE TABLE renamed AS
       SELECT g.country, g.${dimension} AS x, n.${dimension} AS y, g.rowid AS gone, n.rowid AS came
       FROM shifts g JOIN shifts n ON ${rest.map((d) => `g.${d} = n.${d}`).join(' AND ')}
       WHERE g.kind = ${KIND.removed} AND n.kind = ${KIND.added} AND NOT g.told AND NOT n.told
         AND ${SAME_NUMBER}`,
    );
    const pairs = await engine.rows(
      `SELECT country, x, y, count(*)::INTEGER FROM renamed GROUP BY ALL ORDER BY 4 DESC, 1, 2, 3`,
    );
    if (pairs.length === 0) continue;
    const isTold = (from: unknown, to: unknown) =>
      twins.some((twin) => twin.dimension === dimension && twin.from === from && twin.to === to);
    const byCountry = new Map<string, (ValuePair & { readonly inside: string })[]>();
    for (const [country, x, y, cells] of pairs) {
      const [from, to] = [keys.valueOf(dimension, x), keys.valueOf(dimension, y)];
      if (isTold(from, to) || GROWS_UP.includes(dimension)) continue;
      const name = String(keys.valueOf('country', country));
      const inside = `(country = ${country} AND x = ${x} AND y = ${y})`;
      byCountry.set(name, [...(byCountry.get(name) ?? []), { from, to, cells: Number(cells), inside }]);
    }
    for (const { place, pairs: of } of placed(byCountry)) {
      const cells = `rowid IN (SELECT gone FROM renamed WHERE ${of.map(({ inside }) => inside).join(' OR ')})`;
      const [n = 0, losers = 0] = await engine.counts(
        `SELECT count(*), (SELECT count(*) FROM shifts WHERE kind = ${KIND.removed} AND NOT told
           AND (country, ${dimension}) IN (SELECT (country, x) FROM renamed)) FROM shifts WHERE ${cells}`,
      );
      const between = {
        dimension,
        pairs: of.map(({ from, to, cells: rows }) => ({ from, to, cells: rows })),
      };
      const told = { family: 'renamed' as const, metric: null, forecast: false, place, between };
      found.push(await describePattern(search, { ...told, cells: n, of: Math.max(n, losers) }, cells));
    }
    await engine.run(
      'UPDATE shifts SET told = true WHERE rowid IN (SELECT gone FROM renamed UNION ALL SELECT came FROM renamed)',
    );
  }
  return found;
}

/** A row that went and one that came, `g` and `n`, have the same number, which is not 0. */
const SAME_NUMBER = `(g.b = n.a OR abs(n.a - g.b) <= ${ALIKE} * abs(g.b)) AND g.b <> 0`;

/** Up to so many pairs of rows are compared at once; of more, dimension by dimension. */
const MANY_PAIRS = 1_000_000;

/** The text dimensions that some row that went and one that came differ in, and in no other. */
async function renamedDimensions({ engine, dataset }: Search, counts: ShiftCounts): Promise<DimensionName[]> {
  const { dimensions } = datasetOf(dataset);
  const texts = dimensions.filter((d) => dimensionOf(d).type === 'text');
  if (counts.added * counts.removed > MANY_PAIRS) return texts;
  const others = dimensions.filter((d) => !texts.includes(d)).map((d) => `g.${d} = n.${d}`);
  const differing = texts.map((d) => `(g.${d} <> n.${d})::INTEGER`).join(' + ');
  const which = texts.map((d, i) => `WHEN g.${d} <> n.${d} THEN ${i}`).join(' ');
  const found = await engine.rows(
    `SELECT DISTINCT CASE ${which} END FROM shifts g JOIN shifts n ON ${['true', ...others].join(' AND ')}
     WHERE g.kind = ${KIND.removed} AND n.kind = ${KIND.added} AND NOT g.told AND NOT n.told
       AND ${SAME_NUMBER} AND ${differing} = 1 ORDER BY 1`,
  );
  return found.flatMap(([i]) => texts[Number(i)] ?? []);
}

/** A pattern per country, or one of the dataset where many countries are concerned alike. */
function placed<Pair extends ValuePair>(byCountry: ReadonlyMap<string, readonly Pair[]>) {
  if (byCountry.size < MANY_COUNTRIES)
    return [...byCountry].map(([country, pairs]) => ({ place: { country }, pairs }));
  return [{ place: {}, pairs: [...byCountry.values()].flat() }];
}

/** New rows that stand beside another of the same series and year: the figure counts twice. */
export async function findTwice(search: Search, counts: ShiftCounts): Promise<Pattern[]> {
  const { keys } = search;
  if (counts.added === 0) return [];
  const found: Pattern[] = [];
  for (const dimension of ['temporal', 'calculation'] as const) {
    if (!keys.has(dimension)) continue;
    const rest = datasetOf(search.dataset).dimensions.filter((d) => d !== dimension);
    const same = rest.map((d) => `r.${d} = s.${d}`).join(' AND ');
    const cells = `kind = ${KIND.added} AND NOT told AND rowid IN (
      SELECT s.rowid FROM shifts s JOIN (SELECT ${decoded(search)} FROM rows_after
        WHERE ${keys.code('country')} IN (SELECT country FROM shifts WHERE kind = ${KIND.added})) r
      ON ${same} AND r.${dimension} <> s.${dimension} WHERE s.kind = ${KIND.added})`;
    found.push(...(await perCountry(search, 'twice', cells)));
  }
  return found;
}

/** A total differs from the sum of its parts by rounding alone. */
const ROUNDED = 0.0005;

/** New rows that equal the sum of their siblings: a total among its parts. */
export async function findSums(search: Search, counts: ShiftCounts): Promise<Pattern[]> {
  const { engine, dataset, keys, metrics } = search;
  const [metric = ''] = metrics;
  if (counts.added === 0 || !keys.has('product')) return [];
  const cut = `(country, year) IN (SELECT (country, year) FROM shifts WHERE kind = ${KIND.added} AND NOT told)`;
  await engine.run(
    `CREATE OR REPLACE TABLE siblings AS
     SELECT * FROM (SELECT ${decoded(search)}, ${metric} AS v FROM rows_after) r
     WHERE ${cut} AND v IS NOT NULL`,
    `DELETE FROM siblings USING shifts s WHERE s.kind = ${KIND.added} AND NOT s.told
       AND ${datasetOf(dataset)
         .dimensions.map((d) => `siblings.${d} = s.${d}`)
         .join(' AND ')}`,
  );
  const place = ['country', 'year', 'fx', 'state'];
  const parts = [
    place,
    ...[
      ['category'],
      ['product'],
      ['channel'],
      ['sub_channel'],
      ['category', 'channel'],
      ['product', 'channel'],
    ].map((part) => [...place, ...part]),
    ['country', 'year', 'fx', 'category', 'product', 'channel', 'sub_channel'],
  ];
  const rowids = parts.map((part) => {
    const names = part.join(', ');
    // One row alone is its own total, as far as the whole place is concerned.
    const fewest = part === place ? 1 : 2;
    return `SELECT s.rowid FROM shifts s
      JOIN (SELECT ${names}, sum(v) AS total FROM siblings GROUP BY ${names} HAVING count(*) >= ${fewest}) t USING (${names})
      WHERE s.kind = ${KIND.added} AND NOT s.told AND s.a <> 0 AND abs(s.a - total) <= ${ROUNDED} * abs(total)`;
  });
  return await perCountry(search, 'sums', `rowid IN (${rowids.join(' UNION ALL ')})`);
}

/** Reported figures of years that have not ended by the month, which the snapshot before did not have. */
export async function findEarly(search: Search, lastYear: number): Promise<Pattern[]> {
  const { engine, dataset, keys, years } = search;
  if (!keys.has('temporal') || search.rows.added === 0) return [];
  const later = keys.codesWhere('year', (year) => Number(year) > lastYear);
  if (later.length === 0) return [];
  const [rows = 0] = await engine.counts(
    `SELECT count(*) FROM changed WHERE kind = ${KIND.added} AND NOT ${years.isForecast(keys)} AND ${keys.code('year')} IN (${later.join(', ')})`,
  );
  if (rows === 0) return [];
  const metrics = search.metrics[0] ?? '';
  // Forecasts that became reported figures are no shifts; these are.
  await engine.run(
    `INSERT INTO shifts SELECT ${decoded({ dataset, keys })}, kind, 0, NULL, ${metrics}_after, false, false, NULL, false
     FROM changed WHERE kind = ${KIND.added} AND NOT ${years.isForecast(keys)} AND ${keys.code('year')} IN (${later.join(', ')})
       AND (${keys.columns.join(', ')}) IN (SELECT (${keys.columns.join(', ')}) FROM arrived)`,
  );
  const cells = `kind = ${KIND.added} AND NOT forecast AND NOT told AND year IN (${later.join(', ')})`;
  return await perCountry(search, 'early', cells);
}

/** A pattern for every country that has cells, or one of the dataset where many have. */
async function perCountry(search: Search, family: Pattern['family'], cells: string): Promise<Pattern[]> {
  const { engine, keys } = search;
  await engine.run(
    `CREATE OR REPLACE TABLE marked AS SELECT rowid AS id, country FROM shifts WHERE ${cells}`,
  );
  const countries = await engine.rows(
    'SELECT country, count(*)::INTEGER FROM marked GROUP BY 1 ORDER BY 2 DESC, 1',
  );
  if (countries.length === 0) return [];
  const all = countries.reduce((sum, [, n]) => sum + Number(n), 0);
  const groups =
    countries.length < MANY_COUNTRIES
      ? countries.map(([country, n]) => ({
          place: { country: keys.valueOf('country', country) },
          cells: Number(n),
          which: `SELECT id FROM marked WHERE country = ${country}`,
        }))
      : [{ place: {}, cells: all, which: 'SELECT id FROM marked' }];
  const found: Pattern[] = [];
  for (const { place, cells: n, which } of groups) {
    const told = { family, metric: null, forecast: false, place, between: null, cells: n, of: n };
    found.push(await describePattern(search, told, `rowid IN (${which})`));
  }
  await engine.run('UPDATE shifts SET told = true WHERE rowid IN (SELECT id FROM marked)');
  return found;
}
