// Guard `new-values`: a value of a text dimension that the current snapshot lacks.

import { type DimensionName, dimensionOf } from '../../src/catalog/datasets.ts';
import type { Family, Pattern } from '../compare/patterns/types.ts';
import type { NewValue } from '../compare/types.ts';
import { counted, listed } from '../messages/numbers.ts';
import type { Context, Guard, Suspicion } from './guard.ts';
import { wordFor } from './wording.ts';

/** Dimensions with few, well-known values: a new value is probably a mistake. */
const CLOSED_LISTS: readonly DimensionName[] = [
  'temporal',
  'calculation',
  'category',
  'channel',
  'country_type',
];

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** The number of countries that a message names for a value. */
const COUNTRIES = 3;

/** Leaves out the values that a refused renaming reports. */
export const newValues: Guard = ({ dataset, newValues: all }, { renamings, verdicts }) =>
  all.flatMap((value) =>
    isReported(value, verdicts) ||
    renamings.in(dataset).some(({ dimension, to }) => dimension === value.dimension && to === value.value)
      ? []
      : [suspicionOf(value)],
  );

function suspicionOf({ dimension, value, rows, countries, nearest, replaces }: NewValue): Suspicion {
  const unknownCurrency = dimensionOf(dimension).form === 'currency' && !CURRENCIES.has(value);
  const refused = replaces !== null || unknownCurrency || CLOSED_LISTS.includes(dimension);
  const near = replaces ?? nearest;
  const hints = [
    unknownCurrency ? 'no currency has that code' : '',
    replaces !== null
      ? `spelled nearly as "${replaces}", which lost rows there`
      : near === null
        ? ''
        : `the nearest known one is "${near}"`,
  ].filter((hint) => hint !== '');
  const where = listed(countries, COUNTRIES);
  const message = `${where}: ${wordFor(dimension)} "${value}" is new, in ${counted(rows, 'row')}${hints.map((hint) => `; ${hint}`).join('')}`;
  const [only = null] = countries;
  return { severity: refused ? 'refuse' : 'warn', message, country: countries.length === 1 ? only : null };
}

/** Whether a pattern that reports the same rows or the same renaming names the value already. */
const isReported = ({ dimension, value }: NewValue, verdicts: Context['verdicts']) =>
  verdicts.some(
    ({ pattern: { family, between, examples } }) =>
      (family === 'renamed' &&
        between?.dimension === dimension &&
        between.pairs.some(({ to }) => to === value)) ||
      (FAMILIES_OF_ROWS.includes(family) && examples.some(({ key }) => key[dimension] === value)),
  );

/** Patterns of new rows, which also report the rows' new values. */
const FAMILIES_OF_ROWS: readonly Family[] = ['sums', 'copied'];

/** Whether a pattern of new rows has a new value that this rule would refuse. */
export const bringsRefused = ({ family, examples }: Pattern, all: readonly NewValue[]): boolean =>
  FAMILIES_OF_ROWS.includes(family) &&
  all.some(
    (one) =>
      suspicionOf(one).severity === 'refuse' && examples.some(({ key }) => key[one.dimension] === one.value),
  );
