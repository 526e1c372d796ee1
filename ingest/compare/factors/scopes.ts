// The table of scopes.
// A scope is a set of figures that one mistake multiplies, with the reasons why no honest revision does.
//
// 1. Scopes are tried in the order of the table. A figure is in one finding at most.
// 2. The figures of a scope are grouped. Most figures of a group must have moved by one factor.
// 3. The first reason of the scope that holds names the finding's relation. If none holds, the figures may have been
//    revised.
//
// `manyCountries.ts` and `fewCountries.ts` examine figures of several countries, `powersOfTen.ts` changes of unit.

import { SUSPICIOUS_MOVE } from '../revision.ts';
import { MARKET } from '../rows/countryParts.ts';
import { isOfMonths } from './commonFactor.ts';
import type { FigureSet, OneFactorFinding } from './movedFigures.ts';
import type { FactorScope } from './scopeTypes.ts';
import {
  type FiguresToCompare,
  forecastsStayed,
  knownYearsBesideStayed,
  lastReportStayed,
  nationStayed,
  otherCurrenciesFollow,
  otherDatasetStayed,
  othersStayed,
  yearsBesideStayed,
} from './stayedFigures.ts';

/** The spread of forecasts and indicators. They have fewer digits, or are rounded more than once. */
const NEARLY_ALIKE = 0.004;

/**
 * The precision of an exact factor. One figure that is this many times its last digit is enough. So are several smaller
 * figures, because each was rounded in its own way.
 */
const PRECISION = 10_000_000;
const PRECISION_OF_INDICATORS = 100_000;

const USUAL_LIMITS = {
  // A smaller move may be an ordinary revision.
  leastMove: 0.005,
  moveBelow: Number.POSITIVE_INFINITY,
  // Honest revisions of two years do not agree to so many digits.
  ratioSpread: 1e-4,
  precision: PRECISION,
} as const;

/** Sources revise a market's last year, and a state's market, by up to a tenth, seldom by a third. */
const LARGE_MOVE_OF_YEAR = 1 / 3;

const LIMITS_OF_ONE_YEAR = {
  ...USUAL_LIMITS,
  years: 'alone',
  // The factors of a year differ between currencies, because exchange rates move as well.
  ratioSpread: 0.01,
  factorShare: 1,
  fewest: 1,
} as const;

/** A little less than a year moves by that lacks one of its months. */
const LEAST_MOVE_OF_MONTHS = 0.08;

/** Sources revise a single year of GDP or population by less. */
const LEAST_MOVE_OF_INDICATOR = 0.05;

/** Honest revisions move a market by up to 10 %. */
const LARGE_MOVE = 0.11;

/**
 * From these moves on, forecasts of a country that all moved by one factor are suspicious. Honest forecasts of a country
 * move by up to 5 %, and each market by a factor of its own. An exact factor is suspicious from a smaller move on.
 */
const FORECASTS_MOVED = 0.1 - NEARLY_ALIKE / 2;
const FORECASTS_MOVED_EXACTLY = 0.05 - NEARLY_ALIKE / 2;

const hasMovedBy = ({ factor }: OneFactorFinding, least: number) => Math.abs(factor - 1) >= least;

/** Whether other markets of the country moved by the factor, too. */
const haveOneFactor = ({ country, factor }: OneFactorFinding, { findings }: FiguresToCompare): boolean =>
  findings(country).filter((one) => one.factor.toFixed(4) === factor.toFixed(4)).length > 1;

export const FACTOR_SCOPES: Readonly<Record<FigureSet, readonly FactorScope[]>> = {
  reported: [
    {
      // The country, or some years of it. A source that revises its history moves forecasts and the other dataset, too, so
      // the first two reasons ask that one of these stayed.
      ...USUAL_LIMITS,
      moveBelow: SUSPICIOUS_MOVE,
      dimensions: [],
      years: 'each',
      factorShare: 0.7,
      factorShareOfYear: 0.5,
      fewest: 2,
      reasons: [
        {
          relation: 'reported-scaled',
          fewest: { figures: 12, years: 3, markets: 2 },
          condition: forecastsStayed,
        },
        {
          relation: 'dataset-scaled',
          fewest: { figures: 12, years: 3, markets: 2 },
          condition: otherDatasetStayed,
        },
        // A country that was rebased has an exact factor by chance only.
        { relation: 'country-scaled', fewest: { figures: 4, markets: 2 }, needsExactFactor: true },
        { relation: 'country-scaled', fewest: { figures: 4, years: 3 }, needsExactFactor: true },
      ],
    },
    {
      // A market in all its years. Honest revisions of a market move its ggr and its turnover, by a factor of its own.
      ...USUAL_LIMITS,
      dimensions: MARKET,
      years: 'together',
      factorShare: 0.8,
      fewest: 6,
      reasons: [
        { relation: 'dataset-scaled', fewest: { years: 3 }, condition: otherDatasetStayed },
        { relation: 'market-scaled', fewest: { years: 3 }, needsExactFactor: true, condition: othersStayed },
        {
          relation: 'market-moved',
          fewest: { years: 3 },
          condition: (finding, toCompare) =>
            (hasMovedBy(finding, LARGE_MOVE) || haveOneFactor(finding, toCompare)) &&
            othersStayed(finding, toCompare),
        },
      ],
    },
    {
      // A year of the country.
      ...USUAL_LIMITS,
      dimensions: [],
      years: 'alone',
      factorShare: 0.8,
      fewest: 4,
      reasons: [{ relation: 'year-moved', fewest: { markets: 2 }, condition: yearsBesideStayed }],
    },
    {
      // A market in one year. Sources revise single years by a few percent. Mostly they revise the last year, which has no
      // year after it.
      ...LIMITS_OF_ONE_YEAR,
      dimensions: MARKET,
      leastMove: 1 - 1 / 1.08,
      reasons: [{ relation: 'year-moved', condition: yearsBesideStayed }],
    },
    {
      // A market in one year that lacks some of its months, or whose months were taken for more.
      ...LIMITS_OF_ONE_YEAR,
      dimensions: MARKET,
      ratioSpread: USUAL_LIMITS.ratioSpread,
      leastMove: LEAST_MOVE_OF_MONTHS,
      moveBelow: LARGE_MOVE_OF_YEAR,
      fewest: 2,
      reasons: [
        {
          relation: 'market-scaled',
          needsExactFactor: true,
          condition: (finding, toCompare) =>
            isOfMonths(finding.exactFactor ?? 0) &&
            knownYearsBesideStayed(finding, toCompare) &&
            othersStayed(finding, toCompare),
        },
      ],
    },
    {
      // A market in its last reported year, which has no year after it.
      ...LIMITS_OF_ONE_YEAR,
      dimensions: MARKET,
      leastMove: LARGE_MOVE_OF_YEAR,
      reasons: [{ relation: 'year-moved', condition: knownYearsBesideStayed }],
    },
  ],
  states: [
    {
      // A state as a whole. The high share leaves out a single market that makes up most of its state.
      ...USUAL_LIMITS,
      dimensions: ['state'],
      years: 'together',
      factorShare: 0.95,
      fewest: 6,
      reasons: [{ relation: 'state-scaled', fewest: { years: 3 }, condition: nationStayed }],
    },
    {
      // A market of a state.
      ...USUAL_LIMITS,
      dimensions: ['state', ...MARKET],
      years: 'together',
      factorShare: 0.8,
      fewest: 6,
      reasons: [{ relation: 'state-scaled', fewest: { years: 3 }, condition: nationStayed }],
    },
    {
      // Some years of a state. Two figures have an exact factor by chance only.
      ...USUAL_LIMITS,
      dimensions: ['state'],
      years: 'each',
      factorShare: 1,
      fewest: 1,
      reasons: [
        { relation: 'state-scaled', fewest: { figures: 4 }, condition: nationStayed },
        { relation: 'state-scaled', fewest: { figures: 2 }, needsExactFactor: true, condition: nationStayed },
      ],
    },
    {
      // A market of a state in one year. Most states have one currency, so one figure is the whole year.
      ...LIMITS_OF_ONE_YEAR,
      dimensions: ['state', ...MARKET],
      leastMove: LARGE_MOVE_OF_YEAR,
      reasons: [
        {
          relation: 'year-moved',
          condition: (finding, toCompare) =>
            nationStayed(finding, toCompare) && knownYearsBesideStayed(finding, toCompare),
        },
      ],
    },
  ],
  forecasts: [
    {
      // All forecasts of a country in a currency. Those in other currencies may differ from the factor, because rates move
      // as well.
      ...USUAL_LIMITS,
      dimensions: ['fx'],
      years: 'together',
      leastMove: FORECASTS_MOVED_EXACTLY,
      ratioSpread: NEARLY_ALIKE,
      factorShare: 1,
      fewest: 6,
      reasons: [
        {
          relation: 'forecasts-scaled',
          fewest: { years: 3, markets: 2 },
          condition: (finding, toCompare) =>
            (finding.exactFactor !== null || hasMovedBy(finding, FORECASTS_MOVED)) &&
            otherCurrenciesFollow(finding, toCompare) &&
            lastReportStayed(finding, toCompare),
        },
      ],
    },
  ],
  indicators: [
    {
      // An indicator in all its years. A new base or census also moves all of them by one factor, but seldom by an exact
      // one.
      ...USUAL_LIMITS,
      dimensions: [],
      years: 'together',
      moveBelow: SUSPICIOUS_MOVE,
      ratioSpread: NEARLY_ALIKE,
      factorShare: 0.8,
      fewest: 3,
      precision: PRECISION_OF_INDICATORS,
      reasons: [{ relation: 'country-scaled', needsExactFactor: true }],
    },
    {
      // An indicator in one year. Sources revise single years by a few percent.
      ...LIMITS_OF_ONE_YEAR,
      dimensions: [],
      leastMove: LEAST_MOVE_OF_INDICATOR,
      moveBelow: SUSPICIOUS_MOVE,
      reasons: [{ relation: 'year-moved', condition: knownYearsBesideStayed }],
    },
  ],
  indicatorForecasts: [
    {
      // All forecasts of an indicator.
      ...USUAL_LIMITS,
      dimensions: [],
      years: 'together',
      leastMove: FORECASTS_MOVED,
      ratioSpread: NEARLY_ALIKE,
      factorShare: 1,
      fewest: 3,
      precision: PRECISION_OF_INDICATORS,
      reasons: [{ relation: 'forecasts-scaled', condition: lastReportStayed }],
    },
  ],
};
