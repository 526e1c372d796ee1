// Guard `relations`: figures of a country agreed with each other before, and do not any more.

import { groupBy } from '../../src/groupBy.ts';
import type { BrokenRelation } from '../compare/brokenRelation.ts';
import { change, counted, listed, percent, spans } from '../messages/numbers.ts';
import { type Guard, isWarnedOf, MANY_COUNTRIES, type Suspicion } from './guard.ts';

/** The message for each relation. `years` are those in which it broke. */
const WORDS: Readonly<Record<BrokenRelation['relation'], (broken: BrokenRelation, years: string) => string>> =
  {
    'turnover-below-ggr': ({ after }, years) =>
      after === 1
        ? `turnover equals ggr in ${years}`
        : `turnover is below ggr, at ${percent(Number(after.toPrecision(3)))} of it in ${years}`,
    'currencies-apart': ({ dataset, currency, after }, years) =>
      `figures in ${currency} disagree with those in local currency at the rates of fx by up to ${percent(Number(after.toPrecision(3)))} in ${years}${dataset === 'fx' ? '; these rates moved, and the figures did not move with them' : ''}`,
    'currencies-drifted': ({ currency, after }, years) =>
      `figures in ${currency} disagree with those in local currency at the rates of fx by up to ${percent(Number(after.toPrecision(3)))} in ${years}, and those of most other countries agree`,
    'constants-drifted': ({ currency, after }, years) =>
      `constant rates in ${currency} differ from the current ones of ${years} by up to ${percent(Number(after.toPrecision(3)))}; they were equal, and those of most other countries are`,
    'states-above-nation': ({ after }, years) =>
      `its states come to more than the nation (${change(after - 1)}) in ${years}`,
    'states-apart': ({ after }, years) =>
      `its states equalled the nation, and come to ${after < 1 ? 'less' : 'more'} now (${change(after - 1)}) in ${years}`,
    'state-scaled': (broken, years) => `${scaledWords(broken, years)}, and those of the nation did not`,
    'market-scaled': ({ after }, years) =>
      `the reported figures of ${years} are what they were × ${after} exactly, and most others of the country did not move`,
    'country-scaled': ({ after }, years) =>
      `the reported figures of ${years} are what they were × ${after} exactly`,
    'forecasts-scaled': ({ after }, years) =>
      `all forecasts of ${years} moved by ${change(after - 1)}, and reported figures did not`,
    'reported-scaled': (broken, years) => `${scaledWords(broken, years)}, and forecasts did not`,
    'dataset-scaled': (broken, years) =>
      `${scaledWords(broken, years)}, and ${broken.dataset === 'ggr' ? 'turnover' : 'ggr'} did not`,
    'hold-far': ({ before, after, share }, years) =>
      `ggr is ${hold(after)} of turnover in ${years}, and was ${after > before ? 'at most' : 'at least'} ${hold(before)} in earlier years${share === null ? '' : ` (${percent(Number(share.toPrecision(2)))} of the country's ggr)`}`,
  };

const scaledWords = ({ after, share }: BrokenRelation, years: string) =>
  `${share === null || share === 1 ? '' : `${percent(Number(share.toPrecision(2)))} of `}the reported figures of ${years} moved by one factor (${change(after - 1)})`;

const hold = (share: number) => percent(Number(share.toPrecision(2)));

/**
 * Reports the broken relations of a dataset. It leaves out countries and new years with a refused finding, because that finding
 * explains why the relation broke. Relations of forecasts are also left out when any finding is about the forecasts.
 */
export const relations: Guard = (
  { dataset },
  { comparison, limits, refusedCountries, refusedYears, verdicts },
) => {
  const told = new Set(
    verdicts.flatMap(({ pattern, country }) => (pattern?.forecast === true ? [country] : [])),
  );
  const isFactorTold = (of: string) =>
    verdicts.some(
      ({ pattern: { family, forecast, place } }) =>
        family === 'factor' && !forecast && (place.country ?? of) === of,
    );
  const isToldOfReported = (of: string) =>
    verdicts.some(({ pattern: { forecast, place } }) => !forecast && place.country === of);
  const broken = comparison.relations.filter(
    ({ relation, country, years, forecast, after }) =>
      !refusedCountries.has(country) &&
      !years.every((year) => refusedYears.has(`${country} ${year}`)) &&
      !(forecast && (told.has(country) || told.has(null))) &&
      !(SCALED.has(relation) && (isFactorTold(country) || isWarnedOf(country, verdicts))) &&
      !(SCALED_PARTS.has(relation) && Math.abs(after - 1) >= FOUND_ONE_BY_ONE && isToldOfReported(country)),
  );
  const countryYears = (name: BrokenRelation['relation']) =>
    new Set(
      broken.flatMap(({ relation, country, years, forecast }) =>
        relation === name ? years.map((year) => `${country} ${year} ${forecast}`) : [],
      ),
    );
  const yearsApart = countryYears('currencies-apart');
  const yearsOfStates = countryYears('state-scaled');
  const yearsAbove = countryYears('states-above-nation');
  const yearsBelow = countryYears('turnover-below-ggr');
  // Where currencies disagree, turnover and ggr disagree as well in one of them, so these are one finding.
  const isExplained = ({ relation, country, years, forecast }: BrokenRelation) => {
    const within = (explaining: ReadonlySet<string>) =>
      years.every((year) => explaining.has(`${country} ${year} ${forecast}`));
    if (relation === 'currencies-drifted') return within(yearsApart);
    if (relation === 'state-scaled') return within(yearsAbove);
    if (relation === 'states-apart') return within(yearsOfStates);
    if (relation === 'hold-far') return within(yearsApart) || within(yearsBelow);
    return relation === 'turnover-below-ggr' && within(yearsApart);
  };
  const isMaterial = ({ share }: BrokenRelation) => share === null || share >= limits.material.refuse;
  const reported = broken.filter(
    (relation) => relation.dataset === dataset && isMaterial(relation) && !isExplained(relation),
  );
  const alike = groupBy(
    reported,
    ({ relation, forecast, years }) => `${relation} ${forecast} ${years.join(' ')}`,
  );
  const ofFewCountries: BrokenRelation[] = [];
  const ofManyCountries = [...alike.values()].flatMap((all) => {
    if (all.length >= MANY_COUNTRIES) return [together(all)];
    ofFewCountries.push(...all);
    return [];
  });
  // When a relation broke in so many countries, it has one cause, even if the years differ.
  const remaining = [
    ...groupBy(ofFewCountries, ({ relation, forecast }) => `${relation} ${forecast}`).values(),
  ].flatMap((all) =>
    new Set(all.map(({ country }) => country)).size >= MANY_COUNTRIES
      ? [together(all)]
      : all.map(suspicionOf),
  );
  return [...ofManyCountries, ...remaining];
};

/** The share from which on moved figures are found as a pattern, if they matter in their country. */
const FOUND_ONE_BY_ONE = 0.1;

/** The relations that say that figures of a part of a country moved by one factor. */
const SCALED_PARTS: ReadonlySet<BrokenRelation['relation']> = new Set([
  'dataset-scaled',
  'state-scaled',
  'market-scaled',
]);

/** The relations that say that figures moved by one factor. */
const SCALED: ReadonlySet<BrokenRelation['relation']> = new Set([
  ...SCALED_PARTS,
  'reported-scaled',
  'country-scaled',
]);

/**
 * Broken relations are refused, except these, which only warn because they may have a good reason:
 *
 * - a hold, because stakes may be defined in another way;
 * - figures that moved by one factor, because their source may define them in another way;
 * - small distances from the rates, because rates may be revised later than figures;
 * - GDP, because its source may change the rates that it uses;
 * - all forecasts.
 */
const severityOf = ({ relation, dataset, forecast }: BrokenRelation) =>
  WARNED.has(relation) || dataset === 'country' || forecast ? 'warn' : 'refuse';

const WARNED: ReadonlySet<BrokenRelation['relation']> = new Set([
  ...SCALED,
  'hold-far',
  'currencies-drifted',
  'constants-drifted',
  'states-apart',
]);

const kindOf = ({ forecast }: BrokenRelation) => (forecast ? ' (forecasts)' : '');

const suspicionOf = (broken: BrokenRelation): Suspicion => ({
  severity: severityOf(broken),
  country: broken.country,
  message: `${[broken.country, ...(broken.places.length === 0 ? [] : [listed(broken.places)])].join(', ')}${kindOf(broken)}: ${WORDS[broken.relation](broken, spans(broken.years))}`,
});

/** One suspicion for a relation that broke in many countries, with all years in which it broke in any of them. */
function together(all: readonly [BrokenRelation, ...BrokenRelation[]]): Suspicion {
  const [first] = all;
  const worst = all.reduce((a, b) => (Math.abs(Math.log(b.after)) > Math.abs(Math.log(a.after)) ? b : a));
  const currencies = [...new Set(all.flatMap(({ currency }) => currency?.split(', ') ?? []))].sort();
  const currency = currencies.length === 0 ? null : currencies.join(', ');
  const countries = [...new Set(all.map(({ country }) => country))];
  const years = [...new Set(all.flatMap((one) => one.years))].sort((a, b) => a - b);
  return {
    severity: severityOf(first),
    message: `${counted(countries.length, 'country', 'countries')} (${listed(countries)})${kindOf(first)}: ${WORDS[first.relation]({ ...worst, currency, share: null }, spans(years))}`,
  };
}
