// Tells which findings and which other relations explain a relation that broke.

import type { DimensionName } from '../../src/catalog/datasets.ts';
import type { BrokenRelation, RelationName } from '../compare/brokenRelation.ts';
import type { ScaledGroup } from '../compare/comparisonTypes.ts';
import { isMerger } from '../compare/patterns/patternTypes.ts';
import { SUSPICIOUS_MOVE } from '../compare/revision.ts';
import { isWarnedOf, type PatternVerdict } from './guard.ts';

/** The relations that break when figures of a part of a country move by one factor. */
const ONE_FACTOR_RELATIONS_OF_PARTS: ReadonlySet<RelationName> = new Set([
  'dataset-scaled',
  'state-scaled',
  'market-scaled',
  'market-moved',
  'year-moved',
]);

/** The relations that break when figures move by one factor. */
export const ONE_FACTOR_RELATIONS: ReadonlySet<RelationName> = new Set([
  ...ONE_FACTOR_RELATIONS_OF_PARTS,
  'reported-scaled',
  'country-scaled',
]);

/** Whether a relation broke by the factor of a change of unit in all countries, so only because of that change. */
export const isBrokenByChangeOfUnit = (
  { relation, after }: BrokenRelation,
  scaled: readonly ScaledGroup[],
): boolean =>
  (ONE_FACTOR_RELATIONS.has(relation) || relation === 'forecasts-scaled') &&
  scaled.some(
    ({ group, factor }) => group.country === undefined && Math.abs(after / factor - 1) <= SAME_FACTOR_SHARE,
  );

/** Whether a verdict reports the move of figures that broke a relation. */
export const reportsMoveOf = (broken: BrokenRelation, verdict: PatternVerdict): boolean =>
  reportsForecasts(broken, verdict) || reportsFactor(broken, verdict) || reportsPart(broken, verdict);

/** Whether a broken relation is about forecasts of which a verdict reports that they changed. */
const reportsForecasts = (
  { country, forecast }: BrokenRelation,
  { pattern, country: own }: PatternVerdict,
): boolean => forecast && pattern.forecast && (own === country || own === null);

/** Whether a verdict reports that figures moved by the factor of the relation, or that all figures of the country moved. */
const reportsFactor = (broken: BrokenRelation, verdict: PatternVerdict): boolean =>
  ONE_FACTOR_RELATIONS.has(broken.relation) &&
  (hasFactor(broken, verdict) || isWarnedOf(broken.country, [verdict]));

/**
 * Whether a verdict is about reported figures of the country, or of all countries, that moved by the same factor. Figures
 * of a region or a product that moved together may have one factor, too.
 */
function hasFactor(
  { country, after }: BrokenRelation,
  { pattern: { family, forecast, place, ratio } }: PatternVerdict,
): boolean {
  if (forecast) return false;
  const isSame = ratio !== null && Math.abs(ratio / after - 1) <= SAME_FACTOR_SHARE;
  if (family === 'factor') return (place.country ?? country) === country && (ratio === null || isSame);
  return (family === 'moved' || family === 'leap') && place.country === undefined && isSame;
}

/** Factors are the same if they differ by at most this share. Some values of a pattern may have been revised as well. */
const SAME_FACTOR_SHARE = 0.002;

/** Whether a verdict is about reported figures of the same country, parts and years, which moved far by one factor. */
function reportsPart(broken: BrokenRelation, { pattern }: PatternVerdict): boolean {
  if (!ONE_FACTOR_RELATIONS_OF_PARTS.has(broken.relation) || Math.abs(broken.after - 1) < SUSPICIOUS_MOVE)
    return false;
  if (pattern.forecast || isMerger(pattern)) return false;
  const { country, ...rest } = pattern.place;
  const isAbout = ([dimension, value]: readonly [string, string | number]) =>
    dimension === 'year'
      ? broken.years.every((year) => year === value)
      : UNNAMED_DIMENSIONS.has(dimension) ||
        broken.places.some((part) => part.split(' / ').includes(String(value)));
  return country === broken.country && Object.entries(rest).every(isAbout);
}

/** Dimensions whose values the places of relations do not name. */
const UNNAMED_DIMENSIONS: ReadonlySet<string> = new Set<DimensionName>(['region', 'category', 'state']);

/** The relations that break when the figures of a country in two currencies disagree. */
const DISAGREEING: readonly RelationName[] = ['currencies-apart', 'currency-lacking'];

/**
 * For each relation, its causes: relations that also break it when they break. A relation is not reported for a country and
 * years in which one of its causes broke.
 */
const BROKEN_BY: Readonly<Partial<Record<RelationName, readonly RelationName[]>>> = {
  'currencies-drifted': DISAGREEING,
  'state-scaled': ['states-above-nation'],
  'states-apart': ['state-scaled'],
  'new-market': [...DISAGREEING, 'turnover-below-ggr'],
  'small-market': ['new-market', ...DISAGREEING, 'turnover-below-ggr'],
  'hold-far': [...DISAGREEING, 'turnover-below-ggr'],
  'holds-moved': ['hold-far', ...DISAGREEING, 'turnover-below-ggr'],
  // Where currencies disagree, turnover and ggr also disagree in one of them.
  'turnover-below-ggr': DISAGREEING,
};

/** Whether a relation broke because another one did, in all years in which it broke. */
export const isBrokenByOtherRelation = (one: BrokenRelation, broken: readonly BrokenRelation[]): boolean =>
  (BROKEN_BY[one.relation] ?? []).some((relation) => {
    const causes = broken.filter((other) => other.relation === relation && areOfSameFigures(one, other));
    return one.years.every((year) => causes.some(({ years }) => years.includes(year)));
  });

/** Relations of GDP say nothing about relations of markets. */
const areOfSameFigures = (one: BrokenRelation, other: BrokenRelation): boolean =>
  one.country === other.country &&
  one.forecast === other.forecast &&
  (one.dataset === 'country') === (other.dataset === 'country');
