// Warns of a country without figures in its local currency, or in one such as USD, if nearly all others have some.

import { getOrInsert } from '../../../src/basics/maps.ts';
import type { DatasetName } from '../../../src/catalog/datasets.ts';
import { count } from '../../messages/numbers.ts';
import type { SqlCheckInput } from '../checkInput.ts';
import { placeOfCellAt } from '../stagedPlaces.ts';
import type { StagedRows } from '../stagedRows.ts';

const FEWEST_COUNTRIES = 10;
/** The largest share of countries without a currency. If more lack it, that is usual. */
const MOST_LACKING = 0.1;

type CurrencyInput = Pick<SqlCheckInput, 'staging' | 'problems' | 'rowsInMemory'>;

/** Compares the currencies of the countries of a small dataset with each other, and with the local currencies of fx. */
export function checkCurrenciesOfCountries(input: CurrencyInput, dataset: DatasetName): void {
  const rows = input.rowsInMemory.get(dataset);
  if (rows === undefined) return;
  const used = valuesByCountry(rows, 'fx');
  const rates = input.rowsInMemory.get('fx');
  const locals = rates === undefined ? new Map() : valuesByCountry(rates, 'fx_local_currency');
  const withoutLocal = checkLocalCurrencies(input, dataset, rows, { used, locals });
  const others = new Map([...used].filter(([code]) => !withoutLocal.has(code)));
  checkCommonCurrencies(input, dataset, rows, { used: others, locals });
}

/**
 * Reports a country without rows in a currency that nearly all countries have. Sums in this currency leave it out. Countries
 * with the currency as their own do not count: among many countries of the euro, another one rightly has none in EUR.
 */
function checkCommonCurrencies(
  { staging, problems }: CurrencyInput,
  dataset: DatasetName,
  rows: StagedRows,
  { used, locals }: CurrenciesOfCountries,
): void {
  for (const code of new Set([...used.values()].flatMap(({ values }) => [...values]))) {
    const compared = [...used].filter(([country]) => locals.get(country)?.values.has(code) !== true);
    const lacking = compared.filter(([, { values }]) => !values.has(code));
    if (compared.length < FEWEST_COUNTRIES || lacking.length > MOST_LACKING * compared.length) continue;
    const currency = staging.text(code);
    for (const [country, { first }] of lacking)
      problems.add('warning', placeOfCellAt(staging, rows.placeOf(first), 'fx'), {
        problem: `${dataset} of ${staging.text(country)} has no rows in ${currency}, and ${count(compared.length - lacking.length)} of ${count(compared.length)} countries with other currencies have some`,
        remedy: `add its figures in ${currency}: sums in this currency leave the country out`,
        kind: `${dataset} of a country without a currency of the others`,
        country: staging.text(country),
      });
  }
}

/** Reports countries without rows in their own currency, and returns their codes. */
function checkLocalCurrencies(
  { staging, problems }: CurrencyInput,
  dataset: DatasetName,
  rows: StagedRows,
  { used, locals }: CurrenciesOfCountries,
): ReadonlySet<number> {
  // A country that changed its currency has several in fx. It is left out, because its figures may be in the new one alone.
  const known = [...used].flatMap(([country, { first, values }]) => {
    const [local, ...others] = locals.get(country)?.values ?? [];
    return local === undefined || others.length > 0 ? [] : [{ country, first, local, values }];
  });
  const lacking = known.filter(({ local, values }) => !values.has(local));
  if (known.length < FEWEST_COUNTRIES || lacking.length > MOST_LACKING * known.length) return new Set();
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
  return new Set(lacking.map(({ country }) => country));
}

/** The currencies of figures, and the local currencies of fx, by the codes of countries. */
interface CurrenciesOfCountries {
  readonly used: ReadonlyMap<number, ValuesOfCountry>;
  readonly locals: ReadonlyMap<number, ValuesOfCountry>;
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
