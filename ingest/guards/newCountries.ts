// Writes the findings of the guard `new-values` about countries that the lookup did not have.

import { DATASET_NAMES, type DatasetName, datasetOf } from '../../src/catalog/datasets.ts';
import type { Comparison, NewValue } from '../compare/types.ts';
import { isCountryName } from '../messages/countryNames.ts';
import { change, counted, listed } from '../messages/numbers.ts';
import { appearedIn, type Suspicion } from './guard.ts';

/** From this number of new countries on, those about which nothing is odd share a finding. */
const FEWEST_TOGETHER = 6;

/** The most doubtful countries with a finding of their own, and the most names in a finding. */
const MOST_NAMED = 20;

interface NewCountry {
  readonly country: string;
  /** Where the country is used, and what is odd about it. */
  readonly words: string;
  readonly isDoubtful: boolean;
}

/**
 * A warning for each new country, because a misspelled, invented or repeated country is new, too. Many new countries share one,
 * unless their names or datasets are odd.
 */
export function newCountries(values: readonly NewValue[], comparison: Comparison): readonly Suspicion[] {
  const all = values.map((value) => newCountry(value, comparison));
  const doubtful = all.filter(({ isDoubtful }) => isDoubtful).slice(0, MOST_NAMED);
  const own = all.length < FEWEST_TOGETHER ? all : doubtful;
  const others = all.filter((one) => !own.includes(one)).map(({ country }) => country);
  const more = own.length === 0 ? '' : 'more ';
  return [
    ...own.map(({ country, words }) => ({ message: `country "${country}" is new, ${words}`, country })),
    ...(others.length === 0
      ? []
      : [
          {
            message: `${counted(others.length, `${more}country is`, `${more}countries are`)} new: ${listed(others, MOST_NAMED)}`,
            country: null,
          },
        ]),
  ].map((one): Suspicion => ({ severity: 'warn', ...one, isCause: true }));
}

function newCountry({ value: country, nearest }: NewValue, { datasets }: Comparison): NewCountry {
  const others = DATASET_NAMES.filter((name) => datasetOf(name).lookup !== undefined);
  const rowsIn = (name: DatasetName) =>
    appearedIn(datasets[name], 'country').find(({ value }) => value === country)?.rows ?? 0;
  const using = others.filter((name) => rowsIn(name) > 0);
  const missing = others.filter((name) => rowsIn(name) === 0);
  const rows = using.map((name) => `${counted(rowsIn(name), 'row')} of ${name}`);
  const uses =
    using.length === 0
      ? 'and no dataset has rows of it'
      : `with ${listed(rows, rows.length)}${missing.length === 0 ? '' : `, none of ${listed(missing, missing.length)}`}`;
  const doubt = isCountryName(country)
    ? ''
    : nearest === null
      ? '; no list of countries has that name'
      : `; the nearest known one is "${nearest}"`;
  return {
    country,
    words: `${uses}${effectOf(country, datasets)}${doubt}`,
    isDoubtful: doubt !== '' || using.length <= 1,
  };
}

/** The reported total that the country moved most; '' if it moved none. */
function effectOf(country: string, datasets: Comparison['datasets']): string {
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
  return `; the total that it moves most is ${place} (${change(most.share)})`;
}
