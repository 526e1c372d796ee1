// The moves of years that still fill up, as a comparison has them.

import { expect, it } from '@jest/globals';
import { aComparison, type Months } from '../../support/comparedSnapshots.ts';
import { aRow, type Row } from '../../support/snapshot.ts';

type Figures = readonly (readonly [country: string, year: number, figure: number | null, more?: Row])[];

const rowsOf = (figures: Figures) => ({
  ggr: figures.map(([country, year, ggr, more]) => aRow('ggr', { country, year, ggr, ...more })),
});

async function movesOf(before: Figures, after: Figures, months?: Months) {
  const { datasets } = await aComparison(rowsOf(before), rowsOf(after), months);
  return datasets.ggr.runningMoves;
}

const FORECAST = { temporal: 'Forecast' };

it('are those of reported figures above 0 that both sides have', async () => {
  const steady: Figures = [['Steady', 2024, 9]];
  const before: Figures = [
    ...steady,
    ['Grown', 2026, 100],
    ['Grown', 2026, 50, { product: 'Poker' }],
    ['Grown', 2025, 70],
    ['Stayed', 2026, 100],
    ['From 0', 2026, 0],
    ['Below 0', 2026, -5],
    ['Was empty', 2026, null],
    ['Became empty', 2026, 5],
    ['Gone', 2026, 5],
    ['Forecast', 2026, 100, FORECAST],
    ['Now a forecast', 2026, 100],
    ['Fallen', 2026, 100, { fx: 'USD' }],
    ['Fallen', 2026, 200, { fx: 'XTS' }],
  ];
  const after: Figures = [
    ...steady,
    ['Grown', 2026, 120],
    ['Grown', 2026, 60, { product: 'Poker' }],
    ['Grown', 2025, 80],
    ['Stayed', 2026, 100],
    ['From 0', 2026, 5],
    ['Below 0', 2026, -8],
    ['Was empty', 2026, 5],
    ['Became empty', 2026, null],
    ['New', 2026, 5],
    ['Forecast', 2026, 120, FORECAST],
    ['Now a forecast', 2026, 120, FORECAST],
    ['Fallen', 2026, 90, { fx: 'USD' }],
    ['Fallen', 2026, -180, { fx: 'XTS' }],
  ];
  const { fx } = aRow('ggr');
  expect(await movesOf(before, after)).toEqual([
    { metric: 'ggr', country: 'Fallen', fx: 'USD', year: 2026, before: 100, after: 90 },
    { metric: 'ggr', country: 'Fallen', fx: 'XTS', year: 2026, before: 200, after: -180 },
    { metric: 'ggr', country: 'Grown', fx, year: 2026, before: 150, after: 180 },
  ]);
});

it('are those of the year before until March, and of no other year', async () => {
  const all = (factor: number): Figures => [2024, 2025, 2026].map((year) => ['Malta', year, 100 * factor]);
  const years = async (before: string, after: string) =>
    (await movesOf(all(1), all(1.1), { before, after })).map(({ year }) => year);
  expect(await years('2026-02.1', '2026-03.1')).toEqual([2025, 2026]);
  expect(await years('2026-03.1', '2026-04.1')).toEqual([2026]);
  expect(await years('2028-03.1', '2028-04.1')).toEqual([]);
});

it('are those of the first sum as well', async () => {
  expect(await movesOf([['Malta', 2026, 100]], [['Malta', 2026, 110]])).toHaveLength(1);
});

it('are not those of datasets without currencies', async () => {
  const rows = (people: number) => ({ country: [aRow('country', { year: 2026, adult_population: people })] });
  const { datasets } = await aComparison(rows(100), rows(120));
  expect(datasets.country.runningMoves).toEqual([]);
});
