// Finds years whose reported figures moved, of a market or of a whole country, while those of the years beside them stayed.

import type { DimensionName } from '../../../src/catalog/datasets.ts';
import { groupBy } from '../../../src/groupBy.ts';
import { upperMedian } from '../../../src/medians.ts';
import { Groups, NO_GROUP } from '../rows/groups.ts';
import type { Matched } from '../rows/matchedRows.ts';
import { allRowsWhere } from '../rows/rowLists.ts';
import type { MarketDataset } from './amounts.ts';
import type { MovedFigure } from './exactFactors.ts';
import { type BrokenOfKind, brokenOf, partName } from './relationLevels.ts';
import { MARKET, type ReportedMoves } from './scaledMarkets.ts';
import { ofOneFactor } from './scaledReported.ts';

/** The least move of a market that is reported. Sources revise single years by a few percent. */
const LEAST_MOVE = 0.08;

/** The years beside a year stayed when their figures moved by at most this share of its move. */
const STAYED_BESIDE = 0.2;

/** Figures of a market in one year and several currencies differ by no more than this when one cause moved them. */
const MOST_SPREAD = 1.01;

/** The share of a country's figures that must have moved by one factor in the year, and stayed in the years beside it. */
const SHARE_OF_COUNTRY = 0.8;

/** The fewest figures and markets of a country that must have moved. One revised figure in two currencies also has one factor. */
const FEWEST_OF_COUNTRY = 4;
const FEWEST_MARKETS = 2;

interface AloneYear {
  readonly country: string;
  readonly year: number;
  /** The market; null for the whole country. */
  readonly place: string | null;
  readonly factor: number;
}

/** The years in which all figures of a market moved by 8 % or more, or nearly all of a country by one factor. */
export function movedYears(
  dataset: MarketDataset,
  matched: Matched,
  { figures, isFigure }: ReportedMoves,
): BrokenOfKind[] {
  const found = [
    ...ofCountries(matched, figures, isFigure),
    ...ofMarkets(
      matched,
      figures.filter((all) => all.some(({ ratio }) => moveOf(ratio) >= LEAST_MOVE)),
      isFigure,
    ),
  ];
  return [...groupBy(found, ({ country, year }) => `${country}\0${year}`).values()].map((all) => {
    const [{ country, year, place, factor }] = all;
    const places = place === null ? [] : all.flatMap((one) => one.place ?? []).sort();
    const after =
      place === null
        ? factor
        : all.reduce((most, one) => (moveOf(one.factor) > moveOf(most) ? one.factor : most), 1);
    return brokenOf({ relation: 'year-moved', dataset, country, places, years: [year], after });
  });
}

/** How far a figure moved; halves are as far as doubles. */
const moveOf = (ratio: number): number => Math.max(ratio, 1 / ratio) - 1;

function ofMarkets(
  matched: Matched,
  figures: ReportedMoves['figures'],
  isFigure: (row: number) => boolean,
): AloneYear[] {
  const { codes, before } = matched;
  const years = new FiguresByYear(matched, ['country', ...MARKET], figures, isFigure);
  return figures.flatMap((all, i) =>
    [...groupBy(all, ({ row }) => codes.yearOf(before, row))].flatMap(([year, own]): AloneYear[] => {
      const ratios = own.map(({ ratio }) => ratio);
      const least = Math.min(...ratios);
      const isOne = own.length === years.count(i, year) && Math.max(...ratios) <= least * MOST_SPREAD;
      if (!isOne || moveOf(least) < LEAST_MOVE) return [];
      const beside = all.filter(({ row }) => Math.abs(codes.yearOf(before, row) - year) === 1);
      const isAlone =
        years.count(i, year - 1) > 0 &&
        years.count(i, year + 1) > 0 &&
        beside.every(({ ratio }) => moveOf(ratio) <= STAYED_BESIDE * moveOf(least));
      const [{ row }] = own;
      const place = partName(matched, before, row, MARKET);
      return isAlone
        ? [{ country: codes.countryOf(before, row), year, place, factor: upperMedian(ratios) }]
        : [];
    }),
  );
}

function ofCountries(
  matched: Matched,
  figures: ReportedMoves['figures'],
  isFigure: (row: number) => boolean,
): AloneYear[] {
  const { codes, before } = matched;
  const moved = figures.flatMap((all, market) => all.map((one) => ({ ...one, market })));
  const byCountry = [...groupBy(moved, ({ row }) => before.code('country', row)).values()].flatMap((all) => {
    const byYear = groupBy(all, ({ row }) => codes.yearOf(before, row));
    const alike = [...byYear].flatMap(([year, own]) => {
      const ofFactor = ofOneFactor(own);
      // Counting the figures that stayed takes longest, so it is left out where too many of those that moved have other factors.
      const areSeveral =
        ofFactor.length >= Math.max(FEWEST_OF_COUNTRY, SHARE_OF_COUNTRY * own.length) &&
        new Set(ofFactor.map(({ market }) => market)).size >= FEWEST_MARKETS;
      return areSeveral
        ? [{ year, count: ofFactor.length, factor: upperMedian(ofFactor.map(({ ratio }) => ratio)) }]
        : [];
    });
    return alike.length === 0 ? [] : [{ all, byYear, alike }];
  });
  const years = new FiguresByYear(
    matched,
    ['country'],
    byCountry.map(({ all }) => all),
    isFigure,
  );
  return byCountry.flatMap(({ all, byYear, alike }, i) =>
    alike.flatMap(({ year, count, factor }): AloneYear[] => {
      const stayed = (beside: number) => {
        const far = byYear.get(beside)?.filter(({ ratio }) => moveOf(ratio) > STAYED_BESIDE * moveOf(factor));
        const own = years.count(i, beside);
        return own > 0 && (far?.length ?? 0) <= (1 - SHARE_OF_COUNTRY) * own;
      };
      const isAlone =
        count >= SHARE_OF_COUNTRY * years.count(i, year) && stayed(year - 1) && stayed(year + 1);
      const country = codes.countryOf(before, all[0].row);
      return isAlone ? [{ country, year, place: null, factor }] : [];
    }),
  );
}

/** Counts the figures of groups of rows, such as markets, in each year. */
class FiguresByYear {
  readonly #counts: readonly ReadonlyMap<number, number>[];

  /** @param of The groups, each by some of its figures. */
  constructor(
    { codes, before }: Matched,
    dimensions: readonly DimensionName[],
    of: readonly (readonly MovedFigure[])[],
    isFigure: (row: number) => boolean,
  ) {
    const groups = new Groups(codes, dimensions);
    const numbers = of.map(([first]) => (first === undefined ? NO_GROUP : groups.add(before, first.row)));
    const counts = Array.from({ length: groups.count }, () => new Map<number, number>());
    const countries = new Set(
      of.flatMap(([first]) => (first === undefined ? [] : before.code('country', first.row))),
    );
    const countryOf = before.codes('country');
    const rows = allRowsWhere(before, (row) => countries.has(countryOf[row] as number) && isFigure(row));
    const groupOf = groups.ofRows(before, rows);
    for (let i = 0; i < rows.length; i += 1) {
      const ofGroup = counts[groupOf[i] as number];
      const year = codes.yearOf(before, rows[i] as number);
      ofGroup?.set(year, (ofGroup.get(year) ?? 0) + 1);
    }
    this.#counts = numbers.map((number) => counts[number] ?? new Map());
  }

  /** How many figures a group has in a year. */
  count(group: number, year: number): number {
    return this.#counts[group]?.get(year) ?? 0;
  }
}
