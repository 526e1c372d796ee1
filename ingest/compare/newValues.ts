// Values of text dimensions that the earlier snapshot holds in no dataset, with the known value they may stand for.

import { type DatasetName, type DimensionName, dimensionOf } from '../../src/catalog/datasets.ts';
import { nearest } from '../messages/spelling.ts';
import type { Engine } from './engine.ts';
import type { Keys } from './keys.ts';
import { KIND } from './matched.ts';
import type { Side } from './side.ts';
import type { DimensionChange, NewValue } from './types.ts';

/** More new values than this are a new vocabulary: they are counted, and their spelling is not compared. */
const MOST = 200;

/** How many countries of a value are named. */
const COUNTRIES = 10;

/** A dataset without rows before has no vocabulary to compare with. */
export async function newValuesOf(
  engine: Engine,
  keys: Keys,
  before: Side,
  changes: readonly DimensionChange[],
): Promise<readonly NewValue[]> {
  const found: NewValue[] = [];
  for (const { dimension, appeared } of changes) {
    if (dimensionOf(dimension).type !== 'text' || dimension === 'country') continue;
    const known = knownValues(before, dimension);
    if (known.size === 0) continue;
    const fresh = appeared.filter(({ value }) => !known.has(String(value)));
    for (const [i, { value, rows }] of fresh.entries()) {
      const text = String(value);
      const near = i < MOST ? (nearest(text, known) ?? null) : null;
      const at = `${keys.code(dimension)} = ${keys.codeOf(dimension, value)}`;
      const codes = await engine.rows(
        `SELECT DISTINCT ${keys.code('country')} FROM rows_after WHERE ${at} ORDER BY 1 LIMIT ${COUNTRIES}`,
      );
      const losers = i < MOST ? await losingRows(engine, keys, dimension, codes) : [];
      found.push({
        dimension,
        value: text,
        rows,
        countries: codes.map(([code]) => String(keys.valueOf('country', code))),
        nearest: near,
        replaces: nearest(text, losers) ?? null,
      });
    }
  }
  return found;
}

/** The values of a dimension in all datasets of a snapshot; currencies of both kinds are one vocabulary. */
function knownValues({ datasets }: Side, dimension: DimensionName): ReadonlySet<string> {
  const alike: readonly DimensionName[] =
    dimensionOf(dimension).form === 'currency' ? ['fx', 'fx_local_currency'] : [dimension];
  const known = new Set<string>();
  for (const name of Object.keys(datasets) as DatasetName[]) {
    for (const one of alike) {
      for (const { value } of datasets[name].dimensions[one] ?? []) known.add(value);
    }
  }
  return known;
}

/** The values that lost rows in some of these countries. */
async function losingRows(
  engine: Engine,
  keys: Keys,
  dimension: DimensionName,
  countries: readonly (readonly unknown[])[],
): Promise<readonly string[]> {
  const codes = countries.map(([code]) => Number(code));
  if (codes.length === 0) return [];
  const found = await engine.rows(
    `SELECT DISTINCT ${keys.code(dimension)} FROM changed
     WHERE kind = ${KIND.removed} AND ${keys.code('country')} IN (${codes.join(', ')}) ORDER BY 1`,
  );
  return found.map(([code]) => String(keys.valueOf(dimension, code))).filter((value) => value !== '');
}
