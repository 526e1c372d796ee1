// Eight questions of an analyst, answered from the sample.

import { describe, expect, it } from '@jest/globals';

import { sum, where } from './looking.ts';
import { rowsOf } from './rowsOf.ts';

// The answers are in billions, millions or percent, with the digits that the documentation prints.
const { ggr, turnover, fx, country } = rowsOf('2026-10');

const BILLION = 1e9;
const inYear = <Row extends { readonly year: number }>(rows: readonly Row[], year: number) =>
  rows.filter((row) => row.year === year);

describe('eight questions', () => {
  it('1: how big is online sports betting in Britain?', () => {
    const rows = where(ggr, {
      country: 'United Kingdom',
      product: 'Sport Betting',
      channel: 'Online',
      fx: 'GBP',
      year: 2024,
    });
    expect(rows.map(({ sub_channel, ggr }) => [sub_channel, Math.round(ggr / 1e6)])).toEqual([
      ['Onshore', 1571],
      ['Offshore', 83],
    ]);
  });

  it('2: which US states lead in online sports betting?', () => {
    const asked = {
      country: 'United States',
      product: 'Sport Betting',
      channel: 'Online',
      sub_channel: 'Onshore',
      fx: 'USD',
      year: 2025,
    };
    const rows = where(ggr, asked);
    expect(rows).toHaveLength(23);
    expect(where(rowsOf('2026-11').ggr, asked)).toHaveLength(24);
    const largest = [...rows].sort((a, b) => b.ggr - a.ggr).slice(0, 3);
    expect(largest.map(({ state, ggr }) => [state, (ggr / BILLION).toFixed(1)])).toEqual([
      ['', '17.4'],
      ['New York', '2.5'],
      ['Florida', '1.3'],
    ]);
  });

  it('3: did German regulation bring players onshore?', () => {
    const rows = where(ggr, { country: 'Germany', channel: 'Online', fx: 'EUR', state: '' });
    expect(rows).toHaveLength(216);
    const offshore = [2005, 2015, 2025].map((year) => {
      const online = inYear(rows, year);
      return Math.round((100 * sum(where(online, { sub_channel: 'Offshore' }), 'ggr')) / sum(online, 'ggr'));
    });
    expect(offshore).toEqual([89, 39, 27]);
  });

  it("4: how deep was Macau's pandemic?", () => {
    const rows = where(ggr, { country: 'Macau', channel: 'Land', fx: 'USD' }).filter(
      ({ year }) => year >= 2019 && year <= 2024,
    );
    expect(rows).toHaveLength(18);
    const billions = [2019, 2020, 2024].map((year) => (sum(inYear(rows, year), 'ggr') / BILLION).toFixed(1));
    expect(billions).toEqual(['24.8', '8.4', '28.4']);
  });

  it('5: what do South African bookmakers keep?', () => {
    const asked = { country: 'South Africa', product: 'Sport Betting', fx: 'ZAR' };
    expect(where(ggr, asked)).toHaveLength(77);
    expect(where(turnover, asked)).toHaveLength(77);
    const hold = (sub_channel: string) => {
      const market = { ...asked, sub_channel, year: 2025 };
      return ((100 * sum(where(ggr, market), 'ggr')) / sum(where(turnover, market), 'turnover')).toFixed(1);
    };
    expect([hold('Retail'), hold('Onshore')]).toEqual(['14.4', '8.3']);
  });

  it('6: is Argentina growing, or the peso falling?', () => {
    const rows = where(ggr, { country: 'Argentina', fx: 'ARS' });
    const rates = where(fx, { country: 'Argentina' });
    expect([rows.length, rates.length]).toEqual([104, 28]);
    const inUsd = (rate: 'fx_current_usd' | 'fx_constant_usd', year: number) =>
      sum(inYear(rows, year), 'ggr') * sum(inYear(rates, year), rate);
    const growth = (rate: 'fx_current_usd' | 'fx_constant_usd') =>
      Math.round(100 * (inUsd(rate, 2025) / inUsd(rate, 2023) - 1));
    expect([growth('fx_current_usd'), growth('fx_constant_usd')]).toEqual([14, 87]);
  });

  it('7: who gambles most per adult in the euro area?', () => {
    const names = ['Ireland', 'Italy', 'Malta', 'Portugal', 'Spain'];
    const rows = where(ggr, { country: names, fx: 'EUR', year: 2024 });
    const people = where(country, { country: names, year: 2024 });
    expect([rows.length, people.length]).toEqual([55, 5]);
    const perAdult = names.map((name) => {
      const adults = sum(where(people, { country: name }), 'adult_population');
      return [name, Math.round(sum(where(rows, { country: name }), 'ggr') / adults)];
    });
    expect(Object.fromEntries(perAdult)).toEqual({
      Italy: 451,
      Ireland: 376,
      Malta: 324,
      Portugal: 302,
      Spain: 260,
    });
  });

  it('8: what is expected of African online betting?', () => {
    const rows = where(ggr, {
      region: 'Africa',
      product: 'Sport Betting',
      channel: 'Online',
      fx: 'USD',
      temporal: 'Forecast',
    });
    expect(rows).toHaveLength(205);
    expect(inYear(rows, 2025)).toHaveLength(15);
    const billions = [2026, 2030].map((year) => (sum(inYear(rows, year), 'ggr') / BILLION).toFixed(1));
    expect(billions).toEqual(['6.1', '7.1']);
  });
});
