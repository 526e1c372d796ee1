// A new year of a dataset without exchange rates in fx is a note, once.

import { afterEach, expect, it } from '@jest/globals';
import { itInDepth, some } from '../../../support/depth.ts';
import { aPublishedMonth, csvOf, type Month } from '../../../support/month.ts';
import { aRow } from '../../../support/snapshot.ts';

let month: Month;
afterEach(() => month.remove());

const marketsOf = (years: readonly number[]) =>
  csvOf(
    'ggr',
    years.map((year) => aRow('ggr', { year })),
  );
const ratesOf = (years: readonly number[]) =>
  csvOf(
    'fx',
    years.map((year) => aRow('fx', { year })),
  );

/** Publishes a first month with rates and ggr of these years, then another one. Gives the notes on the second one. */
async function notes(
  first: { readonly ggr: readonly number[]; readonly fx: readonly number[] },
  then: { readonly ggr: readonly number[]; readonly fx: readonly number[] },
): Promise<string[]> {
  month = await aPublishedMonth({ 'ggr.csv': marketsOf(first.ggr), 'fx.csv': ratesOf(first.fx) });
  return publishedNotes(then);
}

async function publishedNotes({ ggr, fx }: Parameters<typeof notes>[0]): Promise<string[]> {
  await month.write({ 'ggr.csv': marketsOf(ggr), 'fx.csv': ratesOf(fx) });
  const { problems } = await month.publish({ month: '2026-12' });
  return problems
    .filter(({ problem }) => problem.includes('exchange rates in fx'))
    .map(({ severity, place, problem }) => `${severity} ${place} ${problem}`);
}

it('notes new years without rates, where all earlier years have rates', async () => {
  const before = { ggr: [2023, 2024], fx: [2022, 2023, 2024] };
  expect(await notes(before, { ggr: [2023, 2024, 2025], fx: [2023, 2024] })).toEqual([
    'note ggr 2025 is new and has no exchange rates in fx',
  ]);
});

itInDepth('names several years, and notes them once', async () => {
  const after = { ggr: [2024, 2025, 2026], fx: [2023, 2024] };
  expect(await notes({ ggr: [2024], fx: [2023, 2024] }, after)).toEqual([
    'note ggr 2025, 2026 are new and have no exchange rates in fx',
  ]);
  const later = await month.publish({ month: '2027-01' });
  expect(later.problems.filter(({ problem }) => problem.includes('exchange rates'))).toEqual([]);
});

const UNNOTED = [
  ['the rates come with it', { ggr: [2024], fx: [2024] }, { ggr: [2024, 2025], fx: [2024, 2025] }],
  [
    'an earlier year has no rates either',
    { ggr: [2023, 2024], fx: [2024] },
    { ggr: [2023, 2024, 2025], fx: [2024] },
  ],
  ['no year is new', { ggr: [2024, 2025], fx: [2024] }, { ggr: [2024, 2025], fx: [2024] }],
] as const;
it.each(some(UNNOTED, 1))('notes nothing where %s', async (_, first, then) => {
  expect(await notes(first, then)).toEqual([]);
});
