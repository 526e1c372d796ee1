// Collects figures and rates, one dataset after the other.
// Figures are added up only when the check of a relation needs them.

import { getOrInsert } from '../../../src/basics/maps.ts';
import type { DatasetName } from '../../../src/catalog/datasets.ts';
import { MARKET } from '../rows/countryParts.ts';
import type { MatchedRows } from '../rows/matchedRows.ts';
import type { SideName } from '../side.ts';
import { type AmountKey, AmountKeys } from './amountKeys.ts';
import {
  type Amounts,
  type AmountsByPlace,
  amountsOfCountries,
  amountsOfParts,
  type CollectedDataset,
  figureRows,
  MARKET_DATASETS,
  type MarketDataset,
  NO_AMOUNTS,
} from './amounts.ts';
import { ConcernedYears } from './concernedYears.ts';
import { type Rates, ratesOf } from './ratesOfCountries.ts';
import { COUNTRY_LEVEL, LEVELS, MARKET_LEVEL } from './relationLevels.ts';

const SIDES: readonly SideName[] = ['before', 'after'];

/** The reported figures or the forecasts, and the rates, of all datasets of both sides. */
export class CollectedAmounts {
  /** Whether the figures are forecasts. */
  readonly forecast: boolean;
  readonly keys = new AmountKeys();
  readonly rates: Record<SideName, Rates> = { before: new Map(), after: new Map() };
  readonly #collected = new Map<MarketDataset, CollectedDataset>();
  readonly #hasChanged = new Set<DatasetName>();
  readonly #concerned = new ConcernedYears(this.keys);
  /** The countries of each dataset, by their numbers in `keys`. */
  readonly #countriesOf: Record<MarketDataset, Set<number>> = { ggr: new Set(), turnover: new Set() };
  /** The countries that have rates, by their numbers in `keys`. */
  readonly #withRates = new Set<number>();
  readonly #amounts = new Map<string, AmountsByPlace>();
  readonly #concernedRows = new Map<string, Int32Array>();

  constructor(forecast: boolean) {
    this.forecast = forecast;
  }

  /** Adds changes of a dataset: those at the indexes `list` of `changed`, or all when `list` is null. */
  addChanges(matched: MatchedRows, list: Int32Array | null): void {
    if (matched.changed.count > 0) this.#hasChanged.add(matched.codes.dataset);
    this.#concerned.add(matched, list);
  }

  addRates(matched: MatchedRows): void {
    for (const side of SIDES) {
      const { rates, countries } = ratesOf(matched, side, this.keys, this.forecast);
      this.rates[side] = rates;
      for (const country of countries) this.#withRates.add(country);
    }
  }

  addFigures(dataset: MarketDataset, collected: CollectedDataset): void {
    this.#collected.set(dataset, collected);
    for (const country of collected.matched.codes.values('country'))
      this.#countriesOf[dataset].add(this.keys.country(country));
  }

  /**
   * Whether some row of the dataset differs. A broken relation must name a dataset that differs, because guards skip all
   * others.
   */
  hasChanged(dataset: DatasetName): boolean {
    return this.#hasChanged.has(dataset);
  }

  /** The datasets with figures that changed. */
  get changed(): readonly MarketDataset[] {
    return MARKET_DATASETS.filter((dataset) => this.#hasChanged.has(dataset));
  }

  matchedOf(dataset: MarketDataset): MatchedRows | null {
    return this.#collected.get(dataset)?.matched ?? null;
  }

  /** Whether the year of a key is new: the earlier side has no amount of its country, currency and year. */
  isNewYear(dataset: MarketDataset, key: AmountKey): boolean {
    return !this.totals(dataset, 'before').has(key);
  }

  isNewYearInAny(key: AmountKey): boolean {
    return MARKET_DATASETS.some((dataset) => this.isNewYear(dataset, key));
  }

  /** The amounts of whole countries. */
  totals(dataset: MarketDataset, side: SideName): Amounts {
    return this.ofLevel(COUNTRY_LEVEL, dataset, side).get('') ?? NO_AMOUNTS;
  }

  /**
   * The amounts of a level, which is an index of `LEVELS`. Products and markets have amounts only for countries and years
   * with a row that differs. Amounts are added up at the first call, because those of the earlier side are needed only if a
   * relation does not hold on the later side.
   */
  ofLevel(level: number, dataset: MarketDataset, side: SideName): AmountsByPlace {
    const key = `${level} ${dataset} ${side}`;
    return getOrInsert(this.#amounts, key, () => this.#addUp(level, dataset, side));
  }

  /** The amounts of markets on the later side, of the countries and years with a row that differs. */
  markets(dataset: MarketDataset): AmountsByPlace {
    return this.ofLevel(MARKET_LEVEL, dataset, 'after');
  }

  #addUp(level: number, dataset: MarketDataset, side: SideName): AmountsByPlace {
    const collected = this.#collected.get(dataset);
    if (collected === undefined) return new Map();
    if (level === COUNTRY_LEVEL)
      return new Map([['', amountsOfCountries(collected, side, this.keys, this.forecast)]]);
    const key = `${dataset} ${side}`;
    const list = getOrInsert(this.#concernedRows, key, () =>
      this.#findConcernedRows(dataset, collected, side),
    );
    return amountsOfParts(collected, { side, list }, LEVELS[level] ?? [], this.keys);
  }

  #findConcernedRows(dataset: MarketDataset, collected: CollectedDataset, side: SideName): Int32Array {
    if (this.#concerned.isEmpty) return new Int32Array(0);
    const { codes } = collected.matched;
    const years = codes.values('year').map(Number);
    const isConcerned = codes.values('country').map((value) => {
      const country = this.keys.country(value);
      const hasCounterpart = this.#hasCounterpart(country, dataset);
      return years.map((year) => hasCounterpart && this.#concerned.has(country, year));
    });
    return figureRows(collected, side, isConcerned, this.forecast);
  }

  /** Whether the amounts of a country can be compared with the other dataset or with rates. */
  #hasCounterpart(country: number, dataset: DatasetName): boolean {
    return (
      this.#withRates.has(country) ||
      MARKET_DATASETS.some((one) => one !== dataset && this.#countriesOf[one].has(country))
    );
  }

  /** The amounts of markets on the later side, in the countries and years that are `wanted`, such as `Malta 2021`. */
  marketsIn(dataset: MarketDataset, wanted: ReadonlySet<string>): AmountsByPlace {
    const collected = this.#collected.get(dataset);
    if (collected === undefined) return new Map();
    const { codes } = collected.matched;
    const isWanted = codes
      .values('country')
      .map((country) => codes.values('year').map((year) => wanted.has(`${country} ${year}`)));
    const list = figureRows(collected, 'after', isWanted, this.forecast);
    return amountsOfParts(collected, { side: 'after', list }, MARKET, this.keys);
  }
}
