// Searches for figures of a country that moved by one factor, scope by scope of the table in `scopes.ts`.

import { ascending, groupBy } from '../../../src/basics/lists.ts';
import { upperMedian } from '../../../src/basics/medians.ts';
import type { DimensionName } from '../../../src/catalog/datasets.ts';
import { type BrokenOfKind, brokenOf, type RelationName } from '../brokenRelation.ts';
import { MARKET, partName } from '../rows/countryParts.ts';
import { Groups } from '../rows/groups.ts';
import type { Matched } from '../rows/matchedRows.ts';
import { partCounts } from '../rows/partCounts.ts';
import { exactFactor, moveOf, ofOneFactor } from './commonFactor.ts';
import { type Figure, type Figures, type FiguresOf, type Found, figuresOf } from './figures.ts';
import { type Reason, SCOPES, type Scope } from './scopes.ts';
import { type Beside, besideOf } from './stayed.ts';

/** The share of a finding's figures that an exact factor must explain to their last digit. */
const EXPLAINED_SHARE = 0.8;

/**
 * The broken relations of a dataset in which figures of a country moved by one factor.
 *
 * @param other Turnover when `matched` is ggr, ggr when it is turnover, else null.
 */
export function movedByOneFactor(
  matched: Matched,
  kindName: FiguresOf,
  other: Matched | null,
): BrokenOfKind[] {
  const found: Finding[] = [];
  const inFindings = new Set<Figure>();
  const least = Math.min(...SCOPES[kindName].map((scope) => scope.least));
  const sources = figuresOf(matched, kindName, least);
  for (const scope of SCOPES[kindName]) {
    const ofScope = sources.flatMap((figures) => {
      const left = figures.moved.filter((one) => !inFindings.has(one));
      const all = foundIn(scope, { ...figures, moved: left });
      const beside = besideOf(figures, other, scope.by, all);
      return all.flatMap((one): Finding[] => {
        const reason = reasonOf(scope, one, beside);
        return reason === undefined ? [] : [{ ...one, scope, reason }];
      });
    });
    for (const { figures } of ofScope) for (const one of figures) inFindings.add(one);
    found.push(...ofScope);
  }
  // Parts of a country that moved by one factor, or in one year, probably have one cause, so they make one broken relation.
  return [...groupBy(found, keyOf).values()].map((all) => brokenBy(matched, all));
}

interface Finding extends Found {
  readonly scope: Scope;
  readonly reason: Reason;
}

const reasonOf = (scope: Scope, found: Found, beside: Beside): Reason | undefined =>
  scope.reasons.find(
    ({ fewest = {}, exact, holds }) =>
      found.figures.length >= (fewest.figures ?? 0) &&
      found.years.length >= (fewest.years ?? 0) &&
      found.markets >= (fewest.markets ?? 0) &&
      (exact === undefined || found.exactly !== null) &&
      (holds === undefined || holds(found, beside)),
  );

/** The parts of countries in which most figures moved by one factor. */
function foundIn(scope: Scope, figures: Figures): readonly Found[] {
  const { matched, moved, isFigure } = figures;
  const { codes, before } = matched;
  const part: readonly DimensionName[] = ['country', ...scope.by];
  const judged: readonly DimensionName[] = scope.years === 'together' ? part : [...part, 'year'];
  const far = moved.filter(
    ({ ratio }) => Math.abs(ratio - 1) >= scope.least && Math.abs(ratio - 1) < scope.most,
  );
  if (far.length < scope.fewest) return [];
  const groups = new Groups(codes, judged);
  const { shareOfYear: share = scope.share } = scope;
  const candidates = [...groupBy(far, ({ row }) => groups.add(before, row)).values()].flatMap((all) => {
    const alike = ofOneFactor(all, scope.spread);
    const [first] = alike;
    const areMost = alike.length >= Math.max(scope.fewest, share * all.length);
    return first !== undefined && areMost ? [{ alike, first }] : [];
  });
  const parts = candidates.map(({ alike, first }) => ({
    row: [before, first.row] as const,
    most: Math.ceil(alike.length / share),
  }));
  const counts = partCounts(codes, before, judged, parts, isFigure);
  const most = candidates.flatMap(({ alike, first }, i) => {
    const total = counts[i] as number;
    return alike.length >= share * total ? [{ alike, first, total }] : [];
  });
  const series = new Groups(codes, scope.years === 'each' ? part : judged);
  const ofOneCause = groupBy(
    most,
    ({ alike, first }) => `${series.add(before, first.row)} ${factorOf(alike).toFixed(4)}`,
  );
  return [...ofOneCause.values()].flatMap((all): Found[] => {
    const alike = all.flatMap((one) => one.alike);
    const total = all.reduce((sum, one) => sum + one.total, 0);
    return alike.length >= scope.share * total ? foundOf(scope, figures, { alike, total }) : [];
  });
}

const factorOf = (figures: readonly Figure[]): number => upperMedian(figures.map(({ ratio }) => ratio));

function foundOf(
  scope: Scope,
  { matched, metric }: Figures,
  { alike, total }: { readonly alike: readonly Figure[]; readonly total: number },
): Found[] {
  const { codes, before } = matched;
  const [first, ...others] = alike;
  if (first === undefined) return [];
  const isMarkets = codes.has('product');
  const markets = isMarkets ? new Groups(codes, ['country', ...MARKET]) : null;
  for (const { row } of alike) markets?.add(before, row);
  const named = scope.by.filter((dimension) => dimension !== 'fx');
  return [
    {
      country: codes.countryOf(before, first.row),
      place: isMarkets ? partName(matched, before, first.row, named) : (matched.metrics[metric] ?? ''),
      figures: [first, ...others],
      total,
      years: ascending(alike.map(({ row }) => codes.yearOf(before, row))),
      markets: markets?.count ?? 1,
      factor: factorOf(alike),
      exactly: exactFactor(alike, EXPLAINED_SHARE * alike.length, scope.digits),
    },
  ];
}

/** Findings with one key are reported together. */
function keyOf({ country, place, years, factor, scope, reason: { relation } }: Finding): string {
  if (scope.years === 'alone') return [relation, country, ...years, place === ''].join('\0');
  // Forecasts in all currencies have one cause. Their factors differ a little, because rates move as well.
  return [relation, country, relation === 'forecasts-scaled' ? '' : factor.toFixed(4)].join('\0');
}

/** The relations whose messages give the exact factor. */
const SAYS_EXACTLY: ReadonlySet<RelationName> = new Set(['market-scaled', 'country-scaled']);

function brokenBy(matched: Matched, all: readonly [Finding, ...Finding[]]): BrokenOfKind {
  const [first] = all;
  const farthest = all.reduce((most, one) => (moveOf(one.factor) > moveOf(most.factor) ? one : most), first);
  const places = [...new Set(all.flatMap(({ place }) => (place === '' ? [] : [place])))].sort();
  return brokenOf({
    relation: first.reason.relation,
    dataset: matched.codes.dataset,
    country: first.country,
    places,
    years: ascending(all.flatMap(({ years }) => years)),
    after: (SAYS_EXACTLY.has(first.reason.relation) ? first.exactly : null) ?? farthest.factor,
    share: all.length === 1 && first.scope.years === 'each' ? first.figures.length / first.total : null,
  });
}
