// Warns of countries with ggr or turnover that have no rows in fx, or no indicators in `country`.

import { onlyOf } from '../../../src/basics/lists.ts';
import { listed } from '../../messages/numbers.ts';
import type { CheckInput } from '../checkInput.ts';
import { economyOf } from '../indicators/economies.ts';
import { placeOfCellAt } from '../stagedPlaces.ts';

/** The fewest countries with ggr or turnover. Fewer may be those of a source that has no rates. */
const FEWEST_COUNTRIES = 10;
/** The largest share of countries without rows. If more lack them, the dataset is about few countries. */
const MOST_LACKING = 0.5;

/**
 * Reports the countries that `isMeant` allows, once for each of `others`. It compares only listed economies: amalgamated
 * countries, tribal lands and islands such as Guernsey rightly have neither rates nor indicators of their own.
 */
export function checkLackingCountries(
  { staging, datasets, usedValues, problems }: CheckInput,
  others: readonly ('fx' | 'country')[],
  isMeant: (country: string) => boolean,
): void {
  const amounts = (['ggr', 'turnover'] as const).flatMap((dataset) => usedValues.in(dataset, 'country'));
  const byName = new Map(amounts.toReversed().map((one) => [one.text, one]));
  const economies = amounts.filter(
    (one) => byName.get(one.text) === one && economyOf(one.text) !== undefined,
  );
  if (economies.length < FEWEST_COUNTRIES) return;
  for (const other of others.filter((name) => datasets.includes(name))) {
    const known = new Set(usedValues.in(other, 'country').map(({ text }) => text));
    const lacking = economies.filter(({ text }) => !known.has(text));
    const meant = lacking.filter(({ text }) => isMeant(text));
    const [first] = meant;
    if (first === undefined || lacking.length > MOST_LACKING * economies.length) continue;
    const names = meant.map(({ text }) => text);
    problems.add('warning', placeOfCellAt(staging, first.first, 'country'), {
      problem: `${listed(names)} ${names.length === 1 ? 'has' : 'have'} ggr or turnover and no rows in ${other}, where most countries have some`,
      remedy: `add their rows to ${other}, or make sure that the source has none`,
      kind: `${other} lacks countries that have ggr or turnover`,
      country: onlyOf(names),
    });
  }
}
