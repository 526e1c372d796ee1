// Guards warn of a part of a country of which all years and products moved by 15 % or more: net revenue in place of gross.

import { expect, it } from '@jest/globals';
import type { Row, Rows } from '../../support/snapshot.ts';
import { C, type Change, findingsIn, ggr, isForecast } from './plainMonth.ts';

/** The plain month, in which each row is also in the channel Land, with another figure. */
const inChannels = (change: Change): Rows => ({
  ggr: ggr()
    .flatMap((row) => [row, { ...row, channel: 'Land', ggr: Math.round(Number(row.ggr) * 1.7) + 77 }])
    .map(change),
});

const same: Change = (row) => row;

/** Multiplies a figure by `least` or a little more, depending on product and year, as bonuses and fees differ. */
const netOf = (row: Row, least: number): Row => {
  const seed = Number(row.year) * 7 + String(row.product).length * 13;
  return { ...row, ggr: Math.round(Number(row.ggr) * (least + 0.0041 * (seed % 19))) };
};

const netOnline =
  (least: number, years: (year: number) => boolean = () => true): Change =>
  (row) =>
    row.country === C && row.channel === 'Online' && !isForecast(row) && years(Number(row.year))
      ? netOf(row, least)
      : row;

/** The findings about the channel Online in a month with this change. */
const ofChannel = async (change: Change): Promise<string[]> =>
  (await findingsIn(inChannels(change), inChannels(same))).filter((text) => text.includes('channel Online'));

it('net revenue is reported where it changes the country by less than a tenth', async () => {
  expect(await ofChannel(netOnline(0.78))).toEqual([
    'warn ggr: Country C, channel Online: all 60 values of closed years moved by 10 % or more, together −18.8 %',
  ]);
});

it('net revenue is not reported for a few years, nor for smaller changes', async () => {
  expect(await ofChannel(netOnline(0.78, (year) => year === 2020 || year === 2022))).toEqual([]);
  expect(await ofChannel(netOnline(0.86))).toEqual([]);
});
