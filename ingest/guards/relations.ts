// Guard `relations`: figures of a country agreed with each other before, and no longer do.

import type { DimensionName } from '../../src/catalog/datasets.ts';
import { groupBy } from '../../src/groupBy.ts';
import type { BrokenRelation, RelationName } from '../compare/brokenRelation.ts';
import { distance } from '../compare/ratios.ts';
import { SUSPICIOUS_MOVE } from '../compare/revision.ts';
import type { ScaledGroup } from '../compare/types.ts';
import { isRunning } from '../compare/years.ts';
import { change, counted, listed, multiple, spans } from '../messages/numbers.ts';
import { MANY_COUNTRIES } from './completeness.ts';
import { type Guard, type GuardInput, isWarnedOf, type Suspicion, type Verdict } from './guard.ts';
import { roundedPercent } from './wording.ts';

/** The message for each relation. `years` are the years in which it broke. */
const WORDS: Readonly<Record<RelationName, (broken: BrokenRelation, years: string) => string>> = {
  'turnover-below-ggr': ({ after }, years) =>
    after === 1
      ? `turnover equals ggr in ${years}`
      : `turnover is below ggr, at ${roundedPercent(after, 3)} of it in ${years}`,
  'currencies-apart': ({ dataset, currency, after }, years) =>
    `figures in ${currency} disagree with those in local currency at the rates of fx by up to ${roundedPercent(after, 3)} in ${years}${dataset === 'fx' ? '; these rates moved, and the figures did not move with them' : ''}`,
  'currencies-drifted': ({ currency, after }, years) =>
    `figures in ${currency} disagree with those in local currency at the rates of fx by up to ${roundedPercent(after, 3)} in ${years}, and those of most other countries agree`,
  'constants-drifted': ({ currency, after }, years) =>
    `constant rates in ${currency} differ from the current ones of ${years} by up to ${roundedPercent(after, 3)}; they were equal, and those of most other countries are`,
  'states-above-nation': ({ after }, years) =>
    `its states come to more than the nation (${change(after - 1)}) in ${years}`,
  'states-apart': ({ after }, years) =>
    `its states equalled the nation, and come to ${after < 1 ? 'less' : 'more'} now (${change(after - 1)}) in ${years}`,
  'state-scaled': (broken, years) => `${scaledWords(broken, years)}, and those of the nation did not`,
  'market-scaled': ({ after }, years) =>
    `the reported figures of ${years} are what they were × ${factorWords(after)} exactly, and most others of the country did not move`,
  'market-moved': (broken, years) => `${scaledWords(broken, years)}, and most others of the country did not`,
  'year-moved': ({ places, after }, years) =>
    `the reported figures of ${years} moved${places.length === 0 ? ' by one factor' : ''} (${change(after - 1)}), and those of the years beside it did not`,
  'country-scaled': ({ after }, years) =>
    `the reported figures of ${years} are what they were × ${factorWords(after)} exactly`,
  'forecasts-scaled': ({ after }, years) =>
    `all forecasts of ${years} moved by ${change(after - 1)}, and reported figures did not`,
  'reported-scaled': (broken, years) => `${scaledWords(broken, years)}, and forecasts did not`,
  'dataset-scaled': (broken, years) =>
    `${scaledWords(broken, years)}, and ${broken.dataset === 'ggr' ? 'turnover' : 'ggr'} did not`,
  'new-market': ({ after }, years) => `the market is new, and ${newMarketWords(after)} in ${years}`,
  'small-market': ({ before, after }, years) =>
    `the market is new, and its ggr is ${roundedPercent(after, 2)} of the country's in ${years}; it is ${roundedPercent(before, 2)} in the median country that has it: check its unit`,
  'hold-far': ({ before, after, share }, years) =>
    `ggr is ${roundedPercent(after, 2)} of turnover in ${years}, and was ${after > before ? 'at most' : 'at least'} ${roundedPercent(before, 2)} in earlier years${share === null ? '' : ` (${roundedPercent(share, 2)} of the country's ggr)`}`,
  'holds-moved': ({ after }, years) =>
    `ggr ÷ turnover of ${years} is that of the year before × ${Number(after.toPrecision(3))} in the median country; check that both are defined as before and cover the whole year`,
};

/** `1.05`, or `11/12` for a multiple of a twelfth. */
function factorWords(factor: number): string {
  const text = String(factor);
  return text.length <= LONGEST_DECIMAL ? text : `${Math.round(factor * 12)}/12`;
}

/**
 * The most characters of a factor with up to four decimals, such as `1.0635`. Longer exact factors are multiples of a twelfth.
 */
const LONGEST_DECIMAL = 6;

/** @param ratio Turnover ÷ ggr. */
function newMarketWords(ratio: number): string {
  if (ratio === Number.POSITIVE_INFINITY) return 'its ggr is 0 beside turnover';
  if (ratio < 1) return `its turnover is below ggr, at ${roundedPercent(ratio, 3)} of it,`;
  return `its turnover is ${multiple(ratio)} times ggr`;
}

const scaledWords = ({ after, share }: BrokenRelation, years: string) =>
  `${share === null || share === 1 ? '' : `${roundedPercent(share, 2)} of `}the reported figures of ${years} moved by one factor (${change(after - 1)})`;

/** Reports the broken relations of a dataset. Relations that another finding or another broken relation explains are left out. */
export const relations: Guard = ({ dataset, scaled }, input) => {
  const broken = input.comparison.relations.filter(
    (one) => !isFoundElsewhere(one, input) && !(one.dataset === dataset && isChangeOfUnit(one, scaled)),
  );
  const isConsequence = consequencesAmong(broken);
  const isMaterial = ({ share }: BrokenRelation) => share === null || share >= input.limits.material.refuse;
  return suspicionsOf(
    broken.filter((one) => one.dataset === dataset && isMaterial(one) && !isConsequence(one)),
  );
};

/**
 * Whether another finding reports the cause: a refused one about the country or its years, one about its forecasts, or one about
 * figures that moved by a factor.
 */
function isFoundElsewhere(
  broken: BrokenRelation,
  { comparison, refusedCountries, refusedYears, verdicts }: GuardInput,
): boolean {
  const { relation, country, years, forecast, after } = broken;
  if (refusedCountries.has(country)) return true;
  if (years.every((year) => refusedYears.has(`${country} ${year}`))) return true;
  if (forecast && haveForecastsVerdict(country, verdicts)) return true;
  // `runningYears.ts` judges running years, whose figures still come in month by month.
  if (relation === 'year-moved' && years.every((year) => isRunning(year, comparison.after.month)))
    return true;
  if (SCALED.has(relation) && (hasFactorVerdict(broken, verdicts) || isWarnedOf(country, verdicts)))
    return true;
  const isLarge = Math.abs(after - 1) >= SUSPICIOUS_MOVE;
  return SCALED_PARTS.has(relation) && isLarge && haveReportedVerdict(broken, verdicts);
}

/** Whether the guard `units` reports the factor, because all values of the dataset, or of a part of it, are in another unit. */
const isChangeOfUnit = ({ relation, after }: BrokenRelation, scaled: readonly ScaledGroup[]): boolean =>
  (SCALED.has(relation) || relation === 'forecasts-scaled') &&
  scaled.some(
    ({ group, factor }) => group.country === undefined && Math.abs(after / factor - 1) <= SAME_FACTOR_SHARE,
  );

/** Whether a verdict is about forecasts of the country, or of several countries. */
const haveForecastsVerdict = (country: string, verdicts: readonly Verdict[]): boolean =>
  verdicts.some((one) => one.pattern.forecast && (one.country === country || one.country === null));

/**
 * Whether a verdict is about reported figures of the country, or of all countries, that moved by the same factor. Figures of a region
 * or a product that moved together may have one factor, too.
 */
const hasFactorVerdict = ({ country, after }: BrokenRelation, verdicts: readonly Verdict[]): boolean =>
  verdicts.some(({ pattern: { family, forecast, place, ratio } }) => {
    if (forecast) return false;
    const isSame = ratio !== null && Math.abs(ratio / after - 1) <= SAME_FACTOR_SHARE;
    if (family === 'factor') return (place.country ?? country) === country && (ratio === null || isSame);
    return (family === 'moved' || family === 'leap') && place.country === undefined && isSame;
  });

/** Factors are the same if they differ by at most this share. Some values of a pattern may have been revised as well. */
const SAME_FACTOR_SHARE = 0.002;

/** Whether a verdict is about reported figures of the same country, parts and years as the relation. */
const haveReportedVerdict = (broken: BrokenRelation, verdicts: readonly Verdict[]): boolean =>
  verdicts.some(({ pattern: { family, forecast, place } }) => {
    const isAbout = (dimension: string, value: string | number) =>
      dimension === 'year'
        ? broken.years.every((year) => year === value)
        : WIDER.has(dimension) || broken.places.some((part) => part.split(' / ').includes(String(value)));
    const { country, ...rest } = place;
    // A merger moves no total.
    if (family === 'merged' || family === 'relabelled') return false;
    return !forecast && country === broken.country && Object.entries(rest).every((one) => isAbout(...one));
  });

/** Dimensions whose values the places of relations do not name. */
const WIDER: ReadonlySet<string> = new Set<DimensionName>(['region', 'category', 'state']);

/**
 * For each relation, its causes: relations that also break it when they break. A relation is not reported for a country and
 * years in which one of its causes broke.
 */
const BROKEN_BY: Readonly<Partial<Record<RelationName, readonly RelationName[]>>> = {
  'currencies-drifted': ['currencies-apart'],
  'state-scaled': ['states-above-nation'],
  'states-apart': ['state-scaled'],
  'new-market': ['currencies-apart', 'turnover-below-ggr'],
  'small-market': ['new-market', 'currencies-apart', 'turnover-below-ggr'],
  'hold-far': ['currencies-apart', 'turnover-below-ggr'],
  'holds-moved': ['hold-far', 'currencies-apart', 'turnover-below-ggr'],
  // Where currencies disagree, turnover and ggr also disagree in one of them.
  'turnover-below-ggr': ['currencies-apart'],
};

/** A function that tells whether a relation broke because another one of `broken` did. */
function consequencesAmong(broken: readonly BrokenRelation[]): (one: BrokenRelation) => boolean {
  // Relations of GDP say nothing about relations of markets, so both have different keys.
  const keyOf = (relation: RelationName, { dataset, country, forecast }: BrokenRelation, year: number) =>
    `${relation} ${dataset === 'country'} ${country} ${forecast} ${year}`;
  const brokenYears = new Set(
    broken.flatMap((one) => one.years.map((year) => keyOf(one.relation, one, year))),
  );
  return (one) =>
    (BROKEN_BY[one.relation] ?? []).some((cause) =>
      one.years.every((year) => brokenYears.has(keyOf(cause, one, year))),
    );
}

/**
 * Gives one suspicion for each broken relation. A relation that broke in many countries has one cause, so it becomes a single
 * suspicion. Countries in which it broke in the same years are merged first, then the others.
 */
function suspicionsOf(broken: readonly BrokenRelation[]): Suspicion[] {
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
    ...ofSameYears.filter(isMany).map(together),
    ...[...ofAnyYears].flatMap((group) =>
      new Set(group.map(({ country }) => country)).size >= MANY_COUNTRIES
        ? [together(group)]
        : group.map(suspicionOf),
    ),
  ];
}

/** The relations that break when figures of a part of a country move by one factor. */
const SCALED_PARTS: ReadonlySet<RelationName> = new Set([
  'dataset-scaled',
  'state-scaled',
  'market-scaled',
  'market-moved',
  'year-moved',
]);

/** The relations that break when figures move by one factor. */
const SCALED: ReadonlySet<RelationName> = new Set([...SCALED_PARTS, 'reported-scaled', 'country-scaled']);

/**
 * Broken relations are refused, except these, which only warn because they may have a good reason:
 *
 * - holds, and turnover beside ggr of a new market, because stakes may be defined in another way;
 * - a small share of a new market, because a market may begin small;
 * - states that no longer add up to their nation, because a state may be revised later;
 * - figures that moved by one factor, because their source may define them in another way;
 * - small distances from the rates, because rates may be revised later than figures;
 * - GDP, because its source may change the rates that it uses;
 * - all forecasts.
 */
const severityOf = ({ relation, dataset, forecast }: BrokenRelation) =>
  WARNED.has(relation) || dataset === 'country' || forecast ? 'warn' : 'refuse';

const WARNED: ReadonlySet<RelationName> = new Set([
  ...SCALED,
  'new-market',
  'small-market',
  'hold-far',
  'holds-moved',
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
  const worst = all.reduce((a, b) => (distance(b.after) > distance(a.after) ? b : a));
  const currencies = [...new Set(all.flatMap(({ currency }) => currency?.split(', ') ?? []))].sort();
  const currency = currencies.join(', ');
  const countries = [...new Set(all.map(({ country }) => country))];
  const years = all.flatMap((one) => one.years);
  return {
    severity: severityOf(first),
    message: `${counted(countries.length, 'country', 'countries')} (${listed(countries)})${kindOf(first)}: ${WORDS[first.relation]({ ...worst, currency, share: null }, spans(years))}`,
  };
}
