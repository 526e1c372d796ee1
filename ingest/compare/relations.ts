// Relations between figures that held before and do not hold now: turnover and ggr, currencies and rates, states and nation.

import type { DatasetName } from '../../src/catalog/datasets.ts';
import { groupBy } from '../../src/groupBy.ts';
import { type Cells, Sums } from './cells.ts';
import { NO_GROUP } from './groups.ts';
import { isForecastRow, type Matched, rowOf } from './matched.ts';
import type { Rows } from './rows.ts';
import type { BrokenRelation } from './types.ts';

/** Sums that are converted at one rate agree to within this: rows are rounded, and rates have six digits. */
const AGREES = 0.02;

/** States may exceed their nation by so much: they are rounded one by one. */
const EXCEEDS = 1.02;

type SideName = 'before' | 'after';
const SIDES: readonly SideName[] = ['before', 'after'];

type Facts = 'ggr' | 'turnover';
const FACTS: readonly Facts[] = ['ggr', 'turnover'];

/** Units of a currency that one unit of the local one is worth, in current and in constant terms; NaN without. */
interface Rate {
  readonly country: string;
  readonly year: number;
  readonly local: string;
  readonly fx: 'USD' | 'EUR';
  readonly current: number;
  readonly constant: number;
}

/** What a country makes in a year and currency, by name. */
type Money = ReadonlyMap<number, number>;

/** Gathers what countries make in each currency and year, dataset by dataset, and says which relations broke. */
export class Relations {
  readonly #countries = new Names();
  readonly #currencies = new Names();
  readonly #money: Record<SideName, Record<Facts, Money>> = {
    before: { ggr: new Map(), turnover: new Map() },
    after: { ggr: new Map(), turnover: new Map() },
  };
  readonly #rates: Record<SideName, readonly Rate[]> = { before: [], after: [] };
  readonly #states: Broken[] = [];

  /** Notes a dataset's reported figures, or its rates. */
  note(matched: Matched, cells: Readonly<Record<SideName, Cells>>): void {
    const { dataset } = matched.codes;
    for (const side of SIDES) {
      if (isFacts(dataset)) this.#money[side][dataset] = this.#moneyOf(matched, cells[side]);
      if (dataset === 'fx') this.#rates[side] = ratesOf(matched, matched[side]);
    }
    if (isFacts(dataset) && matched.changed.count > 0) this.#states.push(...statesAboveNation(matched));
  }

  /** The relations of countries that got worse, once all datasets are noted. */
  broken(): BrokenRelation[] {
    const apart = FACTS.flatMap((dataset) => this.#currenciesApart(dataset));
    return [
      ...merged(this.#turnoverBelowGgr(), Math.min),
      ...merged(apart, Math.max),
      ...merged(this.#states, Math.max),
    ];
  }

  #turnoverBelowGgr(): Broken[] {
    const ratio = (side: SideName, name: number) => {
      const ggr = this.#money[side].ggr.get(name) ?? 0;
      return ggr > 0 ? (this.#money[side].turnover.get(name) ?? Number.NaN) / ggr : Number.NaN;
    };
    return [...this.#money.after.turnover.keys()].flatMap((name): Broken[] => {
      const after = ratio('after', name);
      const before = after < 1 ? ratio('before', name) : Number.NaN;
      if (!(before >= 1)) return [];
      const { country, year } = this.#placeOf(name);
      return [
        { relation: 'turnover-below-ggr', dataset: 'turnover', country, year, currency: null, before, after },
      ];
    });
  }

  #currenciesApart(dataset: Facts): Broken[] {
    const before = this.#distances('before', dataset);
    return [...this.#distances('after', dataset)].flatMap(([name, distance]): Broken[] => {
      const was = distance > AGREES ? (before.get(name) ?? Number.NaN) : Number.NaN;
      if (!(was <= AGREES)) return [];
      const { country, year, fx } = this.#placeOf(name);
      return [
        { relation: 'currencies-apart', dataset, country, year, currency: fx, before: was, after: distance },
      ];
    });
  }

  /** How far what a country makes in a foreign currency lies from what it makes in its own at the rates of fx. */
  #distances(side: SideName, dataset: Facts): ReadonlyMap<number, number> {
    const money = this.#money[side][dataset];
    const found = new Map<number, number>();
    for (const { country, year, local, fx, current, constant } of this.#rates[side]) {
      const code = this.#countries.codeOf(country);
      const own = money.get(nameOf(code, this.#currencies.codeOf(local), year)) ?? 0;
      const name = nameOf(code, this.#currencies.codeOf(fx), year);
      const foreign = money.get(name);
      if (own === 0 || foreign === undefined || fx === local || Number.isNaN(current)) continue;
      const off = (rate: number) => Math.abs(foreign / own / rate - 1);
      const distance = Number.isNaN(constant) ? off(current) : Math.min(off(current), off(constant));
      found.set(name, Math.min(distance, found.get(name) ?? Number.POSITIVE_INFINITY));
    }
    return found;
  }

  #moneyOf({ codes }: Matched, cells: Cells): Money {
    const countries = codes.values('country').map((country) => this.#countries.codeOf(String(country)));
    const currencies = codes.values('fx').map((fx) => this.#currencies.codeOf(String(fx)));
    const first = Number(codes.values('year')[0] ?? 0);
    const found = new Map<number, number>();
    for (let cell = 0; cell < cells.count; cell += 1) {
      const total = cells.sum(0, cell);
      if (cells.forecast[cell] === 1 || Number.isNaN(total)) continue;
      const country = countries[cells.country[cell] as number] as number;
      const currency = currencies[cells.fx[cell] as number] as number;
      found.set(nameOf(country, currency, first + (cells.year[cell] as number)), total);
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

interface Broken extends Omit<BrokenRelation, 'years'> {
  readonly year: number;
}

const isFacts = (dataset: DatasetName): dataset is Facts => dataset === 'ggr' || dataset === 'turnover';

/** The rates of whole countries. */
function ratesOf({ codes, metrics }: Matched, rows: Rows): readonly Rate[] {
  const whole = codes.codeOf('state', '');
  const value = (metric: string, row: number) => rows.value(metrics.indexOf(metric), row);
  const found: Rate[] = [];
  for (let row = 0; row < rows.count; row += 1) {
    if (rows.code('state', row) !== whole) continue;
    const country = String(codes.valueOf('country', rows.code('country', row)));
    const year = Number(codes.valueOf('year', rows.code('year', row)));
    const local = String(codes.valueOf('fx_local_currency', rows.code('fx_local_currency', row)));
    for (const fx of ['USD', 'EUR'] as const) {
      const current = value(fx === 'USD' ? 'fx_current_usd' : 'fx_current_eur', row);
      const constant = value(fx === 'USD' ? 'fx_constant_usd' : 'fx_constant_eur', row);
      found.push({ country, year, local, fx, current, constant });
    }
  }
  return found;
}

/** Countries and years whose states come to a larger part of the nation than before, and to more than it. */
function statesAboveNation(matched: Matched): Broken[] {
  const { codes } = matched;
  const { dataset } = codes;
  if (!isFacts(dataset) || codes.codeOf('state', '') !== 0 || codes.size('state') === 1) return [];
  const before = sharesOfStates(matched, 'before');
  return [...sharesOfStates(matched, 'after')].flatMap(([name, after]) => {
    const was = before.get(name) ?? Number.NaN;
    if (!(after > EXCEEDS && after > was * EXCEEDS)) return [];
    const years = codes.size('year');
    return [
      {
        relation: 'states-above-nation' as const,
        dataset,
        country: String(codes.valueOf('country', Math.floor(name / years))),
        year: Number(codes.valueOf('year', name % years)),
        currency: null,
        before: was,
        after,
      },
    ];
  });
}

/** By country and year, what the states come to of the nation's rows that are told by state; reported figures alone. */
function sharesOfStates(matched: Matched, side: SideName): ReadonlyMap<number, number> {
  const { codes, changed, stateRows, [side]: rows } = matched;
  const shares = new Map<number, number>();
  const told = stateRows[side];
  if (told === null) return shares;
  const { groupOf, groups } = told;
  const [states, countries, years] = [rows.codes('state'), rows.codes('country'), rows.codes('year')];
  const values = rows.values(0);
  // Only countries with a changed row can have another share now.
  const hasChanged = new Uint8Array(codes.size('country'));
  for (let i = 0; i < changed.count; i += 1) {
    const [of, row] = rowOf(matched, i);
    hasChanged[of.code('country', row)] = 1;
  }
  const isLooked = (row: number) => groupOf[row] !== NO_GROUP && hasChanged[countries[row] as number] === 1;
  const ofStates = new Float64Array(groups);
  const hasStates = new Uint8Array(groups);
  for (let row = 0; row < rows.count; row += 1) {
    if (states[row] === 0 || !isLooked(row)) continue;
    const group = groupOf[row] as number;
    hasStates[group] = 1;
    ofStates[group] = (ofStates[group] as number) + ((values[row] as number) || 0);
  }
  const [parts, wholes] = [new Sums(), new Sums()];
  const names = new Set<number>();
  for (let row = 0; row < rows.count; row += 1) {
    if (states[row] !== 0 || !isLooked(row) || isForecastRow(matched, rows, row)) continue;
    const group = groupOf[row] as number;
    if (hasStates[group] === 0) continue;
    const name = (countries[row] as number) * codes.size('year') + (years[row] as number);
    names.add(name);
    parts.add(name, ofStates[group] as number);
    wholes.add(name, values[row] as number);
  }
  for (const name of names) {
    const share = parts.at(name) / wholes.at(name);
    if (Number.isFinite(share)) shares.set(name, share);
  }
  return shares;
}

/** One relation per dataset and country: its years and currencies, and the worst of its numbers. */
function merged(all: readonly Broken[], worst: (...numbers: number[]) => number): BrokenRelation[] {
  const byCountry = groupBy(all, ({ dataset, country }) => `${dataset}\0${country}`);
  const distinct = <T>(values: readonly T[]) => [...new Set(values)].sort((a, b) => (a < b ? -1 : 1));
  return [...byCountry]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, of]) => {
      const [{ relation, dataset, country }] = of;
      const currencies = distinct(of.flatMap(({ currency }) => currency ?? []));
      return {
        relation,
        dataset,
        country,
        currency: currencies.length === 0 ? null : currencies.join(', '),
        years: distinct(of.map(({ year }) => year)),
        before: worst(...of.map(({ before }) => before)),
        after: worst(...of.map(({ after }) => after)),
      };
    });
}
