// Rules that hold for every row of the sample.

import { describe, expect, it } from '@jest/globals';
import { notes } from '../../../ingest/sample/notes.ts';
import { MONTHS, YEARS } from '../../../ingest/sample/tables/calendar.ts';
import { COUNTRIES, LATE_REPORTERS } from '../../../ingest/sample/tables/countries.ts';
import { PRODUCTS } from '../../../ingest/sample/tables/taxonomy.ts';
import { DATASET_NAMES, datasetOf } from '../../../src/catalog/datasets.ts';
import { some } from '../../support/depth.ts';
import { type AnyRow, by, SERIES, sum, where } from './looking.ts';
import { rowsOf } from './rowsOf.ts';

const HOLD_PERCENT: ReadonlyMap<string, readonly [number, number] | null> = new Map(
  Object.values(PRODUCTS).flatMap(({ product, channel, subChannels, holdPercent }) =>
    subChannels.map((sub) => [`${product}|${channel}|${sub}`, holdPercent] as const),
  ),
);

const COUNTRY = new Map(COUNTRIES.map((country) => [country.name, country]));

describe.each(some([...MONTHS].reverse(), 1))('every row of %s', (month) => {
  const rows = rowsOf(month);
  const rateOf = new Map(rows.fx.map((rate) => [`${rate.country}|${rate.year}`, rate]));
  const isAmalgamated = (name: string) => COUNTRY.get(name)?.tier === 4;
  const tierOf = (name: string) => COUNTRY.get(name)?.tier;

  it('has a key of its own, a known country and no empty text but the state', () => {
    const regions = new Map(rows.country_reference.map(({ country, region }) => [country, region]));
    for (const name of DATASET_NAMES) {
      const all: readonly AnyRow[] = rows[name];
      const { dimensions } = datasetOf(name);
      expect(by(all, dimensions).size).toBe(all.length);
      expect(all.filter((row) => regions.get(String(row.country)) !== row.region)).toEqual([]);
      const texts = dimensions.filter((dimension) => dimension !== 'state');
      expect(all.filter((row) => texts.some((text) => row[text] === '' || row[text] === null))).toEqual([]);
    }
    expect(by(rows.ggr, ['country']).size).toBe(COUNTRIES.length);
  });

  it('stands in a series without a missing year', () => {
    for (const all of [rows.ggr, rows.turnover]) {
      const gaps = [...by<AnyRow>(all, SERIES)].filter(([, series]) => {
        const years = series.map(({ year }) => Number(year));
        return Math.max(...years) - Math.min(...years) + 1 !== years.length;
      });
      expect(gaps.map(([key]) => key)).toEqual([]);
    }
  });

  it('has the hold of its product, and turnover only where it is known', () => {
    const stakes = new Map(
      rows.turnover.map((row) => [
        [...SERIES.map((column) => row[column]), row.year].join('|'),
        row.turnover,
      ]),
    );
    const wrong = rows.ggr.filter((row) => {
      const turnover = stakes.get([...SERIES.map((column) => row[column]), row.year].join('|'));
      const range = HOLD_PERCENT.get(`${row.product}|${row.channel}|${row.sub_channel}`);
      if (!range || isAmalgamated(row.country)) return turnover !== undefined || row.ggr <= 0;
      const [low, high] = range;
      if (turnover === undefined || row.ggr <= 0 || turnover < row.ggr) return true;
      // The difference of 1 allows for the rounding of both values.
      return row.ggr < (turnover * low) / 100 - 1 || row.ggr > (turnover * high) / 100 + 1;
    });
    expect(wrong).toEqual([]);
    // Together with the expectation above, this shows that every row of turnover has a row of ggr.
    const known = rows.ggr.filter(
      (row) =>
        HOLD_PERCENT.get(`${row.product}|${row.channel}|${row.sub_channel}`) && !isAmalgamated(row.country),
    );
    expect(rows.turnover).toHaveLength(known.length);
  });

  it('is converted at the published rate of its country and year', () => {
    for (const [all, metric] of [
      [rows.ggr, 'ggr'],
      [rows.turnover, 'turnover'],
    ] as const) {
      const facts = by<AnyRow>(all, [...SERIES.filter((column) => column !== 'fx'), 'year']);
      const wrong = [...facts.values()].filter((fact) => {
        const [first] = fact;
        const rate = rateOf.get(`${first?.country}|${first?.year}`);
        const local = sum(where(fact, { fx: rate?.fx_local_currency ?? '' }), metric);
        const currencies = new Set(
          [rate?.fx_local_currency, 'USD', ...(first?.state === '' ? ['EUR'] : [])].map(String),
        );
        const differs = (fx: string, perUnit = Number.NaN) => {
          const expected = local * perUnit;
          const [row] = where(fact, { fx });
          return row !== undefined && !(Math.abs(Number(row[metric]) - expected) <= 0.5 + 1e-9 * expected);
        };
        return (
          fact.length !== currencies.size ||
          fact.some(({ fx }) => !currencies.has(String(fx))) ||
          differs('USD', rate?.fx_current_usd) ||
          differs('EUR', rate?.fx_current_eur)
        );
      });
      expect(wrong).toEqual([]);
    }
  });

  it('has exchange rates that agree with each other', () => {
    const { fx } = rows;
    const RATES = ['fx_constant_usd', 'fx_current_eur', 'fx_constant_eur', 'fx_current_usd'] as const;
    expect(fx.filter((row) => RATES.some((rate) => !(row[rate] > 0)))).toEqual([]);
    const sharing = [...by(fx, ['fx_local_currency', 'year']).values()];
    expect(sharing.filter((same) => by(same, RATES).size > 1)).toEqual([]);
    const held = fx.filter((row) => {
      const base = rateOf.get(`${row.country}|2025`);
      return row.fx_constant_usd !== base?.fx_current_usd || row.fx_constant_eur !== base?.fx_current_eur;
    });
    expect(held).toEqual([]);
    const own = fx.filter(
      (row) =>
        (row.fx_local_currency === 'USD' && row.fx_current_usd !== 1) ||
        (row.fx_local_currency === 'EUR' && row.fx_current_eur !== 1),
    );
    expect(own).toEqual([]);
    const crossed = fx.filter((row) => {
      const euro = rateOf.get(`Germany|${row.year}`)?.fx_current_usd ?? Number.NaN;
      return !(Math.abs((row.fx_current_eur * euro) / row.fx_current_usd - 1) < 2e-5);
    });
    expect(crossed).toEqual([]);
  });

  it('of states adds up to no more than the country, in Australia to all of it', () => {
    const MARKET = ['country', 'category', 'product', 'channel', 'sub_channel', 'fx', 'year'] as const;
    const wholes = by(where(rows.ggr, { state: '' }), MARKET);
    const parts = by(
      rows.ggr.filter(({ state }) => state !== ''),
      MARKET,
    );
    expect(parts.size).toBeGreaterThan(300);
    for (const [key, states] of parts) {
      const whole = wholes.get(key) ?? [];
      expect(whole).toHaveLength(1);
      const part = sum(states, 'ggr') / sum(whole, 'ggr');
      // The values are millions that are rounded to units.
      if (states[0]?.country === 'Australia') expect(Math.abs(part - 1)).toBeLessThan(1e-6);
      else expect(part).toBeLessThan(1);
    }
  });

  it('is a forecast exactly after the last reported year of its country', () => {
    const arrived = month === '2026-11' ? ['Senegal', 'Egypt', 'Jamaica', 'Moldova'] : [];
    expect(LATE_REPORTERS).toEqual(expect.arrayContaining(arrived));
    const markets: readonly AnyRow[] = [...rows.ggr, ...rows.turnover];
    const wrong = markets.filter(({ country, year, temporal }) => {
      const name = String(country);
      const last = LATE_REPORTERS.includes(name) && !arrived.includes(name) ? 2024 : 2025;
      return temporal !== (Number(year) > last ? 'Forecast' : 'Current');
    });
    expect(wrong).toEqual([]);
    const others: readonly AnyRow[] = [...rows.fx, ...rows.country];
    expect(
      others.filter(({ year, temporal }) => temporal !== (Number(year) > 2025 ? 'Forecast' : 'Current')),
    ).toEqual([]);
  });

  it('moves from year to year as markets, economies and people do', () => {
    const steps = <Row extends { readonly year: number }>(series: readonly Row[]) =>
      series.flatMap((row) =>
        series.filter(({ year }) => year === row.year + 1).map((next) => ({ row, next })),
      );
    const jumps = [...by(where(rows.ggr, { state: '' }), SERIES).values()]
      .flatMap(steps)
      .filter(({ row, next }) => next.ggr / row.ggr < 0.15 || next.ggr / row.ggr > 8);
    expect(jumps).toEqual([]);
    const places = [...by(rows.country, ['country', 'state']).values()].flatMap(steps);
    expect(places).toHaveLength(by(rows.country, ['country', 'state']).size * (YEARS.length - 1));
    const economies = places.filter(({ row, next }) => {
      if (row.gdp_local_currency === null || next.gdp_local_currency === null) return false;
      const growth = next.gdp_local_currency / row.gdp_local_currency - 1;
      return growth < -0.08 || growth > 0.15 + (COUNTRY.get(row.country)?.yearlyLoss ?? Number.NaN);
    });
    expect(economies).toEqual([]);
    const peoples = places.filter(({ row, next }) => {
      const more = next.adult_population - row.adult_population;
      // The difference of one person allows for the rounding of both values.
      return more < -0.005 * row.adult_population - 1 || more > 0.024 * row.adult_population + 1;
    });
    expect(peoples).toEqual([]);
  });

  it('says the same of an economy in local currency and in dollars', () => {
    const wrong = rows.country.filter(({ country, year, gdp_local_currency, gdp_usd }) => {
      if (gdp_local_currency === null || gdp_usd === null) return gdp_local_currency !== gdp_usd;
      const rate = rateOf.get(`${country}|${year}`)?.fx_current_usd ?? Number.NaN;
      return !(Math.abs(gdp_usd - gdp_local_currency * rate) <= 1);
    });
    expect(wrong).toEqual([]);
  });

  it('is null where nothing is published, and nowhere else', () => {
    const noPrices = ({ country, state, year }: (typeof rows.country)[number]) =>
      state !== '' ||
      isAmalgamated(country) ||
      country === 'Monaco' ||
      (month === '2026-11' && country === 'Lebanon' && year === 2025);
    expect(rows.country.filter((row) => (row.inflation === null) !== noPrices(row))).toEqual([]);
    expect(where(rows.country, { inflation: null }).length).toBeGreaterThan(0);
    const noProduct = ({ country, year }: (typeof rows.country)[number]) =>
      year === 2030 && tierOf(country) === 3;
    expect(rows.country.filter((row) => (row.gdp_usd === null) !== noProduct(row))).toEqual([]);
    expect(rows.country.filter((row) => (row.gdp_local_currency === null) !== noProduct(row))).toEqual([]);
    expect(where(rows.country, { gdp_usd: null }).length).toBeGreaterThan(0);
    expect(rows.country.filter((row) => !(row.adult_population > 0))).toEqual([]);
    for (const all of [rows.ggr, rows.turnover, rows.fx]) {
      expect((all as readonly AnyRow[]).filter((row) => Object.values(row).includes(null))).toEqual([]);
    }
  });

  it('comes with notes on what must not be added up', () => {
    const notesText = JSON.stringify([...notes(month).rows]);
    for (const words of ['over fx', 'a country and its states', '2003, 2015 or 2018'])
      expect(notesText).toContain(words);
    const markets = by(where(rows.ggr, { state: '' }), ['country']);
    const histories = COUNTRIES.map(({ name, tier }) => {
      const years = markets.get(name)?.map(({ year }) => year) ?? [];
      return { name, tier, first: Math.min(...years) };
    });
    const FIRST = { 1: 2003, 2: 2015, 3: 2018, 4: 2018 };
    expect(histories.filter(({ tier, first }) => first !== FIRST[tier])).toEqual([]);
  });
});
