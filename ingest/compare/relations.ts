// Finds relations between figures that were true before and are false now: turnover and ggr, currencies and rates, states and nation.

import type { DatasetName } from '../../src/catalog/datasets.ts';
import { AmountNames, type Amounts, amountsOfCountries, amountsOfParts, type Noted } from './amounts.ts';
import type { Cells } from './cells.ts';
import { type Matched, rowOf } from './matched.ts';
import { type Broken, LEVELS, merged, PRODUCTS } from './relationLevels.ts';
import type { Arrivals } from './rowChanges.ts';
import type { Rows } from './rows.ts';
import { statesAboveNation } from './statesAboveNation.ts';
import type { BrokenRelation } from './types.ts';

/** Sums that are converted at one rate differ by less than this: rows are rounded, and rates have six digits. */
const AGREES = 0.02;

/** Turnover below this share of ggr cannot come from rounding. */
const BELOW = 0.98;

/** Smaller parts of a country are not checked, because rounding moves them by more than a relation allows. */
const LEAST = 1000;

type SideName = 'before' | 'after';
const SIDES: readonly SideName[] = ['before', 'after'];

type Facts = 'ggr' | 'turnover';
const FACTS: readonly Facts[] = ['ggr', 'turnover'];

/** The name of a local amount, and the value of one unit in current and in constant terms; NaN when it is unknown. */
interface Rate {
  readonly own: number;
  readonly current: number;
  readonly constant: number;
}

/** By place: '' for the whole country. */
type AmountsOfParts = ReadonlyMap<string, Amounts>;

const NOTHING: Amounts = new Map();

/** Collects the amounts of countries by currency and year, dataset by dataset, and finds the relations that broke. */
export class Relations {
  readonly #names = new AmountNames();
  readonly #facts = new Map<Facts, Noted>();
  readonly #rates: Record<SideName, ReadonlyMap<number, readonly Rate[]>> = {
    before: new Map(),
    after: new Map(),
  };
  /** A broken relation is reported for a dataset that changed, because guards check no other. */
  readonly #hasChanged = new Set<DatasetName>();
  /** Countries with a row that differs in any of the datasets. */
  readonly #concerned = new Set<number>();
  /** Countries with ggr and with turnover, and countries with rates. */
  readonly #tellers: Record<Facts, Set<number>> = { ggr: new Set(), turnover: new Set() };
  readonly #withRates = new Set<number>();
  readonly #states: Broken[] = [];

  /** Collects a dataset's reported figures, or its rates. */
  note(matched: Matched, cells: Readonly<Record<SideName, Cells>>, arrivals: Arrivals): void {
    const { dataset } = matched.codes;
    if (!isFacts(dataset) && dataset !== 'fx') return;
    if (matched.changed.count > 0) this.#hasChanged.add(dataset);
    this.#noteConcerned(matched);
    if (dataset === 'fx') for (const side of SIDES) this.#rates[side] = this.#ratesOf(matched, matched[side]);
    else {
      this.#facts.set(dataset, { matched, cells, arrivals });
      for (const country of matched.codes.values('country'))
        this.#tellers[dataset].add(this.#names.country(country));
      if (matched.changed.count > 0) this.#states.push(...statesAboveNation(matched, dataset));
    }
  }

  /** The relations of countries that got worse. Call it after all datasets are collected. */
  broken(): BrokenRelation[] {
    const below: Broken[] = [];
    const apart: Broken[] = [];
    for (const level of LEVELS.keys()) {
      const amounts = {
        before: {
          ggr: this.#amountsOf('ggr', 'before', level),
          turnover: this.#amountsOf('turnover', 'before', level),
        },
        after: {
          ggr: this.#amountsOf('ggr', 'after', level),
          turnover: this.#amountsOf('turnover', 'after', level),
        },
      };
      // Turnover may be known for some markets of a product only, so its sum cannot be compared with the product's ggr.
      if (level !== PRODUCTS) below.push(...this.#turnoverBelowGgr(amounts, level));
      for (const dataset of FACTS)
        apart.push(...this.#currenciesApart(amounts.before[dataset], amounts.after[dataset], dataset, level));
    }
    return [...merged(below, Math.min), ...merged(apart, Math.max), ...merged(this.#states, Math.max)];
  }

  #noteConcerned(matched: Matched): void {
    const { codes, changed } = matched;
    for (let i = 0; i < changed.count; i += 1) {
      const [rows, row] = rowOf(matched, i);
      this.#concerned.add(this.#names.country(codes.valueOf('country', rows.code('country', row))));
    }
  }

  #turnoverBelowGgr(amounts: Record<SideName, Record<Facts, AmountsOfParts>>, level: number): Broken[] {
    const ratio = (side: SideName, place: string, name: number) => {
      const ggr = amounts[side].ggr.get(place)?.get(name) ?? 0;
      const least = level === 0 ? Number.MIN_VALUE : LEAST;
      return ggr >= least ? (amounts[side].turnover.get(place)?.get(name) ?? Number.NaN) / ggr : Number.NaN;
    };
    return [...amounts.after.turnover].flatMap(([place, ofPlace]) =>
      [...ofPlace.keys()].flatMap((name): Broken[] => {
        const after = ratio('after', place, name);
        const before = after < BELOW ? ratio('before', place, name) : Number.NaN;
        if (!(before >= 1)) return [];
        const { country, year } = this.#names.placeOf(name);
        const dataset = this.#hasChanged.has('turnover') ? 'turnover' : 'ggr';
        const where = { dataset, country, year, currency: null, level, place } as const;
        return [{ relation: 'turnover-below-ggr', ...where, before, after }];
      }),
    );
  }

  #currenciesApart(before: AmountsOfParts, after: AmountsOfParts, dataset: Facts, level: number): Broken[] {
    return [...after].flatMap(([place, amounts]) =>
      [...amounts].flatMap(([name, amount]): Broken[] => {
        const distance = this.#distance('after', amounts, name, amount, level);
        if (!(distance > AGREES)) return [];
        const old = before.get(place) ?? NOTHING;
        const was = this.#distance('before', old, name, old.get(name) ?? Number.NaN, level);
        if (!(was <= AGREES)) return [];
        const { country, year, fx } = this.#names.placeOf(name);
        const blamed = this.#hasChanged.has(dataset) ? dataset : 'fx';
        const where = { dataset: blamed, country, year, currency: fx, level, place } as const;
        return [{ relation: 'currencies-apart', ...where, before: was, after: distance }];
      }),
    );
  }

  /** The distance of an amount in a foreign currency from the local one at the rates of fx; NaN when no rate is known. */
  #distance(side: SideName, amounts: Amounts, name: number, foreign: number, level: number): number {
    let least = Number.NaN;
    for (const { own: ownName, current, constant } of this.#rates[side].get(name) ?? []) {
      const own = amounts.get(ownName) ?? 0;
      if (own === 0 || (level > 0 && Math.min(Math.abs(own), Math.abs(foreign)) < LEAST)) continue;
      const off = (rate: number) => Math.abs(foreign / own / rate - 1);
      const distance = Number.isNaN(constant) ? off(current) : Math.min(off(current), off(constant));
      if (!(distance >= least)) least = distance;
    }
    return least;
  }

  /** Reported figures by place. Products and markets only of countries with a row that differs. */
  #amountsOf(dataset: Facts, side: SideName, level: number): AmountsOfParts {
    const noted = this.#facts.get(dataset);
    if (noted === undefined) return new Map();
    if (level === 0) return new Map([['', amountsOfCountries(noted, side, this.#names)]]);
    const isConcerned = noted.matched.codes.flags('country', (value) => {
      const country = this.#names.country(value);
      return this.#concerned.has(country) && this.#hasCounterpart(country, dataset);
    });
    return amountsOfParts(noted, side, LEVELS[level] ?? [], this.#names, isConcerned);
  }

  /** Whether a country's parts can be compared with anything: the other dataset, or rates. */
  #hasCounterpart(country: number, dataset: DatasetName): boolean {
    return (
      this.#withRates.has(country) || FACTS.some((one) => one !== dataset && this.#tellers[one].has(country))
    );
  }

  /** The rates of whole countries, by the name of country, foreign currency and year. */
  #ratesOf({ codes, metrics }: Matched, rows: Rows): ReadonlyMap<number, readonly Rate[]> {
    const whole = codes.codeOf('state', '');
    const value = (metric: string, row: number) => rows.value(metrics.indexOf(metric), row);
    const found = new Map<number, Rate[]>();
    for (let row = 0; row < rows.count; row += 1) {
      if (rows.code('state', row) !== whole) continue;
      const country = this.#names.country(codes.valueOf('country', rows.code('country', row)));
      const year = Number(codes.valueOf('year', rows.code('year', row)));
      const local = String(codes.valueOf('fx_local_currency', rows.code('fx_local_currency', row)));
      const own = this.#names.nameOf(country, local, year);
      for (const fx of ['USD', 'EUR'] as const) {
        const current = value(fx === 'USD' ? 'fx_current_usd' : 'fx_current_eur', row);
        const constant = value(fx === 'USD' ? 'fx_constant_usd' : 'fx_constant_eur', row);
        if (fx === local || Number.isNaN(current)) continue;
        this.#withRates.add(country);
        const name = this.#names.nameOf(country, fx, year);
        found.set(name, [...(found.get(name) ?? []), { own, current, constant }]);
      }
    }
    return found;
  }
}

const isFacts = (dataset: DatasetName): dataset is Facts => dataset === 'ggr' || dataset === 'turnover';
