// Finds relations between figures that were true before and are false now: turnover and ggr, currencies and rates, states and nation.

import type { DatasetName } from '../../../src/catalog/datasets.ts';
import type { Cells } from '../cells.ts';
import type { Arrivals } from '../rowChanges.ts';
import type { Matched } from '../rows/matched.ts';
import type { Rows } from '../rows/rows.ts';
import type { SideName } from '../side.ts';
import type { BrokenRelation } from '../types.ts';
import {
  AmountNames,
  type Amounts,
  amountsOfCountries,
  amountsOfParts,
  type CollectedDataset,
  figureRows,
  MOST_YEARS,
} from './amounts.ts';
import { holdsFar, type MarketDataset } from './holds.ts';
import { indicatorsBroken } from './indicators.ts';
import { movedForecasts } from './movedForecasts.ts';
import { AGREES, type Distances, distancesFrom, nearerRates, nearest, sameRates } from './rateDistances.ts';
import { type Rate, ratesOf } from './rates.ts';
import { type Broken, type BrokenOfKind, LEVELS, MARKETS, merged, PRODUCTS } from './relationLevels.ts';
import { scaledForecasts } from './scaledForecasts.ts';
import { statesAboveNation } from './statesAboveNation.ts';

/** Turnover below this share of ggr cannot come from rounding. */
const BELOW = 0.98;

/**
 * A market of a new year is only reported when its turnover was at least this many times its ggr in the year before.
 */
const ABOVE = 1.02;

/** Smaller parts of a country are not checked, because rounding moves them by more than a relation allows. */
const LEAST = 1000;

const SIDES: readonly SideName[] = ['before', 'after'];

const MARKET_DATASETS: readonly MarketDataset[] = ['ggr', 'turnover'];

/** By place: '' for the whole country. */
type AmountsOfParts = ReadonlyMap<string, Amounts>;

/** The amounts of a side. The earlier side's are added up only when a relation is broken that may have held before. */
type AmountsOf = (dataset: MarketDataset, side: SideName) => AmountsOfParts;

const NOTHING: Amounts = new Map();

/** Whether a country has amounts of a currency and year, as names say, that the earlier side has none of. */
type IsBegun = (dataset: MarketDataset, name: number) => boolean;

/** Collects the amounts of countries by currency and year, dataset by dataset, and finds the relations that broke. */
export class Relations {
  /** Whether the figures are forecasts; else reported ones. */
  readonly #forecast: boolean;
  readonly #names = new AmountNames();
  readonly #collected = new Map<MarketDataset, CollectedDataset>();
  readonly #rates: Record<SideName, ReadonlyMap<number, readonly Rate[]>> = {
    before: new Map(),
    after: new Map(),
  };
  /** A broken relation is reported for a dataset that changed, because guards check no other. */
  readonly #hasChanged = new Set<DatasetName>();
  /** Years of countries with a row that differs in any of the datasets, as `yearOf` names them. */
  readonly #concerned = new Set<number>();
  /** The countries that have ggr, turnover and rates, by number. */
  readonly #countriesOf: Record<MarketDataset, Set<number>> = { ggr: new Set(), turnover: new Set() };
  readonly #withRates = new Set<number>();
  readonly #states: Broken[] = [];
  #indicators: readonly BrokenOfKind[] = [];

  constructor({ forecast }: { readonly forecast: boolean }) {
    this.#forecast = forecast;
  }

  /** Collects a dataset's figures, or its rates. */
  collect(matched: Matched, cells: Readonly<Record<SideName, Cells>>, arrivals: Arrivals): void {
    const { dataset } = matched.codes;
    if (dataset === 'country')
      this.#indicators = indicatorsBroken(matched, this.#names, this.#rates, this.#forecast);
    if (!isMarketDataset(dataset) && dataset !== 'fx') return;
    if (matched.changed.count > 0) this.#hasChanged.add(dataset);
    const moved = this.#forecast ? movedForecasts(matched) : null;
    this.#collectConcerned(matched, moved);
    if (dataset === 'fx') this.#collectRates(matched);
    else {
      this.#collected.set(dataset, { matched, cells, arrivals });
      for (const country of matched.codes.values('country'))
        this.#countriesOf[dataset].add(this.#names.country(country));
      if ((moved?.length ?? matched.changed.count) > 0)
        this.#states.push(...statesAboveNation(matched, dataset, this.#forecast));
    }
  }

  /** For turnover: ggr, which is collected before it. */
  ggrBeside(dataset: DatasetName): Matched | null {
    return dataset === 'turnover' ? (this.#collected.get('ggr')?.matched ?? null) : null;
  }

  /** The relations of countries that got worse. Call it after all datasets are collected. */
  broken(): BrokenRelation[] {
    const below: Broken[] = [];
    const apart: Broken[] = [];
    const rowsOf = memoized((dataset: MarketDataset, side: SideName) => this.#concernedRows(dataset, side));
    const ofCountries = memoized((dataset: MarketDataset, side: SideName) =>
      this.#amountsOf(dataset, side, 0, rowsOf),
    );
    const isBegun: IsBegun = (dataset, name) => ofCountries(dataset, 'before').get('')?.has(name) !== true;
    const levels = [...LEVELS.keys()].map((level) =>
      memoized((dataset: MarketDataset, side: SideName) => this.#amountsOf(dataset, side, level, rowsOf)),
    );
    for (const [level, amounts] of levels.entries()) {
      for (const dataset of MARKET_DATASETS)
        apart.push(...this.#currenciesApart(amounts, dataset, level, isBegun));
      // Turnover may be known for some markets of a product only, so its sum cannot be compared with the product's ggr.
      if (level !== PRODUCTS) below.push(...this.#turnoverBelowGgr(amounts, level, isBegun));
    }
    // The hold of a forecast is a result of the forecasts of ggr and turnover, which may be made apart from each other.
    const ofKind = this.#forecast
      ? this.#scaledForecasts(levels, ofCountries)
      : this.#holdsFar(levels, ofCountries, isBegun);
    return [
      ...merged(below, Math.min),
      ...merged(apart, Math.max),
      ...merged(this.#states, Math.max),
      ...ofKind,
      ...this.#indicators,
    ].map((one) => ({ ...one, forecast: this.#forecast }));
  }

  #holdsFar(levels: readonly AmountsOf[], ofCountries: AmountsOf, isBegun: IsBegun): BrokenOfKind[] {
    return holdsFar({
      names: this.#names,
      markets: (dataset) => levels[MARKETS]?.(dataset, 'after') ?? new Map(),
      marketsIn: (dataset, wanted) => this.#marketsIn(dataset, wanted),
      totals: (dataset) => ofCountries(dataset, 'after').get('') ?? NOTHING,
      isBegun: (name) => MARKET_DATASETS.some((dataset) => isBegun(dataset, name)),
      changed: MARKET_DATASETS.filter((dataset) => this.#hasChanged.has(dataset)),
    });
  }

  #scaledForecasts(levels: readonly AmountsOf[], ofCountries: AmountsOf): BrokenOfKind[] {
    // Most months need it for no country.
    let local: ReadonlySet<number> | null = null;
    const isLocal = (name: number) => {
      local ??= new Set([...this.#rates.before.values()].flatMap((rates) => rates.map(({ own }) => own)));
      return local.has(name);
    };
    return [...this.#collected].flatMap(([dataset, collected]) =>
      scaledForecasts({
        dataset,
        names: this.#names,
        isLocal,
        forecasts: (side) => ofCountries(dataset, side).get('') ?? NOTHING,
        markets: (side) => levels[MARKETS]?.(dataset, side) ?? new Map(),
        reported: (side) => amountsOfCountries(collected, side, this.#names, false),
      }),
    );
  }

  /** The figures of markets on the later side, of these years of countries: `Malta 2021`. */
  #marketsIn(dataset: MarketDataset, wanted: ReadonlySet<string>): AmountsOfParts {
    const collected = this.#collected.get(dataset);
    if (collected === undefined) return new Map();
    const { codes } = collected.matched;
    const isWanted = codes
      .values('country')
      .map((country) => codes.values('year').map((year) => wanted.has(`${country} ${year}`)));
    const rows = figureRows(collected, 'after', isWanted, this.#forecast);
    return amountsOfParts(collected, 'after', LEVELS[MARKETS] ?? [], this.#names, rows);
  }

  #collectRates(matched: Matched): void {
    for (const side of SIDES) {
      const { rates, countries } = ratesOf(matched, side, this.#names, this.#forecast);
      this.#rates[side] = rates;
      for (const country of countries) this.#withRates.add(country);
    }
  }

  #collectConcerned({ codes, changed, before, after }: Matched, list: Int32Array | null): void {
    const countries = codes.values('country').map((country) => this.#names.country(country));
    const first = Number(codes.values('year')[0] ?? 0);
    const count = list?.length ?? changed.count;
    const note = (indexes: Int32Array, others: Int32Array, rows: Rows) => {
      const [countryCodes, years] = [rows.codes('country'), rows.codes('year')];
      for (let at = 0; at < count; at += 1) {
        const i = list === null ? at : (list[at] as number);
        const row = indexes[i] as number;
        if (row < 0) continue;
        const country = countries[countryCodes[row] as number] as number;
        const year = first + (years[row] as number);
        this.#concerned.add(yearOf(country, year));
        // The row may be of a new year, which is compared with the year before.
        if ((others[i] as number) < 0) this.#concerned.add(yearOf(country, year - 1));
      }
    };
    note(changed.before, changed.after, before);
    note(changed.after, changed.before, after);
  }

  #turnoverBelowGgr(amounts: AmountsOf, level: number, isBegun: IsBegun): Broken[] {
    const least = level === 0 ? Number.MIN_VALUE : LEAST;
    const ratio = (turnover: number | undefined, ggr: number | undefined) =>
      (ggr ?? 0) >= least ? (turnover ?? Number.NaN) / (ggr as number) : Number.NaN;
    const ggrAfter = amounts('ggr', 'after');
    const found: Broken[] = [];
    for (const [place, ofPlace] of amounts('turnover', 'after')) {
      const ggr = ggrAfter.get(place) ?? NOTHING;
      for (const [name, turnover] of ofPlace) {
        const after = ratio(turnover, ggr.get(name));
        if (!(after <= 1)) continue;
        const isNew = isBegun('turnover', name);
        // A new year is compared market by market: the turnover of some may follow later.
        if (isNew ? level === 0 : after >= BELOW) continue;
        const [side, at] = isNew ? (['after', name - 1] as const) : (['before', name] as const);
        const was = (dataset: MarketDataset) => amounts(dataset, side).get(place)?.get(at);
        const before = ratio(was('turnover'), was('ggr'));
        if (!(before >= (isNew ? ABOVE : 1))) continue;
        const { country, year } = this.#names.placeOf(name);
        const dataset = this.#hasChanged.has('turnover') ? 'turnover' : 'ggr';
        const where = { dataset, country, year, currency: null, level, place } as const;
        found.push({ relation: 'turnover-below-ggr', ...where, before, after });
      }
    }
    return found;
  }

  #currenciesApart(amountsOf: AmountsOf, dataset: MarketDataset, level: number, isBegun: IsBegun): Broken[] {
    const found: Broken[] = [];
    for (const [place, amounts] of amountsOf(dataset, 'after')) {
      for (const [name, amount] of amounts) {
        const apart = this.#distances('after', amounts, name, amount, level);
        if (!(apart.current > AGREES || apart.constant > AGREES)) continue;
        // A new year has no earlier amounts, so the year before it shows whether these currencies agree at all.
        const isNew = isBegun(dataset, name);
        if (!isNew && !this.#forecast && !(nearest(apart) > AGREES)) continue;
        const [side, at] = isNew ? (['after', name - 1] as const) : (['before', name] as const);
        const old = amountsOf(dataset, side).get(place) ?? NOTHING;
        const before = this.#distances(side, old, at, old.get(at) ?? Number.NaN, level);
        const was = nearest(before);
        if (!(was <= AGREES)) continue;
        // The year before also shows whether figures are converted at current or at constant rates.
        const ofKind = isNew ? sameRates(before, apart) : nearest(apart);
        const distance = this.#forecast ? nearerRates(before, apart) : ofKind;
        if (!(distance > AGREES)) continue;
        const { country, year, fx } = this.#names.placeOf(name);
        const blamed = this.#hasChanged.has(dataset) ? dataset : 'fx';
        const where = { dataset: blamed, country, year, currency: fx, level, place } as const;
        found.push({ relation: 'currencies-apart', ...where, before: was, after: distance });
      }
    }
    return found;
  }

  #distances(side: SideName, amounts: Amounts, name: number, foreign: number, level: number): Distances {
    return distancesFrom(this.#rates[side].get(name) ?? [], amounts, foreign, level === 0 ? 0 : LEAST);
  }

  /** Figures by place. Products and markets only of countries and years with a row that differs. */
  #amountsOf(
    dataset: MarketDataset,
    side: SideName,
    level: number,
    rowsOf: (dataset: MarketDataset, side: SideName) => Int32Array,
  ): AmountsOfParts {
    const collected = this.#collected.get(dataset);
    if (collected === undefined) return new Map();
    if (level === 0) return new Map([['', amountsOfCountries(collected, side, this.#names, this.#forecast)]]);
    return amountsOfParts(collected, side, LEVELS[level] ?? [], this.#names, rowsOf(dataset, side));
  }

  /** The rows of years of countries with a row that differs: in others, a relation holds as it did before. */
  #concernedRows(dataset: MarketDataset, side: SideName): Int32Array {
    const collected = this.#collected.get(dataset);
    if (collected === undefined || this.#concerned.size === 0) return new Int32Array(0);
    const { codes } = collected.matched;
    const years = codes.values('year').map(Number);
    const isConcerned = codes.values('country').map((value) => {
      const country = this.#names.country(value);
      const hasCounterpart = this.#hasCounterpart(country, dataset);
      return years.map((year) => hasCounterpart && this.#concerned.has(yearOf(country, year)));
    });
    return figureRows(collected, side, isConcerned, this.#forecast);
  }

  /** Whether a country's parts can be compared with anything: the other dataset, or rates. */
  #hasCounterpart(country: number, dataset: DatasetName): boolean {
    return (
      this.#withRates.has(country) ||
      MARKET_DATASETS.some((one) => one !== dataset && this.#countriesOf[one].has(country))
    );
  }
}

/** Memoizes a function. */
function memoized<Result>(
  compute: (dataset: MarketDataset, side: SideName) => Result,
): (dataset: MarketDataset, side: SideName) => Result {
  const known = new Map<string, Result>();
  return (dataset, side) => {
    const key = `${dataset} ${side}`;
    const result = known.get(key) ?? compute(dataset, side);
    known.set(key, result);
    return result;
  };
}

/** The name of a year of a country. */
const yearOf = (country: number, year: number): number => country * MOST_YEARS + year;

const isMarketDataset = (dataset: DatasetName): dataset is MarketDataset =>
  dataset === 'ggr' || dataset === 'turnover';
