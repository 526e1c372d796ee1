// Guard `relations`: figures of a country that agreed with each other before no longer do.

import { groupBy } from '../../src/groupBy.ts';
import type { BrokenRelation } from '../compare/types.ts';
import { change, counted, listed, percent, spans } from '../messages/numbers.ts';
import { type Guard, MANY_COUNTRIES, type Suspicion } from './guard.ts';

/** The message for each relation. */
const WORDS: Readonly<Record<BrokenRelation['relation'], (broken: BrokenRelation) => string>> = {
  'turnover-below-ggr': ({ after }) =>
    after === 1
      ? 'turnover equals ggr'
      : `turnover is below ggr, at ${percent(Number(after.toPrecision(3)))} of it`,
  'currencies-apart': ({ currency, after }) =>
    `figures in ${currency} disagree with those in local currency at the rates of fx by up to ${percent(Number(after.toPrecision(3)))}`,
  'states-above-nation': ({ after }) => `its states come to more than the nation (${change(after - 1)})`,
};

/** Leaves out countries with a refused finding in this dataset or in the rates, and new years with one. */
export const relations: Guard = ({ dataset }, { comparison, refusedCountries, refusedYears }) => {
  const broken = comparison.relations.filter(
    ({ country, years }) =>
      !refusedCountries.has(country) && !years.every((year) => refusedYears.has(`${country} ${year}`)),
  );
  const yearsApart = new Set(
    broken.flatMap(({ relation, country, years }) =>
      relation === 'currencies-apart' ? years.map((year) => `${country} ${year}`) : [],
    ),
  );
  // Where currencies disagree, turnover and ggr in one of them do, too.
  const isExplained = ({ relation, country, years }: BrokenRelation) =>
    relation === 'turnover-below-ggr' && years.every((year) => yearsApart.has(`${country} ${year}`));
  const own = broken.filter((one) => one.dataset === dataset && !isExplained(one));
  const alike = groupBy(own, ({ relation, years }) => `${relation} ${years.join(' ')}`);
  const few: BrokenRelation[] = [];
  const shared = [...alike.values()].flatMap((all) => {
    if (all.length >= MANY_COUNTRIES) return [together(all)];
    few.push(...all);
    return [];
  });
  // Whatever broke a relation of so many countries, it is one cause.
  const rest = [...groupBy(few, ({ relation }) => relation).values()].flatMap((all) =>
    new Set(all.map(({ country }) => country)).size >= MANY_COUNTRIES
      ? [together(all)]
      : all.map(suspicionOf),
  );
  return [...shared, ...rest];
};

const suspicionOf = (broken: BrokenRelation): Suspicion => ({
  severity: 'refuse',
  country: broken.country,
  message: `${[broken.country, ...(broken.places.length === 0 ? [] : [listed(broken.places)])].join(', ')}: ${WORDS[broken.relation](broken)} in ${spans(broken.years)}`,
});

/** The same relation of many countries, in the years in which it broke in any of them. */
function together(all: readonly [BrokenRelation, ...BrokenRelation[]]): Suspicion {
  const [first] = all;
  const worst = all.reduce((a, b) => (Math.abs(Math.log(b.after)) > Math.abs(Math.log(a.after)) ? b : a));
  const currencies = [...new Set(all.flatMap(({ currency }) => currency?.split(', ') ?? []))].sort();
  const currency = currencies.length === 0 ? null : currencies.join(', ');
  const countries = [...new Set(all.map(({ country }) => country))];
  const years = [...new Set(all.flatMap((one) => one.years))].sort((a, b) => a - b);
  return {
    severity: 'refuse',
    message: `${counted(countries.length, 'country', 'countries')} (${listed(countries)}): ${WORDS[first.relation]({ ...worst, currency })} in ${spans(years)}`,
  };
}
