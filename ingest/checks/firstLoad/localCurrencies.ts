// Warns of a country without figures in its local currency, if nearly all others have some.
// Its figures may be labelled USD.

import { getOrInsert } from '../../../src/basics/maps.ts';
import type { DatasetName } from '../../../src/catalog/datasets.ts';
import type { SqlCheckInput } from '../checkInput.ts';
import { placeOfCellAt } from '../stagedPlaces.ts';
import type { StagedRows } from '../stagedRows.ts';

const FEWEST_COUNTRIES = 10;
/** The largest share of countries without their local currency. If more lack it, that is usual. */
const MOST_LACKING = 0.1;

/** Compares the currencies of a small dataset with the local currencies of fx. */
export function checkLocalCurrencies(
  { staging, problems, rowsInMemory }: Pick<SqlCheckInput, 'staging' | 'problems' | 'rowsInMemory'>,
  dataset: DatasetName,
): void {
  const [rows, rates] = [rowsInMemory.get(dataset), rowsInMemory.get('fx')];
  if (rows === undefined || rates === undefined) return;
  const locals = valuesByCountry(rates, 'fx_local_currency');
  const used = valuesByCountry(rows, 'fx');
  // A country that changed its currency has several in fx. It is left out, because its figures may be in the new one alone.
  const known = [...used].flatMap(([country, { first, values }]) => {
    const [local, ...others] = locals.get(country)?.values ?? [];
    return local === undefined || others.length > 0 ? [] : [{ country, first, local, values }];
  });
  const lacking = known.filter(({ local, values }) => !values.has(local));
  if (known.length < FEWEST_COUNTRIES || lacking.length > MOST_LACKING * known.length) return;
  for (const { country, first, local, values } of lacking) {
    const [name, currency] = [staging.text(country), staging.text(local)];
    const others = [...values].map((code) => staging.text(code)).sort();
    problems.add('warning', placeOfCellAt(staging, rows.placeOf(first), 'fx'), {
      problem: `${dataset} of ${name} has no rows in ${currency}, its currency in fx, and nearly all other countries have rows in theirs`,
      remedy: `check that figures in ${currency} are not called ${others.join(' or ')}`,
      kind: `${dataset} of a country without its own currency`,
      country: name,
    });
  }
}

interface ValuesOfCountry {
  readonly first: number;
  readonly values: Set<number>;
}

/** Maps the code of each country to its first row and the codes that its rows have in a dimension. */
function valuesByCountry(
  rows: StagedRows,
  dimension: 'fx' | 'fx_local_currency',
): ReadonlyMap<number, ValuesOfCountry> {
  const [countries, codes] = [rows.dimension('country'), rows.dimension(dimension)];
  const found = new Map<number, ValuesOfCountry>();
  for (const [row, country] of countries.entries()) {
    const { values } = getOrInsert(found, country, () => ({ first: row, values: new Set<number>() }));
    values.add(codes[row] as number);
  }
  return found;
}
