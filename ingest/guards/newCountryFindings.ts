// Writes the findings of the guard `new-values` about countries that the lookup did not have.

import { DATASET_NAMES, type DatasetName, datasetOf } from '../../src/catalog/datasets.ts';
import type { Comparison, NewValue } from '../compare/comparisonTypes.ts';
import { isCountryName } from '../messages/countryNames.ts';
import { changeText, counted, listed } from '../messages/numbers.ts';
import { appearedIn, type Suspicion } from './guard.ts';

/** From this number of new countries on, those about which nothing is odd share a finding. */
const FEWEST_TOGETHER = 6;

/** The most doubtful countries with a finding of their own, and the most names in a finding. */
const MOST_NAMED = 20;

/** What a finding about new countries says. */
export type AboutNewCountries =
  | { readonly of: 'country'; readonly value: NewValue }
  /** `areMore`: other findings are about single countries. */
  | { readonly of: 'countries'; readonly values: readonly NewValue[]; readonly areMore: boolean };

/**
 * A warning for each new country, because a misspelled, invented or repeated country is new, too. Many new countries share
 * one, unless their names or datasets are odd.
 */
export function newCountrySuspicions(
  values: readonly NewValue[],
  comparison: Comparison,
): readonly Suspicion<AboutNewCountries>[] {
  const doubtful = values.filter((value) => isDoubtful(value, comparison)).slice(0, MOST_NAMED);
  const own = values.length < FEWEST_TOGETHER ? values : doubtful;
  const others = values.filter((one) => !own.includes(one));
  const about: readonly AboutNewCountries[] = [
    ...own.map((value) => ({ of: 'country', value }) as const),
    ...(others.length === 0 ? [] : [{ of: 'countries', values: others, areMore: own.length > 0 } as const]),
  ];
  return about.map((one) => ({
    rule: 'new-values',
    severity: 'warn',
    country: one.of === 'country' ? one.value.value : null,
    isCause: true,
    about: one,
  }));
}

/** The text of a finding about new countries. */
export function newCountryWords(about: AboutNewCountries, comparison: Comparison): string {
  if (about.of === 'country') return oneCountryWords(about.value, comparison);
  const more = about.areMore ? 'more ' : '';
  const names = about.values.map(({ value }) => value);
  return `${counted(names.length, `${more}country is`, `${more}countries are`)} new: ${listed(names, MOST_NAMED)}`;
}

const isDoubtful = (value: NewValue, comparison: Comparison): boolean =>
  doubtWords(value) !== '' || datasetsUsing(value, comparison).using.length <= 1;

function doubtWords({ value: country, nearest }: NewValue): string {
  if (isCountryName(country)) return '';
  return nearest === null
    ? '; no list of countries has that name'
    : `; the nearest known one is "${nearest}"`;
}

/** The datasets with rows of the country, each with the number of these rows, and those without. Lookups do not count. */
function datasetsUsing({ value: country }: NewValue, { datasets }: Comparison) {
  const rowsIn = (name: DatasetName) =>
    appearedIn(datasets[name], 'country').find(({ value }) => value === country)?.rows ?? 0;
  const uses = DATASET_NAMES.filter((name) => datasetOf(name).lookup !== undefined).map((name) => ({
    name,
    rows: rowsIn(name),
  }));
  return {
    using: uses.filter(({ rows }) => rows > 0),
    missing: uses.filter(({ rows }) => rows === 0).map(({ name }) => name),
  };
}

function oneCountryWords(value: NewValue, comparison: Comparison): string {
  const { using, missing } = datasetsUsing(value, comparison);
  const rows = using.map((one) => `${counted(one.rows, 'row')} of ${one.name}`);
  const uses =
    using.length === 0
      ? 'and no dataset has rows of it'
      : `with ${listed(rows, rows.length)}${missing.length === 0 ? '' : `, none of ${listed(missing, missing.length)}`}`;
  return `country "${value.value}" is new, ${uses}${largestTotalMove(value.value, comparison.datasets)}${doubtWords(value)}`;
}

/** The reported total that the country moved most; '' if it moved none. */
function largestTotalMove(country: string, datasets: Comparison['datasets']): string {
  const moved = DATASET_NAMES.flatMap((name) => datasets[name].totals).flatMap((total) => {
    const { before, forecast, joiners } = total;
    const by = joiners.find((one) => one.country === country)?.by ?? 0;
    return forecast || by === 0 || before === null || before === 0
      ? []
      : [{ ...total, share: by / Math.abs(before) }];
  });
  const [most] = moved.toSorted((a, b) => Math.abs(b.share) - Math.abs(a.share));
  if (most === undefined) return '';
  const place = [most.metric, ...(most.fx === null ? [] : ['in', most.fx]), most.year].join(' ');
  return `; the total that it moves most is ${place} (${changeText(most.share)})`;
}
