// Guard `relations`: figures of a country agreed with each other before, and no longer do.

import { groupBy } from '../../src/basics/lists.ts';
import type { BrokenRelation, RelationName } from '../compare/brokenRelation.ts';
import { logDistance } from '../compare/ratios.ts';
import { changeText, counted, listed, multiple, roundedPercent, yearSpans } from '../messages/numbers.ts';
import { MANY_COUNTRIES } from './completeness.ts';
import type { Guard } from './guard.ts';
import { ONE_FACTOR_RELATIONS } from './relationCauses.ts';

/** The message for each relation. `years` are the years in which it broke. */
const WORDS: Readonly<Record<RelationName, (broken: BrokenRelation, years: string) => string>> = {
  'turnover-below-ggr': ({ after }, years) =>
    after === 1
      ? `turnover equals ggr in ${years}`
      : `turnover is below ggr, at ${roundedPercent(after, 3)} of it in ${years}`,
  'currencies-apart': ({ dataset, currency, after }, years) =>
    `figures in ${currency} disagree with those in local currency at the rates of fx by up to ${roundedPercent(after, 3)} in ${years}${dataset === 'fx' ? '; these rates moved, and the figures did not move with them' : ''}`,
  'currency-lacking': ({ currency, after }, years) =>
    `no figures in ${currency} in ${years}, so sums in ${currency} are off by up to ${roundedPercent(after, 3)}`,
  'currencies-drifted': ({ currency, after }, years) =>
    `figures in ${currency} disagree with those in local currency at the rates of fx by up to ${roundedPercent(after, 3)} in ${years}, and those of most other countries agree`,
  'constants-drifted': ({ currency, after }, years) =>
    `constant rates in ${currency} differ from the current ones of ${years} by up to ${roundedPercent(after, 3)}; they were equal, and those of most other countries are`,
  'states-above-nation': ({ after }, years) =>
    `its states come to more than the nation (${changeText(after - 1)}) in ${years}`,
  'states-apart': ({ after }, years) =>
    `its states equalled the nation, and come to ${after < 1 ? 'less' : 'more'} now (${changeText(after - 1)}) in ${years}`,
  'state-scaled': (broken, years) => `${oneFactorWords(broken, years)}, and those of the nation did not`,
  'market-scaled': ({ after }, years) =>
    `the reported figures of ${years} are what they were × ${factorWords(after)} exactly, and most others of the country did not move`,
  'market-moved': (broken, years) =>
    `${oneFactorWords(broken, years)}, and most others of the country did not`,
  'year-moved': ({ places, after }, years) =>
    `the reported figures of ${years} moved${places.length === 0 ? ' by one factor' : ''} (${changeText(after - 1)}), and those of the years beside it did not`,
  'country-scaled': ({ after }, years) =>
    `the reported figures of ${years} are what they were × ${factorWords(after)} exactly`,
  'forecasts-scaled': ({ after }, years) =>
    `all forecasts of ${years} moved by ${changeText(after - 1)}, and reported figures did not`,
  'reported-scaled': (broken, years) => `${oneFactorWords(broken, years)}, and forecasts did not`,
  'dataset-scaled': (broken, years) =>
    `${oneFactorWords(broken, years)}, and ${broken.dataset === 'ggr' ? 'turnover' : 'ggr'} did not`,
  'new-market': ({ after }, years) => `the market is new, and ${newMarketWords(after)} in ${years}`,
  'small-market': ({ before, after }, years) =>
    `the market is new, and its ggr is ${roundedPercent(after, 2)} of the country's in ${years}${Number.isNaN(before) ? '' : `; it is ${roundedPercent(before, 2)} in the median country that has it`}: check its unit`,
  'small-state': ({ dataset, before, after }, years) =>
    `the market is new in the state, and its ${dataset} is ${roundedPercent(after, 2)} of the nation's in ${years}, beside ${roundedPercent(before, 2)} of the adults: check its unit`,
  'hold-far': ({ before, after, share }, years) =>
    `ggr is ${roundedPercent(after, 2)} of turnover in ${years}, and was ${after > before ? 'at most' : 'at least'} ${roundedPercent(before, 2)} in earlier years${share === null ? '' : ` (${roundedPercent(share, 2)} of the country's ggr)`}`,
  'holds-moved': ({ after }, years) =>
    `ggr ÷ turnover of ${years} is that of the year before × ${Number(after.toPrecision(3))} in the median country; check that both are defined as before and cover the whole year`,
};

/** `1.05`, or `11/12` for a multiple of a twelfth, or `12/11`. */
function factorWords(factor: number): string {
  const text = String(factor);
  if (text.length <= LONGEST_DECIMAL) return text;
  const twelfths = factor * 12;
  const isOfTwelfths = Math.abs(twelfths - Math.round(twelfths)) < 1e-6;
  return isOfTwelfths ? `${Math.round(twelfths)}/12` : `12/${Math.round(12 / factor)}`;
}

/**
 * The most characters of a factor with up to four decimals, such as `1.0635`. Longer exact factors are multiples of a
 * twelfth, or twelve divided by a whole number.
 */
const LONGEST_DECIMAL = 6;

/** @param ratio Turnover ÷ ggr. */
function newMarketWords(ratio: number): string {
  if (ratio === Number.POSITIVE_INFINITY) return 'its ggr is 0 beside turnover';
  if (ratio < 1) return `its turnover is below ggr, at ${roundedPercent(ratio, 3)} of it,`;
  return `its turnover is ${multiple(ratio)} times ggr`;
}

const oneFactorWords = ({ after, share }: BrokenRelation, years: string) =>
  `${share === null || share === 1 ? '' : `${roundedPercent(share, 2)} of `}the reported figures of ${years} moved by one factor (${changeText(after - 1)})`;

type BrokenRelations = readonly [BrokenRelation, ...BrokenRelation[]];

/**
 * Reports the broken relations of a dataset. All broken relations are found, because those of other datasets explain some
 * of this one.
 */
export const relationsGuard: Guard<BrokenRelation, BrokenRelations> = {
  find: (_, { comparison }) => comparison.relations,
  gather: (found, { dataset }, { limits }) => {
    const own = found.filter((one) => one.dataset === dataset);
    return merged(own.filter(({ share }) => share === null || share >= limits.material.refuse)).map(
      (broken) => ({
        rule: 'relations',
        severity: severityOfRelation(broken[0]),
        country: broken.length === 1 ? broken[0].country : null,
        about: broken,
      }),
    );
  },
  words: (broken) => ({
    message: broken.length === 1 ? relationWords(broken[0]) : relationWordsOfMany(broken),
  }),
};

/**
 * The relations of each finding. A relation that broke in many countries has one cause, so it becomes a single finding.
 * Countries in which it broke in the same years are merged first, then the others.
 */
function merged(broken: readonly BrokenRelation[]): readonly BrokenRelations[] {
  const ofSameYears = [
    ...groupBy(
      broken,
      ({ relation, forecast, years }) => `${relation} ${forecast} ${years.join(' ')}`,
    ).values(),
  ];
  const isMany = (group: readonly BrokenRelation[]) => group.length >= MANY_COUNTRIES;
  const others = ofSameYears.filter((group) => !isMany(group)).flat();
  const ofAnyYears = groupBy(others, ({ relation, forecast }) => `${relation} ${forecast}`).values();
  return [
    ...ofSameYears.filter(isMany),
    ...[...ofAnyYears].flatMap((group): readonly BrokenRelations[] =>
      new Set(group.map(({ country }) => country)).size >= MANY_COUNTRIES
        ? [group]
        : group.map((one) => [one]),
    ),
  ];
}

/**
 * Broken relations are refused, except these, which only warn because they may have a good reason:
 *
 * - holds, and turnover beside ggr of a new market, because stakes may be defined in another way;
 * - a small share of a new market, in a country or a state, because a market may begin small;
 * - states that no longer add up to their nation, because a state may be revised later;
 * - figures that moved by one factor, because their source may define them in another way;
 * - small distances from the rates, because rates may be revised later than figures;
 * - GDP, because its source may change the rates that it uses;
 * - all forecasts.
 */
const severityOfRelation = ({ relation, dataset, forecast }: BrokenRelation) =>
  WARNED_RELATIONS.has(relation) || dataset === 'country' || forecast ? 'warn' : 'refuse';

const WARNED_RELATIONS: ReadonlySet<RelationName> = new Set([
  ...ONE_FACTOR_RELATIONS,
  'new-market',
  'small-market',
  'small-state',
  'hold-far',
  'holds-moved',
  'currencies-drifted',
  'constants-drifted',
  'states-apart',
]);

const forecastNote = ({ forecast }: BrokenRelation) => (forecast ? ' (forecasts)' : '');

const relationWords = (broken: BrokenRelation): string =>
  `${[broken.country, ...(broken.places.length === 0 ? [] : [listed(broken.places)])].join(', ')}${forecastNote(broken)}: ${WORDS[broken.relation](broken, yearSpans(broken.years))}`;

/** The words for a relation that broke in many countries, with all years in which it broke in any of them. */
function relationWordsOfMany(all: BrokenRelations): string {
  const [first] = all;
  const worst = all.reduce((a, b) => (logDistance(b.after) > logDistance(a.after) ? b : a));
  const currencies = [...new Set(all.flatMap(({ currency }) => currency?.split(', ') ?? []))].sort();
  const currency = currencies.join(', ');
  const countries = [...new Set(all.map(({ country }) => country))];
  const years = all.flatMap((one) => one.years);
  return `${counted(countries.length, 'country', 'countries')} (${listed(countries)})${forecastNote(first)}: ${WORDS[first.relation]({ ...worst, currency, share: null }, yearSpans(years))}`;
}
