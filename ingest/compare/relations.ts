// Relations between figures that held before and do not hold now: turnover and ggr, currencies and rates, states and nation.

import type { DatasetName } from '../../src/catalog/datasets.ts';
import { type Cells, countedOnce, Sums } from './cells.ts';
import { allRows, Groups, rowsWhere } from './groups.ts';
import { isForecastRow, type Matched, rowOf } from './matched.ts';
import { type Broken, LEVELS, merged, partName } from './relationLevels.ts';
import type { Arrivals } from './rowChanges.ts';
import type { Rows } from './rows.ts';
import { statesAboveNation } from './statesAboveNation.ts';
import type { BrokenRelation } from './types.ts';

/** Sums that are converted at one rate agree to within this: rows are rounded, and rates have six digits. */
const AGREES = 0.02;

/** A part of a country must fall below its ggr by so much: small figures are rounded. */
const BELOW = 0.98;

/** Parts of a country that make less than this are left aside: rounding moves them by more than a relation allows. */
const LEAST = 1000;

type SideName = 'before' | 'after';
const SIDES: readonly SideName[] = ['before', 'after'];

type Facts = 'ggr' | 'turnover';
const FACTS: readonly Facts[] = ['ggr', 'turnover'];

/** The name of a local amount, and what one unit of it is worth, in current and in constant terms; NaN without. */
interface Rate {
  readonly own: number;
  readonly current: number;
  readonly constant: number;
}

/** Amounts by the name of country, currency and year. */
type Money = ReadonlyMap<number, number>;

/** By place: '' for the whole country. */
type MoneyOfPlaces = ReadonlyMap<string, Money>;

const NOTHING: Money = new Map();

interface Noted {
  readonly matched: Matched;
  readonly arrivals: Arrivals;
  readonly cells: Readonly<Record<SideName, Cells>>;
}

/** Notes what countries make in each currency and year, dataset by dataset, and says which relations broke. */
export class Relations {
  readonly #countries = new Names();
  readonly #currencies = new Names();
  readonly #facts = new Map<Facts, Noted>();
  readonly #rates: Record<SideName, ReadonlyMap<number, readonly Rate[]>> = {
    before: new Map(),
    after: new Map(),
  };
  /** A relation that broke is told of a dataset that changed: guards look at no other. */
  readonly #hasChanged = new Set<DatasetName>();
  /** Countries with a row that differs in any of the datasets. */
  readonly #concerned = new Set<number>();
  /** Countries that tell of ggr and of turnover, and those with rates. */
  readonly #tellers: Record<Facts, Set<number>> = { ggr: new Set(), turnover: new Set() };
  readonly #withRates = new Set<number>();
  readonly #states: Broken[] = [];

  /** Notes a dataset's reported figures, or its rates. */
  note(matched: Matched, cells: Readonly<Record<SideName, Cells>>, arrivals: Arrivals): void {
    const { dataset } = matched.codes;
    if (!isFacts(dataset) && dataset !== 'fx') return;
    if (matched.changed.count > 0) this.#hasChanged.add(dataset);
    this.#noteConcerned(matched);
    if (dataset === 'fx') for (const side of SIDES) this.#rates[side] = this.#ratesOf(matched, matched[side]);
    else {
      this.#facts.set(dataset, { matched, cells, arrivals });
      for (const country of matched.codes.values('country'))
        this.#tellers[dataset].add(this.#countries.codeOf(String(country)));
      if (matched.changed.count > 0) this.#states.push(...statesAboveNation(matched, dataset));
    }
  }

  /** The relations of countries that got worse, once all datasets are noted. */
  broken(): BrokenRelation[] {
    const below: Broken[] = [];
    const apart: Broken[] = [];
    for (const level of LEVELS.keys()) {
      const money = {
        before: {
          ggr: this.#moneyOf('ggr', 'before', level),
          turnover: this.#moneyOf('turnover', 'before', level),
        },
        after: {
          ggr: this.#moneyOf('ggr', 'after', level),
          turnover: this.#moneyOf('turnover', 'after', level),
        },
      };
      below.push(...this.#turnoverBelowGgr(money, level));
      for (const dataset of FACTS)
        apart.push(...this.#currenciesApart(money.before[dataset], money.after[dataset], dataset, level));
    }
    return [...merged(below, Math.min), ...merged(apart, Math.max), ...merged(this.#states, Math.max)];
  }

  #noteConcerned(matched: Matched): void {
    const { codes, changed } = matched;
    for (let i = 0; i < changed.count; i += 1) {
      const [rows, row] = rowOf(matched, i);
      this.#concerned.add(
        this.#countries.codeOf(String(codes.valueOf('country', rows.code('country', row)))),
      );
    }
  }

  #turnoverBelowGgr(money: Record<SideName, Record<Facts, MoneyOfPlaces>>, level: number): Broken[] {
    const ratio = (side: SideName, place: string, name: number) => {
      const ggr = money[side].ggr.get(place)?.get(name) ?? 0;
      const least = level === 0 ? Number.MIN_VALUE : LEAST;
      return ggr >= least ? (money[side].turnover.get(place)?.get(name) ?? Number.NaN) / ggr : Number.NaN;
    };
    return [...money.after.turnover].flatMap(([place, amounts]) =>
      [...amounts.keys()].flatMap((name): Broken[] => {
        const after = ratio('after', place, name);
        const before = after < (level === 0 ? 1 : BELOW) ? ratio('before', place, name) : Number.NaN;
        if (!(before >= 1)) return [];
        const { country, year } = this.#placeOf(name);
        const dataset = this.#hasChanged.has('turnover') ? 'turnover' : 'ggr';
        const where = { dataset, country, year, currency: null, level, place } as const;
        return [{ relation: 'turnover-below-ggr', ...where, before, after }];
      }),
    );
  }

  #currenciesApart(before: MoneyOfPlaces, after: MoneyOfPlaces, dataset: Facts, level: number): Broken[] {
    return [...after].flatMap(([place, amounts]) =>
      [...amounts].flatMap(([name, amount]): Broken[] => {
        const distance = this.#distance('after', amounts, name, amount, level);
        if (!(distance > AGREES)) return [];
        const old = before.get(place) ?? NOTHING;
        const was = this.#distance('before', old, name, old.get(name) ?? Number.NaN, level);
        if (!(was <= AGREES)) return [];
        const { country, year, fx } = this.#placeOf(name);
        const blamed = this.#hasChanged.has(dataset) ? dataset : 'fx';
        const where = { dataset: blamed, country, year, currency: fx, level, place } as const;
        return [{ relation: 'currencies-apart', ...where, before: was, after: distance }];
      }),
    );
  }

  /** How far an amount in a foreign currency lies from the local one at the rates of fx; NaN where none is known. */
  #distance(side: SideName, money: Money, name: number, foreign: number, level: number): number {
    let least = Number.NaN;
    for (const { own: ownName, current, constant } of this.#rates[side].get(name) ?? []) {
      const own = money.get(ownName) ?? 0;
      if (own === 0 || (level > 0 && Math.min(Math.abs(own), Math.abs(foreign)) < LEAST)) continue;
      const off = (rate: number) => Math.abs(foreign / own / rate - 1);
      const distance = Number.isNaN(constant) ? off(current) : Math.min(off(current), off(constant));
      if (!(distance >= least)) least = distance;
    }
    return least;
  }

  /** Reported figures by place; below the whole country those of countries with a row that differs. */
  #moneyOf(dataset: Facts, side: SideName, level: number): MoneyOfPlaces {
    const noted = this.#facts.get(dataset);
    if (noted === undefined) return new Map();
    return level === 0
      ? new Map([['', this.#moneyOfCountries(noted, side)]])
      : this.#moneyOfParts(noted, side, level);
  }

  #moneyOfCountries({ matched: { codes }, cells: both }: Noted, side: SideName): Money {
    const cells = both[side];
    const found = new Map<number, number>();
    const names = this.#namesOf(codes);
    for (let cell = 0; cell < cells.count; cell += 1) {
      const total = cells.sum(0, cell);
      if (cells.forecast[cell] === 1 || Number.isNaN(total)) continue;
      found.set(
        names(cells.country[cell] as number, cells.fx[cell] as number, cells.year[cell] as number),
        total,
      );
    }
    return found;
  }

  #moneyOfParts({ matched, arrivals }: Noted, side: SideName, level: number): MoneyOfPlaces {
    const { codes, stateRows, [side]: rows } = matched;
    const parts = LEVELS[level] ?? [];
    const isConcerned = codes.flags('country', (country) => {
      const code = this.#countries.codeOf(String(country));
      return this.#concerned.has(code) && this.#hasCounterpart(code, codes.dataset);
    });
    const countries = rows.codes('country');
    const isCounted = countedOnce(rows, stateRows[side]);
    const isLate = (row: number) => side === 'after' && arrivals.forecastOf.has(row);
    const list = rowsWhere(
      allRows(rows),
      (row) =>
        isConcerned[countries[row] as number] === true &&
        !isForecastRow(matched, rows, row) &&
        !isLate(row) &&
        isCounted(row),
    );
    const groups = new Groups(codes, ['country', 'fx', 'year', ...parts]);
    const groupOf = groups.addRows(rows, list);
    const [sums, values] = [new Sums(), rows.values(0)];
    const first = new Int32Array(groups.count).fill(-1);
    for (let i = 0; i < list.length; i += 1) {
      const [group, row] = [groupOf[i] as number, list[i] as number];
      if (first[group] === -1) first[group] = row;
      sums.add(group, values[row] as number);
    }
    const nameOf = this.#namesOf(codes);
    const places = new Groups(codes, parts);
    const amounts: Map<number, number>[] = [];
    const found = new Map<string, Money>();
    for (let group = 0; group < first.length; group += 1) {
      const row = first[group] as number;
      const total = sums.at(group);
      if (Number.isNaN(total)) continue;
      const place = places.add(rows, row);
      const money = amounts[place] ?? new Map<number, number>();
      if (place === amounts.length) {
        amounts.push(money);
        found.set(partName(matched, rows, row, parts), money);
      }
      money.set(nameOf(countries[row] as number, rows.code('fx', row), rows.code('year', row)), total);
    }
    return found;
  }

  /** Whether there is anything that a country's parts could disagree with: the other dataset, or rates. */
  #hasCounterpart(country: number, dataset: DatasetName): boolean {
    return (
      this.#withRates.has(country) || FACTS.some((one) => one !== dataset && this.#tellers[one].has(country))
    );
  }

  /** From codes of a dataset to names that all datasets share. */
  #namesOf(codes: Matched['codes']): (country: number, fx: number, year: number) => number {
    const countries = codes.values('country').map((country) => this.#countries.codeOf(String(country)));
    const currencies = codes.values('fx').map((fx) => this.#currencies.codeOf(String(fx)));
    const first = Number(codes.values('year')[0] ?? 0);
    return (country, fx, year) =>
      nameOf(countries[country] as number, currencies[fx] as number, first + year);
  }

  /** The rates of whole countries, by the name of country, foreign currency and year. */
  #ratesOf({ codes, metrics }: Matched, rows: Rows): ReadonlyMap<number, readonly Rate[]> {
    const whole = codes.codeOf('state', '');
    const value = (metric: string, row: number) => rows.value(metrics.indexOf(metric), row);
    const found = new Map<number, Rate[]>();
    for (let row = 0; row < rows.count; row += 1) {
      if (rows.code('state', row) !== whole) continue;
      const country = this.#countries.codeOf(String(codes.valueOf('country', rows.code('country', row))));
      const year = Number(codes.valueOf('year', rows.code('year', row)));
      const local = String(codes.valueOf('fx_local_currency', rows.code('fx_local_currency', row)));
      const own = nameOf(country, this.#currencies.codeOf(local), year);
      for (const fx of ['USD', 'EUR'] as const) {
        const current = value(fx === 'USD' ? 'fx_current_usd' : 'fx_current_eur', row);
        const constant = value(fx === 'USD' ? 'fx_constant_usd' : 'fx_constant_eur', row);
        if (fx === local || Number.isNaN(current)) continue;
        this.#withRates.add(country);
        const name = nameOf(country, this.#currencies.codeOf(fx), year);
        found.set(name, [...(found.get(name) ?? []), { own, current, constant }]);
      }
    }
    return found;
  }

  #placeOf(name: number): { country: string; fx: string; year: number } {
    const pair = Math.floor(name / MOST_YEARS);
    return {
      country: this.#countries.textOf(Math.floor(pair / MOST_CURRENCIES)),
      fx: this.#currencies.textOf(pair % MOST_CURRENCIES),
      year: name % MOST_YEARS,
    };
  }
}

const MOST_CURRENCIES = 100_000;
const MOST_YEARS = 10_000;

const nameOf = (country: number, currency: number, year: number) =>
  (country * MOST_CURRENCIES + currency) * MOST_YEARS + year;

/** Numbers texts in the order in which they are met, across datasets. */
class Names {
  readonly #texts: string[] = [];
  readonly #codes = new Map<string, number>();

  codeOf(text: string): number {
    let code = this.#codes.get(text);
    if (code === undefined) {
      code = this.#texts.length;
      this.#texts.push(text);
      this.#codes.set(text, code);
    }
    return code;
  }

  textOf(code: number): string {
    return this.#texts[code] ?? '';
  }
}

const isFacts = (dataset: DatasetName): dataset is Facts => dataset === 'ggr' || dataset === 'turnover';
