// Finds relations that no longer hold: between turnover and ggr, currencies and rates, states and their nation.

import type { DatasetName } from '../../../src/catalog/datasets.ts';
import type { BrokenOfKind, BrokenRelation } from '../brokenRelation.ts';
import type { CountrySums } from '../countrySums.ts';
import { movedByOneFactor } from '../factors/movedByOneFactor.ts';
import type { FigureSet } from '../factors/movedFigures.ts';
import type { Arrivals } from '../rowChanges.ts';
import type { MatchedRows } from '../rows/matchedRows.ts';
import type { Sides } from '../side.ts';
import { isMarketDataset, MARKET_DATASETS, type MarketDataset } from './amounts.ts';
import { CollectedAmounts } from './collectedAmounts.ts';
import { constantsDrifted } from './constantsDrifted.ts';
import { currenciesApart } from './currenciesApart.ts';
import { currenciesDrifted } from './currenciesDrifted.ts';
import { findFarHolds } from './farHolds.ts';
import { brokenGdpRelations, type GdpAndRates } from './gdpRelations.ts';
import { holdsTogether } from './holdsTogether.ts';
import { movedForecasts } from './movedForecasts.ts';
import { implausibleNewMarkets, smallNewMarkets } from './newMarkets.ts';
import { type BrokenInYear, LEVELS, mergedByCountry, PRODUCT_LEVEL } from './relationLevels.ts';
import { smallNewStates } from './smallNewStates.ts';
import { statesAboveNation } from './statesAboveNation.ts';
import { statesApart } from './statesApart.ts';
import { turnoverBelowGgr } from './turnoverBelowGgr.ts';

/** The relations of reported figures, and those of forecasts. */
export const relationsOfEachKind = (): Relations[] =>
  [false, true].map((forecast) => new Relations(forecast));

/** Checks the relations of reported figures, or those of forecasts. */
export class Relations {
  readonly #amounts: CollectedAmounts;
  readonly #states: BrokenInYear[] = [];
  readonly #statesApart: BrokenInYear[] = [];
  #indicators: readonly BrokenOfKind[] = [];
  #indicatorRows: MatchedRows | null = null;

  constructor(forecast: boolean) {
    this.#amounts = new CollectedAmounts(forecast);
  }

  /** Collects a dataset's figures, or its rates. */
  collect(matched: MatchedRows, sums: Sides<CountrySums>, arrivals: Arrivals): void {
    const { dataset } = matched.codes;
    const { forecast, keys, rates } = this.#amounts;
    if (dataset === 'country') {
      this.#indicators = indicatorsBroken({ matched, keys, rates, forecast });
      this.#indicatorRows = matched;
    }
    if (!isMarketDataset(dataset) && dataset !== 'fx') return;
    const moved = forecast ? movedForecasts(matched) : null;
    this.#amounts.addChanges(matched, moved);
    if (dataset === 'fx') {
      this.#amounts.addRates(matched);
      return;
    }
    this.#amounts.addFigures(dataset, { matched, sums, arrivals });
    if ((moved?.length ?? matched.changed.count) === 0) return;
    this.#states.push(...statesAboveNation(matched, forecast));
    this.#statesApart.push(...statesApart(matched, forecast));
  }

  /** The rows of ggr when the dataset is turnover; null for any other dataset. Ggr is collected before turnover. */
  ggrBeside(dataset: DatasetName): MatchedRows | null {
    return dataset === 'turnover' ? this.#amounts.matchedOf('ggr') : null;
  }

  /** The broken relations of all countries. All datasets must be collected first. */
  broken(): BrokenRelation[] {
    const amounts = this.#amounts;
    const levels = [...LEVELS.keys()];
    const disagreeing = levels.flatMap((level) =>
      MARKET_DATASETS.flatMap((dataset) => currenciesApart(amounts, level, dataset)),
    );
    const apart = disagreeing.filter(({ relation }) => relation === 'currencies-apart');
    const lacking = disagreeing.filter(({ relation }) => relation === 'currency-lacking');
    const below = levels
      // Turnover may be known for some markets of a product only, so its sum cannot be compared with the product's ggr.
      .filter((level) => level !== PRODUCT_LEVEL)
      .flatMap((level) => turnoverBelowGgr(amounts, level));
    return [
      ...mergedByCountry(below, Math.min),
      ...mergedByCountry(implausibleNewMarkets(amounts), farthest),
      ...mergedByCountry(apart, Math.max),
      ...mergedByCountry(lacking, Math.max),
      ...withoutRepetitions(MARKET_DATASETS.flatMap((dataset) => currenciesDrifted(amounts, dataset))),
      ...mergedByCountry(this.#states, Math.max),
      // A finding that states exceed their nation already says that they do not add up to it.
      ...mergedByCountry(this.#statesApart, farthest).filter(
        (one) => !this.#states.some((above) => isOfSameCountry(one, above)),
      ),
      // Holds of forecasts are not checked, because forecasts of ggr and of turnover may be made independently.
      ...(amounts.forecast
        ? this.#movedByOneFactor('forecasts')
        : [
            ...mergedByCountry(smallNewMarkets(amounts), Math.min),
            ...mergedByCountry(this.#smallNewStates(), Math.min),
            ...findFarHolds(amounts),
            ...holdsTogether(amounts),
            ...this.#movedByOneFactor('reported'),
            ...this.#movedByOneFactor('states'),
            ...(amounts.hasChanged('fx') ? constantsDrifted(amounts.keys, amounts.rates) : []),
          ]),
      ...this.#indicators,
    ].map((one) => ({ ...one, forecast: amounts.forecast }));
  }

  #smallNewStates(): BrokenInYear[] {
    const indicators = this.#indicatorRows;
    if (indicators === null) return [];
    return this.#amounts.changed.flatMap((dataset) => {
      const matched = this.#amounts.matchedOf(dataset);
      return matched === null ? [] : smallNewStates(matched, indicators);
    });
  }

  #movedByOneFactor(figureSet: FigureSet): BrokenOfKind[] {
    const amounts = this.#amounts;
    return amounts.changed.flatMap((dataset) => {
      const [own, other] = [dataset, otherOf(dataset)].map((one) => amounts.matchedOf(one));
      return own ? movedByOneFactor(own, figureSet, other ?? null) : [];
    });
  }
}

const otherOf = (dataset: MarketDataset): MarketDataset => (dataset === 'ggr' ? 'turnover' : 'ggr');

/** The ratio that is farthest from 1. */
const farthest = (...ratios: number[]): number =>
  ratios.reduce((most, ratio) => (Math.abs(ratio - 1) > Math.abs(most - 1) ? ratio : most), 1);

const isOfSameCountry = (one: BrokenOfKind, other: BrokenInYear): boolean =>
  one.dataset === other.dataset && one.country === other.country;

/** Leaves out repetitions, because ggr and turnover may both find the same fault of the rates. */
function withoutRepetitions(all: readonly BrokenOfKind[]): readonly BrokenOfKind[] {
  const keyOf = ({ dataset, country, currency, years }: BrokenOfKind) =>
    [dataset, country, currency, ...years].join('\0');
  return [...new Map(all.toReversed().map((one) => [keyOf(one), one])).values()].reverse();
}

/** The broken relations of indicators: GDPs that disagree, and indicators or their forecasts that were multiplied. */
function indicatorsBroken(indicators: GdpAndRates): BrokenOfKind[] {
  const { matched, forecast } = indicators;
  const ofGdp = brokenGdpRelations(indicators);
  if (forecast) return [...ofGdp, ...movedByOneFactor(matched, 'indicatorForecasts', null)];
  const known = new Set(ofGdp.map(({ country }) => country));
  const multiplied = movedByOneFactor(matched, 'indicators', null).filter(
    ({ country, places }) => !(known.has(country) && places.every((metric) => metric.startsWith('gdp_'))),
  );
  return [...ofGdp, ...multiplied];
}
