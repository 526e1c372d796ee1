// Searches for figures of a country that moved by one factor, scope by scope of the table in `scopes.ts`.

import { ascending, groupBy } from '../../../src/basics/lists.ts';
import { upperMedian } from '../../../src/basics/medians.ts';
import type { DimensionName } from '../../../src/catalog/datasets.ts';
import { type BrokenOfKind, brokenRelation, type RelationName } from '../brokenRelation.ts';
import { MARKET, partName } from '../rows/countryParts.ts';
import { GroupNumbers } from '../rows/groupNumbers.ts';
import type { MatchedRows } from '../rows/matchedRows.ts';
import { partCounts } from '../rows/partCounts.ts';
import { exactFactor, largestGroupOfOneFactor, moveSize } from './commonFactor.ts';
import {
  type FigureSet,
  figuresOf,
  type MovedFigures,
  type MovedRow,
  type OneFactorFinding,
} from './movedFigures.ts';
import { FACTOR_SCOPES } from './scopes.ts';
import type { FactorReason, FactorScope } from './scopeTypes.ts';
import { type FiguresToCompare, figuresToCompare } from './stayedFigures.ts';

/** The share of a finding's figures that an exact factor must explain to their last digit. */
const EXPLAINED_SHARE = 0.8;

/**
 * The broken relations of a dataset in which figures of a country moved by one factor.
 *
 * @param other Turnover when `matched` is ggr, ggr when it is turnover, else null.
 */
export function movedByOneFactor(
  matched: MatchedRows,
  figureSet: FigureSet,
  other: MatchedRows | null,
): BrokenOfKind[] {
  const found: SuspiciousFinding[] = [];
  const inFindings = new Set<MovedRow>();
  const least = Math.min(...FACTOR_SCOPES[figureSet].map((scope) => scope.leastMove));
  const sources = figuresOf(matched, figureSet, least);
  for (const scope of FACTOR_SCOPES[figureSet]) {
    const ofScope = sources.flatMap((figures) => {
      const left = figures.moved.filter((one) => !inFindings.has(one));
      const all = findingsIn(scope, { ...figures, moved: left });
      const toCompare = figuresToCompare(figures, other, scope.dimensions, all);
      return all.flatMap((one): SuspiciousFinding[] => {
        const reason = reasonOf(scope, one, toCompare);
        return reason === undefined ? [] : [{ ...one, scope, reason }];
      });
    });
    for (const { figures } of ofScope) for (const one of figures) inFindings.add(one);
    found.push(...ofScope);
  }
  // Parts of a country that moved by one factor, or in one year, probably have one cause, so they make one broken relation.
  return [...groupBy(found, keyOf).values()].map((all) => brokenBy(matched, all));
}

interface SuspiciousFinding extends OneFactorFinding {
  readonly scope: FactorScope;
  readonly reason: FactorReason;
}

const reasonOf = (
  scope: FactorScope,
  found: OneFactorFinding,
  toCompare: FiguresToCompare,
): FactorReason | undefined =>
  scope.reasons.find(
    ({ fewest = {}, needsExactFactor, condition }) =>
      found.figures.length >= (fewest.figures ?? 0) &&
      found.years.length >= (fewest.years ?? 0) &&
      found.markets >= (fewest.markets ?? 0) &&
      (needsExactFactor === undefined || found.exactFactor !== null) &&
      (condition === undefined || condition(found, toCompare)),
  );

/** The parts of countries in which most figures moved by one factor. */
function findingsIn(scope: FactorScope, figures: MovedFigures): readonly OneFactorFinding[] {
  const { matched, moved, isFigure } = figures;
  const { codes, before } = matched;
  const part: readonly DimensionName[] = ['country', ...scope.dimensions];
  const judged: readonly DimensionName[] = scope.years === 'together' ? part : [...part, 'year'];
  const far = moved.filter(
    ({ ratio }) => Math.abs(ratio - 1) >= scope.leastMove && Math.abs(ratio - 1) < scope.moveBelow,
  );
  if (far.length < scope.fewest) return [];
  const groups = new GroupNumbers(codes, judged);
  const { factorShareOfYear: share = scope.factorShare } = scope;
  const candidates = [...groupBy(far, ({ row }) => groups.add(before, row)).values()].flatMap((all) => {
    const alike = largestGroupOfOneFactor(all, scope.ratioSpread);
    const [first] = alike;
    const areMost = alike.length >= Math.max(scope.fewest, share * all.length);
    return first !== undefined && areMost ? [{ alike, first }] : [];
  });
  const parts = candidates.map(({ alike, first }) => ({
    row: [before, first.row] as const,
    most: Math.ceil(alike.length / share),
  }));
  const counts = partCounts(codes, before, { dimensions: judged, parts, passes: isFigure });
  const most = candidates.flatMap(({ alike, first }, i) => {
    const total = counts[i] as number;
    return alike.length >= share * total ? [{ alike, first, total }] : [];
  });
  const series = new GroupNumbers(codes, scope.years === 'each' ? part : judged);
  const ofOneCause = groupBy(
    most,
    ({ alike, first }) => `${series.add(before, first.row)} ${factorOf(alike).toFixed(4)}`,
  );
  return [...ofOneCause.values()].flatMap((all): OneFactorFinding[] => {
    const alike = all.flatMap((one) => one.alike);
    const total = all.reduce((sum, one) => sum + one.total, 0);
    return alike.length >= scope.factorShare * total ? findingOf(scope, figures, { alike, total }) : [];
  });
}

const factorOf = (figures: readonly MovedRow[]): number => upperMedian(figures.map(({ ratio }) => ratio));

function findingOf(
  scope: FactorScope,
  { matched, metric }: MovedFigures,
  { alike, total }: { readonly alike: readonly MovedRow[]; readonly total: number },
): OneFactorFinding[] {
  const { codes, before } = matched;
  const [first, ...others] = alike;
  if (first === undefined) return [];
  const isMarkets = codes.has('product');
  const markets = isMarkets ? new GroupNumbers(codes, ['country', ...MARKET]) : null;
  for (const { row } of alike) markets?.add(before, row);
  const named = scope.dimensions.filter((dimension) => dimension !== 'fx');
  return [
    {
      country: codes.countryOf(before, first.row),
      place: isMarkets ? partName(matched, before, first.row, named) : (matched.metrics[metric] ?? ''),
      figures: [first, ...others],
      total,
      years: ascending(alike.map(({ row }) => codes.yearOf(before, row))),
      markets: markets?.count ?? 1,
      factor: factorOf(alike),
      exactFactor: exactFactor(alike, EXPLAINED_SHARE * alike.length, scope.precision),
    },
  ];
}

/** Findings with one key are reported together. */
function keyOf({ country, place, years, factor, scope, reason: { relation } }: SuspiciousFinding): string {
  if (scope.years === 'alone') return [relation, country, ...years, place === ''].join('\0');
  // Forecasts in all currencies have one cause. Their factors differ a little, because rates move as well.
  return [relation, country, relation === 'forecasts-scaled' ? '' : factor.toFixed(4)].join('\0');
}

/** The relations whose messages give the exact factor. */
const TOLD_WITH_EXACT_FACTOR: ReadonlySet<RelationName> = new Set(['market-scaled', 'country-scaled']);

function brokenBy(
  matched: MatchedRows,
  all: readonly [SuspiciousFinding, ...SuspiciousFinding[]],
): BrokenOfKind {
  const [first] = all;
  const farthest = all.reduce(
    (most, one) => (moveSize(one.factor) > moveSize(most.factor) ? one : most),
    first,
  );
  const places = [...new Set(all.flatMap(({ place }) => (place === '' ? [] : [place])))].sort();
  return brokenRelation({
    relation: first.reason.relation,
    dataset: matched.codes.dataset,
    country: first.country,
    places,
    years: ascending(all.flatMap(({ years }) => years)),
    after: (TOLD_WITH_EXACT_FACTOR.has(first.reason.relation) ? first.exactFactor : null) ?? farthest.factor,
    share: all.length === 1 && first.scope.years === 'each' ? first.figures.length / first.total : null,
  });
}
