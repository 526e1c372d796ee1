// The table of scopes: whose figures may have been multiplied by one factor, and why no honest revision explains it.
//
// 1. Scopes are tried in the order of the table, the widest first. A figure is in one finding at most.
// 2. The figures of a scope are grouped by its dimensions. The largest part of a group that has one factor must be most of it.
// 3. Years of a group that have the same factor are one finding.
// 4. The first reason that holds says what the finding is called. A group for which none holds may have been revised honestly.
//
// Other rooms of one factor: `powersOfTen.ts` for units, `acrossCountries.ts` for one factor in several countries.

import type { DimensionName } from '../../../src/catalog/datasets.ts';
import type { BrokenRelation } from '../brokenRelation.ts';
import { SUSPICIOUS_MOVE } from '../revision.ts';
import type { FiguresOf } from './figures.ts';
import type { Found } from './found.ts';
import { MARKET } from './market.ts';
import {
  type Beside,
  forecastsStayed,
  lastReportStayed,
  nationStayed,
  otherCurrenciesFollow,
  otherDatasetStayed,
  othersStayed,
  yearsBesideStayed,
} from './stayed.ts';

/** Why a common factor is suspicious. */
export interface Reason {
  readonly relation: BrokenRelation['relation'];
  /** With fewer of these, one honest cause may move all figures by one factor. */
  readonly fewest?: Partial<Readonly<Record<'figures' | 'years' | 'markets', number>>>;
  /** Whether the factor must be exact: nobody revises by 1.06 to the last digit. */
  readonly exact?: true;
  readonly holds?: (found: Found, beside: Beside) => boolean;
}

export interface Scope {
  /** The dimensions that the figures of a group share, beside the country. */
  readonly by: readonly DimensionName[];
  /** Whether all years of a group are judged together, or each by itself: then those with one factor are one finding, or none is. */
  readonly years: 'together' | 'each' | 'alone';
  /** The least move that counts. */
  readonly least: number;
  /** Moves from here on do not count, because patterns report them value by value. */
  readonly most: number;
  /** Ratios are the same when they differ by less than this share. */
  readonly spread: number;
  /** The share of a group's figures that must have the factor. Some may be revised in the same month. */
  readonly share: number;
  /** The same for each year of `each`. */
  readonly shareOfYear?: number;
  /** The fewest figures of a group. */
  readonly fewest: number;
  /** An exact factor must be the only one among numbers that differ by one part in this many. */
  readonly digits: number;
  readonly reasons: readonly Reason[];
}

/** A smaller move may be an ordinary revision. */
const LEAST_MOVE = 0.005;

/** Honest revisions of two years do not agree to so many digits. */
const ALIKE = 1e-4;

/** Forecasts and indicators have fewer digits, or are rounded more than once. */
const NEARLY_ALIKE = 0.002;

/** One large figure is enough for an exact factor, and so are several small ones, because each was rounded in its own way. */
const DIGITS = 10_000_000;

const USUAL = { least: LEAST_MOVE, most: Number.POSITIVE_INFINITY, spread: ALIKE, digits: DIGITS } as const;

/** Honest revisions move a market by up to 10 %. */
const LARGE_MOVE = 0.11;

/** Honest forecasts of a country move by up to 5 %, and those of a market by a factor of its own. */
const FORECASTS_MOVED = 0.1 - NEARLY_ALIKE;
const FORECASTS_MOVED_EXACTLY = 0.05 - NEARLY_ALIKE;

const moved = ({ factor }: Found, least: number) => Math.abs(factor - 1) >= least;

/** Whether other markets of the country moved by the factor, too. */
const haveOneFactor = ({ factor }: Found, { inCountry }: Beside): boolean =>
  inCountry.filter((one) => one.factor.toFixed(4) === factor.toFixed(4)).length > 1;

export const SCOPES: Readonly<Record<FiguresOf, readonly Scope[]>> = {
  reported: [
    {
      // The country, or some years of it. A source that revises its history moves forecasts and the other dataset, too.
      ...USUAL,
      most: SUSPICIOUS_MOVE,
      by: [],
      years: 'each',
      share: 0.7,
      shareOfYear: 0.5,
      fewest: 2,
      reasons: [
        {
          relation: 'reported-scaled',
          fewest: { figures: 12, years: 3, markets: 2 },
          holds: forecastsStayed,
        },
        {
          relation: 'dataset-scaled',
          fewest: { figures: 12, years: 3, markets: 2 },
          holds: otherDatasetStayed,
        },
        // A country that was rebased has an exact factor by chance only.
        { relation: 'country-scaled', fewest: { figures: 4, markets: 2 }, exact: true },
        { relation: 'country-scaled', fewest: { figures: 4, years: 3 }, exact: true },
      ],
    },
    {
      // A market in all its years. Honest revisions of a market move its ggr and its turnover, by a factor of its own.
      ...USUAL,
      by: MARKET,
      years: 'together',
      share: 0.8,
      fewest: 6,
      reasons: [
        { relation: 'dataset-scaled', fewest: { years: 3 }, holds: otherDatasetStayed },
        { relation: 'market-scaled', fewest: { years: 3 }, exact: true, holds: othersStayed },
        {
          relation: 'market-moved',
          fewest: { years: 3 },
          holds: (found, beside) =>
            (moved(found, LARGE_MOVE) || haveOneFactor(found, beside)) && othersStayed(found, beside),
        },
      ],
    },
    {
      // A year of the country.
      ...USUAL,
      by: [],
      years: 'alone',
      share: 0.8,
      fewest: 4,
      reasons: [{ relation: 'year-moved', fewest: { markets: 2 }, holds: yearsBesideStayed }],
    },
    {
      // A market in one year. Sources revise single years by a few percent, and mostly the last ones, which have no year after them.
      by: MARKET,
      years: 'alone',
      least: 1 - 1 / 1.08,
      most: Number.POSITIVE_INFINITY,
      // Figures in several currencies differ by the moves of rates.
      spread: 0.01,
      share: 1,
      fewest: 1,
      digits: DIGITS,
      reasons: [{ relation: 'year-moved', holds: yearsBesideStayed }],
    },
  ],
  states: [
    {
      // A state, not one of its markets that makes up most of it.
      ...USUAL,
      by: ['state'],
      years: 'together',
      share: 0.95,
      fewest: 6,
      reasons: [{ relation: 'state-scaled', fewest: { years: 3 }, holds: nationStayed }],
    },
    {
      // A market of a state.
      ...USUAL,
      by: ['state', ...MARKET],
      years: 'together',
      share: 0.8,
      fewest: 6,
      reasons: [{ relation: 'state-scaled', fewest: { years: 3 }, holds: nationStayed }],
    },
    {
      // Some years of a state. Two figures have an exact factor by chance only.
      ...USUAL,
      by: ['state'],
      years: 'each',
      share: 1,
      fewest: 1,
      reasons: [
        { relation: 'state-scaled', fewest: { figures: 4 }, holds: nationStayed },
        { relation: 'state-scaled', fewest: { figures: 2 }, exact: true, holds: nationStayed },
      ],
    },
  ],
  forecasts: [
    {
      // All forecasts of a country in a currency. Those in other currencies may differ from the factor, because rates move as well.
      by: ['fx'],
      years: 'together',
      least: FORECASTS_MOVED_EXACTLY,
      most: Number.POSITIVE_INFINITY,
      spread: NEARLY_ALIKE,
      share: 1,
      fewest: 6,
      digits: DIGITS,
      reasons: [
        {
          relation: 'forecasts-scaled',
          fewest: { years: 3, markets: 2 },
          holds: (found, beside) =>
            (found.exactly !== null || moved(found, FORECASTS_MOVED)) &&
            otherCurrenciesFollow(found, beside) &&
            lastReportStayed(found, beside),
        },
      ],
    },
  ],
  indicators: [
    {
      // An indicator in all its years. A new base or census also moves all of them by one factor, but seldom by an exact one.
      by: [],
      years: 'together',
      least: LEAST_MOVE,
      most: SUSPICIOUS_MOVE,
      spread: NEARLY_ALIKE,
      share: 0.8,
      fewest: 3,
      digits: 100_000,
      reasons: [{ relation: 'country-scaled', exact: true }],
    },
  ],
  indicatorForecasts: [
    {
      // All forecasts of an indicator.
      by: [],
      years: 'together',
      least: FORECASTS_MOVED,
      most: Number.POSITIVE_INFINITY,
      spread: NEARLY_ALIKE,
      share: 1,
      fewest: 3,
      digits: 100_000,
      reasons: [{ relation: 'forecasts-scaled', holds: lastReportStayed }],
    },
  ],
};
