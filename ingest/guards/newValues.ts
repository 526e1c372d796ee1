// Guard `new-values`: a text dimension has a value that the current snapshot does not have.

import { type DimensionName, datasetOf, dimensionOf } from '../../src/catalog/datasets.ts';
import { groupBy } from '../../src/groupBy.ts';
import { onlyOf } from '../../src/onlyOf.ts';
import type { Family, Pattern } from '../compare/patterns/types.ts';
import type { IntroducedRows, IntroducedValue } from '../compare/totalTypes.ts';
import type { DatasetComparison, NewValue } from '../compare/types.ts';
import { CURRENCY_CODES } from '../messages/currencyCodes.ts';
import { count, counted, listed } from '../messages/numbers.ts';
import type { Severity } from './finding.ts';
import { appearedIn, type Guard, type GuardInput, type Suspicion, severityOf, worstOf } from './guard.ts';
import { isIntroducedMove } from './introducedRows.ts';
import { judgedTotals } from './movedTotals.ts';
import { newCountries } from './newCountries.ts';
import { areRenamed } from './renamedRows.ts';
import { moveOf } from './totalWords.ts';
import { roundedPercent, wordFor } from './wording.ts';

/** Dimensions with a few well-known values. A new value of them is probably a mistake. */
const CLOSED_LISTS: readonly DimensionName[] = [
  'temporal',
  'calculation',
  'category',
  'channel',
  'country_type',
];

/** The number of values that a message names. */
const MOST_NAMED = 6;

/** The number of countries of a value that a message names. */
const COUNTRIES = 3;

/**
 * Reports new values, and values that are new to their country if they moved totals or rows. Leaves out values that another
 * finding names, such as the new name in a renaming, and values that come with a new country.
 */
export const newValues: Guard = (compared, input) => {
  const { renamings, verdicts } = input;
  const { dataset, newValues: all, introduced } = compared;
  const unreported = all.filter(
    (one) =>
      !isReported(one, verdicts) &&
      !renamings.isNewName(dataset, one.dimension, one.value) &&
      !comesWithCountry(one, compared),
  );
  const countries = unreported.filter(({ dimension }) => dimension === 'country');
  const others = unreported.filter(({ dimension }) => dimension !== 'country');
  const groups = [...groupBy(others, groupOf).values()];
  const [largest] = introduced.values;
  const isOfLargest = ({ dimension, value }: NewValue) =>
    dimension === largest?.dimension && value === largest.value;
  const effect = areRenamed(verdicts, compared) ? null : effectOf(compared, input);
  const suspicions = groups.flatMap((values): readonly Suspicion[] => {
    const found = suspicionsOfGroup(values);
    return effect !== null && values.some(isOfLargest) ? found.map((one) => withEffect(one, effect)) : found;
  });
  const ofKnown =
    effect === null || largest === undefined || others.some(isOfLargest)
      ? []
      : [withEffect(suspicionOfKnown(introduced), effect)];
  return [...newCountries(countries, input.comparison), ...ofKnown, ...suspicions];
};

function suspicionsOfGroup(values: readonly [NewValue, ...NewValue[]]): readonly Suspicion[] {
  const [{ countries }] = values;
  if (countries.length > 1 && values.length > 1) return [suspicionOfMany(values)];
  return values.length < FEWEST_TOGETHER ? values.map(suspicionOf) : [suspicionOfAll(values)];
}

/** The effect of values that are new to their country. Other guards would report it if the values did not explain it. */
interface Effect {
  readonly severity: Severity;
  readonly words: string;
}

/** The effect on the number of rows, on totals and on the totals of countries; null if none of it is worth a finding. */
function effectOf(compared: DatasetComparison, input: GuardInput): Effect | null {
  const { introduced, rows, countryMoves } = compared;
  if (introduced.rows === 0) return null;
  const { limits } = input;
  const grown = Math.max(0, Math.min(introduced.rows, rows.after - rows.before)) / rows.before;
  const { introduced: totals } = judgedTotals(compared, input);
  const [country, ...others] = countryMoves
    .filter((move) => isIntroducedMove(move, compared, limits))
    .toSorted((a, b) => b.mean - a.mean);
  const severities = [
    severityOf(grown, limits.rows),
    ...totals.map(({ severity }) => severity),
    country === undefined ? null : severityOf(country.mean, limits.country),
  ];
  const severity = worstOf(severities);
  if (severity === null) return null;
  const [most] = totals.toSorted((a, b) => Math.abs(b.share) - Math.abs(a.share));
  const moved =
    most === undefined
      ? ''
      : `; ${counted(totals.length, 'total')} moved with ${introduced.rows === 1 ? 'it' : 'them'}, most ${moveOf(most)}`;
  const share =
    severityOf(grown, limits.rows) === null ? '' : `; the dataset has ${roundedPercent(grown, 3)} more rows`;
  const isLarge = country !== undefined && country.mean >= limits.country.warn;
  const less =
    others.length === 0
      ? ''
      : `, and those of ${counted(others.length, 'other country', 'other countries')} by less`;
  const closed = isLarge
    ? `; closed years of ${country.country} moved by ${roundedPercent(country.mean, 3)} on average${less}`
    : '';
  return { severity, words: `${share}${moved}${closed}` };
}

const withEffect = (suspicion: Suspicion, { severity, words }: Effect): Suspicion => ({
  ...suspicion,
  severity: severity === 'refuse' ? 'refuse' : suspicion.severity,
  message: `${suspicion.message}${words}`,
  isCause: true,
});

/** The suspicion about values that other countries had before, such as a currency that all countries get. */
function suspicionOfKnown({ values, rows }: IntroducedRows): Suspicion {
  const [{ dimension, value, countries }] = values as readonly [IntroducedValue];
  const others = values.length === 1 ? '' : ` and ${counted(values.length - 1, 'other value')}`;
  return {
    severity: 'warn',
    message: `${listed(countries, COUNTRIES)}: ${wordFor(dimension)} "${value}"${others} ${values.length === 1 ? 'is' : 'are'} new there, in ${counted(rows, 'row')}`,
    country: values.length === 1 ? onlyOf(countries) : null,
  };
}

/**
 * Whether a value needs no finding of its own. A region is reported for the lookup, and all other datasets must have its
 * regions. A currency that exists and comes with a new country is expected.
 */
function comesWithCountry(
  { dimension, value, countries, replaces }: NewValue,
  compared: DatasetComparison,
): boolean {
  if (dimension === 'region') return datasetOf(compared.dataset).lookup !== undefined;
  if (dimensionOf(dimension).form !== 'currency' || replaces !== null || !CURRENCY_CODES.has(value))
    return false;
  const fresh = new Set(appearedIn(compared, 'country').map((country) => country.value));
  return countries.every((country) => fresh.has(country));
}

/** From this number of values on, one finding names them together, for example when a country gets states. */
const FEWEST_TOGETHER = 3;

/**
 * The key of a value's group. New values of the same several countries are one group, and so are new values of a dimension
 * in one country. A value that may be a mistake is a group by itself.
 */
function groupOf(value: NewValue): string {
  const { dimension, countries, nearest, replaces } = value;
  if (countries.length > 1 && !isMistakable(value)) return JSON.stringify(countries);
  const isUnlikeOthers = nearest === null && replaces === null && suspicionOf(value).severity === 'warn';
  return JSON.stringify([dimension, countries, isUnlikeOthers && countries.length === 1 ? '' : value.value]);
}

/** Whether a value looks like an error of spelling, or a currency that does not exist. */
const isMistakable = ({ dimension, value, nearest, replaces }: NewValue): boolean =>
  nearest !== null ||
  replaces !== null ||
  (dimensionOf(dimension).form === 'currency' && !CURRENCY_CODES.has(value));

/** The suspicion about values that the same countries got, such as a channel with its products. */
function suspicionOfMany(all: readonly [NewValue, ...NewValue[]]): Suspicion {
  const [{ countries }] = all;
  const values = all.toSorted((a, b) => b.rows - a.rows);
  const names = values.map(({ dimension, value }) => `${wordFor(dimension)} "${value}"`);
  const isRefused = values.some((value) => suspicionOf(value).severity === 'refuse');
  const message = `${listed(countries, COUNTRIES)}: ${listed(names, MOST_NAMED)} are new, in ${counted(values[0]?.rows ?? 0, 'row')} or fewer each`;
  return { severity: isRefused ? 'refuse' : 'warn', message, country: null };
}

function suspicionOfAll(all: readonly [NewValue, ...NewValue[]]): Suspicion {
  const [{ dimension, countries }] = all;
  const [country = null] = countries;
  const rows = all.reduce((sum, value) => sum + value.rows, 0);
  const names = listed(all.map(({ value }) => value));
  const message = `${country}: ${count(all.length)} values of ${wordFor(dimension)} are new (${names}), in ${counted(rows, 'row')}`;
  return { severity: 'warn', message, country };
}

function suspicionOf({ dimension, value, rows, countries, nearest, replaces }: NewValue): Suspicion {
  const unknownCurrency = dimensionOf(dimension).form === 'currency' && !CURRENCY_CODES.has(value);
  const refused = replaces !== null || unknownCurrency || CLOSED_LISTS.includes(dimension);
  const hints = [
    ...(unknownCurrency ? ['no currency has that code'] : []),
    ...(replaces === null ? [] : [`spelled nearly as "${replaces}", which lost rows there`]),
    ...(replaces === null && nearest !== null ? [`the nearest known one is "${nearest}"`] : []),
  ];
  const where = listed(countries, COUNTRIES);
  const message = `${where}: ${wordFor(dimension)} "${value}" is new, in ${counted(rows, 'row')}${hints.map((hint) => `; ${hint}`).join('')}`;
  return { severity: refused ? 'refuse' : 'warn', message, country: onlyOf(countries) };
}

/** Whether the finding of a pattern already names the value, because the pattern is about its renaming or its rows. */
const isReported = ({ dimension, value }: NewValue, verdicts: GuardInput['verdicts']) =>
  verdicts.some(
    ({ pattern: { family, between, examples } }) =>
      (OF_NEW_NAMES.includes(family) &&
        between?.dimension === dimension &&
        between.pairs.some(({ to }) => to === value)) ||
      (FAMILIES_OF_ROWS.includes(family) && examples.some(({ key }) => key[dimension] === value)),
  );

/** The families of patterns of rows with another name. */
const OF_NEW_NAMES: readonly Family[] = ['renamed', 'merged', 'relabelled'];

/** The families of patterns of new rows. Their findings name the new values of the rows. */
const FAMILIES_OF_ROWS: readonly Family[] = ['sums', 'copied'];

/** Whether a pattern of new rows has a new value that the guard `new-values` would refuse. */
export const bringsRefused = ({ family, examples }: Pattern, all: readonly NewValue[]): boolean =>
  FAMILIES_OF_ROWS.includes(family) &&
  all.some(
    (one) =>
      suspicionOf(one).severity === 'refuse' && examples.some(({ key }) => key[one.dimension] === one.value),
  );
