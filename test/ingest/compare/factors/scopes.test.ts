// Tests the limits of each scope in which a common factor is searched. One month has a country for each case.

import { beforeAll, describe, expect, it } from '@jest/globals';
import type { BrokenRelation } from '../../../../ingest/compare/brokenRelation.ts';
import { yearSpans } from '../../../../ingest/messages/numbers.ts';
import { aComparison } from '../../../support/comparedSnapshots.ts';
import { aRow, type Row } from '../../../support/snapshot.ts';

interface Cell {
  readonly dataset: 'ggr' | 'turnover';
  readonly product: number;
  readonly fx: string;
  readonly state: string;
  readonly year: number;
  readonly forecast: boolean;
  readonly value: number;
}

interface Shape {
  readonly products: number;
  /** The number of reported years, which begin with 2016. */
  readonly years: number;
  readonly forecasts?: number;
  readonly fx?: readonly string[];
  readonly states?: readonly string[];
  readonly datasets?: readonly Cell['dataset'][];
}

/** The figures of a country; no two of them are alike. */
const cells = ({
  products,
  years,
  forecasts = 0,
  fx = ['USD'],
  states = [''],
  datasets = ['ggr'],
}: Shape): Cell[] =>
  datasets.flatMap((dataset) =>
    states.flatMap((state) =>
      Array.from({ length: products }, (_, product) => product).flatMap((product) =>
        fx.flatMap((currency) =>
          Array.from({ length: years + forecasts }, (_, i): Cell => {
            const size = 234_567_891 + 34_567_893 * product + 12_345_671 * i;
            const share = { North: 0.6, South: 0.4 }[state] ?? 1;
            const value = Math.round(
              size * share * (currency === 'USD' ? 1 : 1.37) * (dataset === 'ggr' ? 1 : 9.1),
            );
            return { dataset, product, fx: currency, state, year: 2016 + i, forecast: i >= years, value };
          }),
        ),
      ),
    ),
  );

/** The factor by which a figure is multiplied: 1 for a figure that stays, 0 for a row that is removed. */
type By = (cell: Cell) => number;

interface Case {
  readonly cells: readonly Cell[];
  readonly by: By;
  /** Whether a forecast is a reported figure in the later snapshot. */
  readonly arrived?: (cell: Cell) => boolean;
  /** Whether the earlier snapshot lacks a figure. */
  readonly isNew?: (cell: Cell) => boolean;
  readonly found: readonly string[];
}

/** A factor with so many decimals that no person would choose it. */
const F = 1.0437191;
const BOTH = ['ggr', 'turnover'] as const;
const TWO = ['USD', 'XTS'];
const reported = ({ forecast, dataset }: Cell) => !forecast && dataset === 'ggr';
/** Multiplies the figures of ggr for which `is` is true. */
const where =
  (is: (cell: Cell) => boolean, factor = F): By =>
  (cell) =>
    is(cell) && cell.dataset === 'ggr' ? factor : 1;
/** Multiplies reported figures by `factor`, and forecasts by `ofForecasts`. */
const withForecasts =
  (ofForecasts: number, factor = F): By =>
  ({ forecast }) =>
    forecast ? ofForecasts : factor;
const inYear =
  (...years: number[]) =>
  ({ year }: Cell) =>
    years.includes(year);
const first = ({ product }: Cell) => product === 0;
const without = (all: readonly Cell[], is: (cell: Cell) => boolean) => all.filter((cell) => !is(cell));

const STEADY = { products: 2, years: 6, forecasts: 2 } as const;
const SIX = '2016–2021, × 1.0437, 100 %';

const CASES: Readonly<Record<string, Case>> = {
  // A factor of a whole country needs at least 12 figures, of three years and two markets.
  'twelve figures': {
    cells: cells(STEADY),
    by: where(reported),
    found: [`reported-scaled: country, ${SIX}`],
  },
  'eleven figures': {
    cells: without(cells(STEADY), (cell) => first(cell) && cell.year === 2016),
    by: where(reported),
    found: [],
  },
  'three years': {
    cells: cells({ products: 4, years: 3, forecasts: 2 }),
    by: where(reported),
    found: ['reported-scaled: country, 2016–2018, × 1.0437, 100 %'],
  },
  'two years': { cells: cells({ products: 6, years: 2, forecasts: 2 }), by: where(reported), found: [] },
  'one market': {
    cells: cells({ products: 1, years: 6, forecasts: 2, fx: TWO }),
    by: where(reported),
    found: [],
  },
  'a move of 0.52 %': {
    cells: cells(STEADY),
    by: where(reported, 1.0052191),
    found: ['reported-scaled: country, 2016–2021, × 1.0052, 100 %'],
  },
  'a move of 0.48 %': { cells: cells(STEADY), by: where(reported, 1.0048191), found: [] },
  'a fall of 9.9 %': {
    cells: cells(STEADY),
    by: where(reported, 0.9012345),
    found: ['reported-scaled: country, 2016–2021, × 0.9012, 100 %'],
  },
  'a fall of 10.1 %': { cells: cells(STEADY), by: where(reported, 0.8987654), found: [] },
  'ratios that differ by little': {
    cells: cells(STEADY),
    by: (cell) => (reported(cell) ? F * (first(cell) ? 1 : 1 + 0.9e-4) : 1),
    found: [`reported-scaled: country, ${SIX.replace('37', '38')}`],
  },
  'ratios that differ by more': {
    cells: cells(STEADY),
    by: (cell) => (reported(cell) ? F * (first(cell) ? 1 : 1 + 1.1e-4) : 1),
    found: [],
  },
  'years of nearly one factor': {
    cells: cells(STEADY),
    by: (cell) => (reported(cell) ? (cell.year < 2019 ? 1.043_71 : 1.043_718) : 1),
    found: [`reported-scaled: country, ${SIX}`],
  },
  'years of two factors': {
    cells: cells(STEADY),
    by: (cell) => (reported(cell) ? (cell.year < 2019 ? 1.043_712 : 1.043_912) : 1),
    found: [],
  },
  'half of some years': {
    cells: cells({ products: 4, years: 5, forecasts: 1 }),
    by: where((cell) => reported(cell) && (cell.year < 2018 || cell.product < 2)),
    found: ['reported-scaled: country, 2016–2020, × 1.0437, 70 %'],
  },
  'less than half of a year': {
    cells: cells({ products: 6, years: 5, forecasts: 1 }),
    by: where((cell) => reported(cell) && (cell.year < 2019 || cell.product < 2)),
    found: ['reported-scaled: country, 2016–2018, × 1.0437, 100 %'],
  },
  'less than 70 %': {
    cells: cells({ products: 4, years: 6, forecasts: 1 }),
    by: where((cell) => reported(cell) && (cell.year < 2018 || cell.product < 2)),
    found: [
      'market-moved: Product 0 / Online / Onshore and Product 1 / Online / Onshore, 2016–2021, × 1.0437',
    ],
  },
  'years of one figure': {
    cells: without(
      cells({ products: 4, years: 5, forecasts: 1 }),
      ({ product, year }) => product > 0 && year > 2018 && year < 2021,
    ),
    by: where(reported),
    found: ['reported-scaled: country, 2016–2018, × 1.0437, 100 %'],
  },
  'large figures': {
    cells: cells(STEADY).map((cell) => ({ ...cell, value: 100_000 })),
    by: where(reported),
    found: [`reported-scaled: country, ${SIX}`],
  },
  'small figures': {
    cells: cells(STEADY).map((cell) => ({ ...cell, value: 99_999 })),
    by: where(reported),
    found: [],
  },
  'figures that are now forecasts': {
    cells: cells(STEADY).map((cell) => (cell.year === 2021 ? { ...cell, forecast: true } : cell)),
    by: where(({ year }) => year < 2021),
    found: [],
  },

  // Forecasts show that reported figures have a factor of their own when at least three, and more than half, stayed.
  'two forecasts': { cells: cells({ products: 2, years: 6, forecasts: 1 }), by: where(reported), found: [] },
  'three forecasts': {
    cells: cells({ products: 3, years: 6, forecasts: 1 }),
    by: where(reported),
    found: [`reported-scaled: country, ${SIX}`],
  },
  'small forecasts': {
    cells: cells(STEADY).map((cell) => (cell.forecast ? { ...cell, value: 1000 } : cell)),
    by: where(reported),
    found: [`reported-scaled: country, ${SIX}`],
  },
  'tiny forecasts': {
    cells: cells(STEADY).map((cell) => (cell.forecast ? { ...cell, value: 999 } : cell)),
    by: where(reported),
    found: [],
  },
  'half of the forecasts': {
    cells: cells(STEADY),
    by: (cell) => (cell.forecast && first(cell) ? 1.2 : cell.forecast ? 1 : F),
    found: [],
  },
  'most of the forecasts': {
    cells: cells({ products: 3, years: 6, forecasts: 1 }),
    by: (cell) => (cell.forecast && first(cell) ? 1.2 : cell.forecast ? 1 : F),
    found: [`reported-scaled: country, ${SIX}`],
  },
  'forecasts that moved by a little': {
    cells: cells(STEADY),
    by: withForecasts(1 + 0.019 * (F - 1)),
    found: [`reported-scaled: country, ${SIX}`],
  },
  'forecasts that moved': { cells: cells(STEADY), by: withForecasts(1 + 0.021 * (F - 1)), found: [] },
  'forecasts that are gone': { cells: cells(STEADY), by: withForecasts(0), found: [] },
  'forecasts that moved the other way': { cells: cells(STEADY), by: withForecasts(2 - F), found: [] },

  // A country whose ggr has a factor, while its turnover stayed or has another factor.
  'turnover that stayed': {
    cells: cells({ products: 2, years: 6, datasets: BOTH }),
    by: where(reported),
    found: [`dataset-scaled: country, ${SIX}`],
  },
  'turnover that stayed in three years': {
    cells: cells({ products: 4, years: 3, datasets: BOTH }),
    by: where(reported),
    found: ['dataset-scaled: country, 2016–2018, × 1.0437, 100 %'],
  },
  'turnover that stayed beside forecasts that moved': {
    cells: cells({ ...STEADY, datasets: BOTH }),
    by: ({ dataset }) => (dataset === 'ggr' ? F : 1),
    found: [`dataset-scaled: country, ${SIX}`],
  },
  'turnover of two years': {
    cells: without(
      cells({ products: 4, years: 3, datasets: BOTH }),
      ({ dataset, year, product }) => dataset === 'turnover' && (year > 2016 || product > 1),
    ),
    by: where(reported),
    found: [],
  },
  'turnover of other years': {
    cells: without(
      cells({ products: 4, years: 6, datasets: BOTH }),
      ({ dataset, year }) => (dataset === 'turnover') !== year > 2018,
    ),
    by: where(reported),
    found: [],
  },
  'turnover that fell as far': {
    cells: cells({ products: 2, years: 6, datasets: BOTH }),
    by: ({ dataset }) => (dataset === 'ggr' ? F : 2 - F),
    found: [],
  },

  // An exact factor of a country needs four figures, of two markets or of three years.
  'exactly, four figures': {
    cells: cells({ products: 2, years: 2 }),
    by: where(reported, 1.06),
    found: ['country-scaled: country, 2016–2017, × 1.0600, 100 %'],
  },
  'exactly, three figures': { cells: cells({ products: 3, years: 1 }), by: where(reported, 1.06), found: [] },
  'exactly, one market in three years': {
    cells: cells({ products: 1, years: 3, fx: TWO }),
    by: where(reported, 1.06),
    found: ['country-scaled: country, 2016–2018, × 1.0600, 100 %'],
  },
  'exactly, one market in two years': {
    cells: cells({ products: 1, years: 2, fx: TWO }),
    by: where(reported, 1.06),
    found: [],
  },

  // A factor of a market needs at least six figures, of three years.
  'a market of six figures': {
    cells: cells({ products: 3, years: 6, datasets: BOTH }),
    by: where(first),
    found: ['dataset-scaled: Product 0 / Online / Onshore, 2016–2021, × 1.0437'],
  },
  'a market of five figures': {
    cells: cells({ products: 3, years: 5, datasets: BOTH }),
    by: where(first),
    found: [],
  },
  'a market of three years': {
    cells: cells({ products: 3, years: 3, fx: TWO, datasets: BOTH }),
    by: where(first),
    found: ['dataset-scaled: Product 0 / Online / Onshore, 2016–2018, × 1.0437'],
  },
  'a market of two years': {
    cells: cells({ products: 3, years: 2, fx: [...TWO, 'EUR'], datasets: BOTH }),
    by: where(first),
    found: [],
  },
  'four fifths of a market': {
    cells: cells({ products: 3, years: 10, datasets: BOTH }),
    by: where((cell) => first(cell) && cell.year < 2024),
    found: ['dataset-scaled: Product 0 / Online / Onshore, 2016–2023, × 1.0437'],
  },
  'less of a market': {
    cells: cells({ products: 3, years: 9, datasets: BOTH }),
    by: where((cell) => first(cell) && cell.year < 2023),
    found: [],
  },
  'a market with an exact factor': {
    cells: cells({ products: 3, years: 6 }),
    by: where(first, 1.06),
    found: ['market-scaled: Product 0 / Online / Onshore, 2016–2021, × 1.0600'],
  },
  'a market with an exact factor in four fifths': {
    cells: cells({ products: 3, years: 10 }),
    by: (cell) => (first(cell) ? 1.06 * (cell.year < 2024 ? 1 : 1 + 5e-5) : 1),
    found: ['market-scaled: Product 0 / Online / Onshore, 2016–2025, × 1.0600'],
  },
  'a market with an exact factor in less': {
    cells: cells({ products: 3, years: 10 }),
    by: (cell) => (first(cell) ? 1.06 * (cell.year < 2023 ? 1 : 1 + 5e-5) : 1),
    found: [],
  },
  'a market and nearly half of the others': {
    cells: cells({ products: 5, years: 6 }),
    by: (cell) =>
      first(cell)
        ? 1.06
        : cell.product === 1 || (cell.product === 2 && cell.year < 2021)
          ? 1 + cell.year / 1e6
          : 1,
    found: ['market-scaled: Product 0 / Online / Onshore, 2016–2021, × 1.0600'],
  },
  'a market and half of the others': {
    cells: cells({ products: 5, years: 6 }),
    by: (cell) => (first(cell) ? 1.06 : cell.product < 3 ? 1 + cell.year / 1e6 : 1),
    found: [],
  },
  'a market that moved by 11.1 %': {
    cells: cells({ products: 3, years: 6 }),
    by: where(first, 1.1112345),
    found: ['market-moved: Product 0 / Online / Onshore, 2016–2021, × 1.1112'],
  },
  'a market that moved by 10.9 %': {
    cells: cells({ products: 3, years: 6 }),
    by: where(first, 1.0912345),
    found: [],
  },
  'two markets of one factor': {
    cells: cells({ products: 5, years: 6 }),
    by: where(({ product }) => product < 2, 1.0512345),
    found: [
      'market-moved: Product 0 / Online / Onshore and Product 1 / Online / Onshore, 2016–2021, × 1.0512',
    ],
  },
  'two markets of nearly one factor': {
    cells: cells({ products: 5, years: 6 }),
    by: (cell) => (cell.product < 2 ? 1.0512345 + cell.product * 0.000_005 : 1),
    found: [
      'market-moved: Product 0 / Online / Onshore and Product 1 / Online / Onshore, 2016–2021, × 1.0512',
    ],
  },
  'two markets of two factors': {
    cells: cells({ products: 5, years: 6 }),
    by: (cell) => (cell.product < 2 ? 1.0512345 + cell.product / 1000 : 1),
    found: [],
  },

  'a market of three years, exactly': {
    cells: cells({ products: 3, years: 3, fx: TWO }),
    by: where(first, 1.06),
    found: ['market-scaled: Product 0 / Online / Onshore, 2016–2018, × 1.0600'],
  },
  'a market of three years that moved by 11.1 %': {
    cells: cells({ products: 3, years: 3, fx: TWO }),
    by: where(first, 1.1112345),
    found: ['market-moved: Product 0 / Online / Onshore, 2016–2018, × 1.1112'],
  },
  'a market of two years, exactly and far': {
    cells: cells({ products: 3, years: 2, fx: [...TWO, 'EUR'] }),
    by: where(first, 1.09),
    found: [],
  },

  // A factor of a year of the country needs at least four figures of two markets, and four fifths of the year's figures.
  'a year of four figures': {
    cells: cells({ products: 4, years: 5 }),
    by: where(inYear(2018)),
    found: ['year-moved: country, 2018, × 1.0437'],
  },
  'a year of three figures': { cells: cells({ products: 3, years: 5 }), by: where(inYear(2018)), found: [] },
  'a year of two markets': {
    cells: cells({ products: 2, years: 5, fx: TWO }),
    by: where(inYear(2018)),
    found: ['year-moved: country, 2018, × 1.0437'],
  },
  'a year of one market': {
    cells: cells({ products: 1, years: 5, fx: [...TWO, 'EUR', 'GBP'] }),
    by: where(inYear(2018)),
    found: [],
  },
  'four fifths of a year': {
    cells: cells({ products: 5, years: 5 }),
    by: where((cell) => inYear(2018)(cell) && !first(cell)),
    found: ['year-moved: country, 2018, × 1.0437'],
  },
  'less of a year': {
    cells: cells({ products: 9, years: 5 }),
    by: where((cell) => inYear(2018)(cell) && cell.product > 1),
    found: [],
  },
  'two years beside each other': {
    cells: cells({ products: 4, years: 5 }),
    by: (cell) => (cell.year === 2018 ? F : cell.year === 2017 ? 1.0212345 : 1),
    found: [],
  },
  'a year beside one that moved by a little': {
    cells: cells({ products: 4, years: 5 }),
    by: (cell) => (cell.year === 2018 ? F : cell.year === 2017 ? 1 + 0.19 * (F - 1) : 1),
    found: ['year-moved: country, 2018, × 1.0437'],
  },
  'a year beside one that moved by more': {
    cells: cells({ products: 4, years: 5 }),
    by: (cell) => (cell.year === 2018 ? F : cell.year === 2019 ? 1 + 0.21 * (F - 1) : 1),
    found: [],
  },
  'a year beside one of which a fifth moved': {
    cells: cells({ products: 5, years: 5 }),
    by: (cell) => (cell.year === 2018 ? F : cell.year === 2019 && first(cell) ? 1.03 : 1),
    found: ['year-moved: country, 2018, × 1.0437'],
  },
  'a year beside one of which a quarter moved': {
    cells: cells({ products: 4, years: 5 }),
    by: (cell) => (cell.year === 2018 ? F : cell.year === 2019 && first(cell) ? 1.03 : 1),
    found: [],
  },
  'a year without one before it': {
    cells: cells({ products: 4, years: 5 }),
    by: where(inYear(2016)),
    found: [],
  },

  // A factor of a year of a market counts from 8 % on, and needs all figures of that year and market.
  'a year of a market that rose by 8.1 %': {
    cells: cells({ products: 3, years: 5 }),
    by: where((cell) => first(cell) && cell.year === 2018, 1.081),
    found: ['year-moved: Product 0 / Online / Onshore, 2018, × 1.0810'],
  },
  'a year of a market that rose by 7.3 %': {
    cells: cells({ products: 3, years: 5 }),
    by: where((cell) => first(cell) && cell.year === 2018, 1.073),
    found: [],
  },
  'a year of a market that fell by 7.5 %': {
    cells: cells({ products: 3, years: 5 }),
    by: where((cell) => first(cell) && cell.year === 2018, 0.925),
    found: ['year-moved: Product 0 / Online / Onshore, 2018, × 0.9250'],
  },
  'a year of a market that fell by 7.3 %': {
    cells: cells({ products: 3, years: 5 }),
    by: where((cell) => first(cell) && cell.year === 2018, 0.927),
    found: [],
  },
  'a year of a market in two currencies': {
    cells: cells({ products: 3, years: 5, fx: TWO }),
    by: where((cell) => first(cell) && cell.year === 2018, 1.2),
    found: ['year-moved: Product 0 / Online / Onshore, 2018, × 1.2000'],
  },
  'a year of a market in two currencies that moved nearly alike': {
    cells: cells({ products: 3, years: 5, fx: TWO }),
    by: (cell) => (first(cell) && cell.year === 2018 ? (cell.fx === 'USD' ? 1.2 : 1.2 * 0.991) : 1),
    found: ['year-moved: Product 0 / Online / Onshore, 2018, × 1.2000'],
  },
  'a year of a market in two currencies that moved apart': {
    cells: cells({ products: 3, years: 5, fx: TWO }),
    by: (cell) => (first(cell) && cell.year === 2018 ? (cell.fx === 'USD' ? 1.2 : 1.2 * 0.989) : 1),
    found: [],
  },
  'a year of a market beside one of it that moved': {
    cells: cells({ products: 6, years: 5 }),
    by: (cell) => (first(cell) ? (cell.year === 2018 ? 1.2 : cell.year === 2019 ? 1.15 : 1) : 1),
    found: [],
  },
  'a year of a market beside one of another market that moved': {
    cells: cells({ products: 3, years: 5 }),
    by: (cell) =>
      first(cell) && cell.year === 2018 ? 1.2 : cell.product === 1 && cell.year === 2019 ? 1.05 : 1,
    found: ['year-moved: Product 0 / Online / Onshore, 2018, × 1.2000'],
  },
  'a year of a market in one of its currencies': {
    cells: cells({ products: 3, years: 5, fx: TWO }),
    by: where((cell) => first(cell) && cell.year === 2018 && cell.fx === 'USD', 1.2),
    found: [],
  },

  // A factor of a state of a country.
  'a state': {
    cells: cells({ products: 2, years: 3, states: ['', 'North', 'South'] }),
    by: where(({ state }) => state === 'North'),
    found: ['state-scaled: North, 2016–2018, × 1.0437'],
  },
  'a state of which a twentieth stayed': {
    cells: cells({ products: 4, years: 5, states: ['', 'North'] }),
    by: where((cell) => cell.state === 'North' && !(first(cell) && cell.year === 2016)),
    found: ['state-scaled: North, 2016–2020, × 1.0437'],
  },
  'a state of which a tenth stayed': {
    cells: cells({ products: 2, years: 10, states: ['', 'North'] }),
    by: where((cell) => cell.state === 'North' && !(first(cell) && cell.year < 2018)),
    found: [
      'state-scaled: North / Product 0 / Online / Onshore and North / Product 1 / Online / Onshore, 2016–2025, × 1.0437',
    ],
  },
  'a market of a state of five years': {
    cells: cells({ products: 3, years: 5, states: ['', 'North'] }),
    by: where((cell) => cell.state === 'North' && first(cell)),
    found: [],
  },
  'a market of a state of which a quarter stayed': {
    cells: cells({ products: 3, years: 8, states: ['', 'North'] }),
    by: where((cell) => cell.state === 'North' && first(cell) && cell.year > 2017),
    found: [],
  },
  'a market of a state, as some nations': {
    cells: cells({ products: 3, years: 6, states: ['', 'North'] }),
    by: (cell) => (cell.product > 0 ? 1 : cell.state === '' ? 1 + 0.28 * (F - 1) : F),
    found: ['state-scaled: North / Product 0 / Online / Onshore, 2016–2021, × 1.0437'],
  },
  'a market of a state, as its nation in some years': {
    cells: cells({ products: 3, years: 6, states: ['', 'North'] }),
    by: ({ product, state, year }) =>
      product > 0 || (state === '' && year < 2020) ? 1 : state === '' ? 1 + 0.5 * (F - 1) : F,
    found: [],
  },
  'a market of a state, as its nation': {
    cells: cells({ products: 3, years: 6, states: ['', 'North'] }),
    by: (cell) => (cell.product > 0 ? 1 : cell.state === '' ? 1 + 0.32 * (F - 1) : F),
    found: [],
  },
  'a state without a nation': {
    cells: cells({ products: 2, years: 6, states: ['North'] }),
    by: where(() => true),
    found: [],
  },
  'two years of a state': {
    cells: cells({ products: 2, years: 6, states: ['', 'North'] }),
    by: where((cell) => cell.state === 'North' && cell.year < 2018),
    found: ['state-scaled: North, 2016–2017, × 1.0437, 100 %'],
  },
  'a year of a state': {
    cells: cells({ products: 3, years: 6, states: ['', 'North'] }),
    by: where((cell) => cell.state === 'North' && cell.year === 2018),
    found: [],
  },
  'a year of a state, exactly': {
    cells: cells({ products: 2, years: 6, states: ['', 'North'] }),
    by: where((cell) => cell.state === 'North' && cell.year === 2018, 1.06),
    found: ['state-scaled: North, 2018, × 1.0600, 100 %'],
  },
  'a figure of a state, exactly': {
    cells: cells({ products: 1, years: 6, states: ['', 'North'] }),
    by: where((cell) => cell.state === 'North' && cell.year === 2018, 1.06),
    found: [],
  },
  'most of a year of a state': {
    cells: cells({ products: 6, years: 6, states: ['', 'North'] }),
    by: where((cell) => cell.state === 'North' && cell.year === 2018 && !first(cell)),
    found: [],
  },

  'a market of a state of three years': {
    cells: cells({ products: 3, years: 3, fx: TWO, states: ['', 'North'] }),
    by: where((cell) => cell.state === 'North' && first(cell)),
    found: ['state-scaled: North / Product 0 / Online / Onshore, 2016–2018, × 1.0437'],
  },
  'a state with figures that the nation lacks': {
    cells: without(
      cells({ products: 3, years: 6, states: ['', 'North'] }),
      (cell) => cell.state === '' && first(cell) && cell.year < 2018,
    ),
    by: where(({ state }) => state === 'North'),
    found: ['state-scaled: North, 2016–2021, × 1.0437'],
  },
  'states alone': {
    cells: cells({ ...STEADY, states: ['North'] }),
    by: where(reported),
    found: [`reported-scaled: country, ${SIX}`],
  },
  'states that get a nation': {
    cells: cells({ ...STEADY, states: ['', 'North'] }),
    by: where((cell) => reported(cell) && cell.state === 'North'),
    isNew: ({ state }) => state === '',
    found: [],
  },
  'a nation whose states stayed': {
    cells: cells({ ...STEADY, states: ['', 'North', 'South'] }),
    by: where((cell) => reported(cell) && cell.state === ''),
    found: [`reported-scaled: country, ${SIX}`],
  },

  // A factor of forecasts needs at least six figures in a currency, of three years and two markets.
  'six forecasts': {
    cells: cells({ products: 2, years: 2, forecasts: 3 }),
    by: where(({ forecast }) => forecast, 1.2012345),
    found: ['forecasts-scaled: country, 2018–2020, × 1.2012'],
  },
  'forecasts of two years': {
    cells: cells({ products: 3, years: 2, forecasts: 2 }),
    by: where(({ forecast }) => forecast, 1.2012345),
    found: [],
  },
  'five forecasts': {
    cells: without(
      cells({ products: 2, years: 2, forecasts: 3 }),
      (cell) => first(cell) && cell.year === 2020,
    ),
    by: where(({ forecast }) => forecast, 1.2012345),
    found: [],
  },
  'forecasts of one market': {
    cells: cells({ products: 1, years: 2, forecasts: 6 }),
    by: where(({ forecast }) => forecast, 1.2012345),
    found: [],
  },
  'forecasts that fell by 9.84 %': {
    cells: cells({ products: 2, years: 2, forecasts: 3 }),
    by: where(({ forecast }) => forecast, 0.9016345),
    found: ['forecasts-scaled: country, 2018–2020, × 0.9016'],
  },
  'forecasts that fell by 9.7 %': {
    cells: cells({ products: 2, years: 2, forecasts: 3 }),
    by: where(({ forecast }) => forecast, 0.9032345),
    found: [],
  },
  'forecasts that moved by 4.85 % exactly': {
    cells: cells({ products: 2, years: 2, forecasts: 3 }),
    by: where(({ forecast }) => forecast, 1.0485),
    found: ['forecasts-scaled: country, 2018–2020, × 1.0485'],
  },
  'forecasts that moved by 4.5 % exactly': {
    cells: cells({ products: 2, years: 2, forecasts: 3 }),
    by: where(({ forecast }) => forecast, 1.045),
    found: [],
  },
  'forecasts of which one stayed': {
    cells: cells({ products: 3, years: 2, forecasts: 3 }),
    by: where((cell) => cell.forecast && !(first(cell) && cell.year === 2018), 1.2012345),
    found: [],
  },
  'forecasts that moved nearly alike': {
    cells: cells({ products: 2, years: 2, forecasts: 3 }),
    by: (cell) => (cell.forecast ? (first(cell) ? 1.2 : 1.2 * 1.0038) : 1),
    found: ['forecasts-scaled: country, 2018–2020, × 1.2046'],
  },
  'forecasts that moved apart': {
    cells: cells({ products: 2, years: 2, forecasts: 3 }),
    by: (cell) => (cell.forecast ? (first(cell) ? 1.2 : 1.2 * 1.0042) : 1),
    found: [],
  },
  'forecasts with half of the last reports': {
    cells: cells({ products: 4, years: 2, forecasts: 3 }),
    by: (cell) => (cell.forecast ? 1.2012345 : cell.year === 2017 && cell.product < 2 ? 1.11 : 1),
    found: [],
  },
  // The name begins with a space, so the country has the first row of the dataset.
  ' first of all countries, forecasts with half of the last reports': {
    cells: cells({ products: 2, years: 1, forecasts: 3 }),
    by: (cell) => (cell.forecast ? 1.2012345 : first(cell) ? 1 : 1.11),
    found: [],
  },
  'forecasts with a third of the last reports': {
    cells: cells({ products: 3, years: 2, forecasts: 3 }),
    by: (cell) => (cell.forecast ? 1.2012345 : cell.year === 2017 && first(cell) ? 1.11 : 1),
    found: ['forecasts-scaled: country, 2018–2020, × 1.2012'],
  },
  'forecasts with last reports that moved by less than half as far': {
    cells: cells({ products: 2, years: 2, forecasts: 3 }),
    by: (cell) => (cell.forecast ? 1.2012345 : cell.year === 2017 ? 1.09 : 1),
    found: ['forecasts-scaled: country, 2018–2020, × 1.2012'],
  },
  'forecasts with reports of an earlier year': {
    cells: cells({ products: 2, years: 2, forecasts: 3 }),
    by: (cell) => (cell.forecast ? 1.2012345 : cell.year === 2016 ? 1.19 : 1),
    found: ['forecasts-scaled: country, 2018–2020, × 1.2012'],
  },
  'forecasts of which a year was reported': {
    cells: cells({ products: 2, years: 2, forecasts: 3 }),
    by: where(({ forecast }) => forecast, 1.2012345),
    arrived: inYear(2018),
    found: [],
  },
  'forecasts alone': {
    cells: cells({ products: 2, years: 0, forecasts: 3 }),
    by: where(() => true, 1.2012345),
    found: ['forecasts-scaled: country, 2016–2018, × 1.2012'],
  },
  'forecasts in two currencies': {
    cells: cells({ products: 2, years: 2, forecasts: 3, fx: TWO }),
    by: (cell) => (cell.forecast ? (cell.fx === 'USD' ? 1.2012345 : 1.2012345 * 0.972) : 1),
    found: ['forecasts-scaled: country, 2018–2020, × 1.2012'],
  },
  'forecasts in two currencies that moved apart': {
    cells: cells({ products: 2, years: 2, forecasts: 3, fx: TWO }),
    by: (cell) => (cell.forecast ? (cell.fx === 'USD' ? 1.2012345 : 1.2012345 * 0.968) : 1),
    found: [],
  },
};

const RELATIONS: ReadonlySet<BrokenRelation['relation']> = new Set([
  'reported-scaled',
  'dataset-scaled',
  'country-scaled',
  'market-scaled',
  'market-moved',
  'year-moved',
  'state-scaled',
  'forecasts-scaled',
]);

const textOf = ({ relation, places, years, after, share }: BrokenRelation) =>
  `${relation}: ${places.join(' and ') || 'country'}, ${yearSpans(years)}, × ${after.toFixed(4)}${share === null ? '' : `, ${Math.round(100 * share)} %`}`;

/** The rows of all cases on a side. */
function rowsOf(dataset: Cell['dataset'], isAfter: boolean, cases = CASES): Row[] {
  return Object.entries(cases).flatMap(([country, one]) =>
    one.cells.flatMap((cell) => {
      const factor = isAfter ? one.by(cell) : 1;
      const isForecast = cell.forecast && !(isAfter && one.arrived?.(cell) === true);
      if (cell.dataset !== dataset || factor === 0 || (!isAfter && one.isNew?.(cell) === true)) return [];
      const { fx, state, year } = cell;
      const own = {
        country,
        fx,
        state,
        year,
        product: `Product ${cell.product}`,
        category: `Category ${9 - cell.product}`,
        temporal: isForecast ? 'Forecast' : 'Current',
      };
      return [aRow(dataset, { ...own, [dataset]: Math.round(cell.value * factor) })];
    }),
  );
}

async function foundIn(cases: Readonly<Record<string, Case>>): Promise<Map<string, string[]>> {
  const side = (isAfter: boolean) => ({
    ggr: rowsOf('ggr', isAfter, cases),
    turnover: rowsOf('turnover', isAfter, cases),
  });
  const { relations } = await aComparison(side(false), side(true));
  const found = new Map<string, string[]>();
  for (const one of relations.filter(({ relation }) => RELATIONS.has(relation)))
    found.set(one.country, [...(found.get(one.country) ?? []), textOf(one)]);
  return found;
}

let found: ReadonlyMap<string, readonly string[]> = new Map();
beforeAll(async () => {
  found = await foundIn(CASES);
});

it.each(Object.entries(CASES))('%s', (country, one) => {
  expect(found.get(country) ?? []).toEqual(one.found);
});

it('a country is judged by its own figures beside many new rows of another one', async () => {
  const { 'forecasts that moved': moved, 'forecasts that moved by a little': stayed } = CASES;
  const rows = (one: Case | undefined, name: string, isAfter: boolean) =>
    one === undefined ? [] : rowsOf('ggr', isAfter, { [name]: one });
  const fresh = Array.from({ length: 60 }, (_, i) => aRow('ggr', { country: 'Spain', year: 1950 + i }));
  const side = (isAfter: boolean) => ({
    ggr: [...rows(moved, 'Malta', isAfter), ...rows(stayed, 'Peru', isAfter), ...(isAfter ? fresh : [])],
  });
  const { relations } = await aComparison(side(false), side(true));
  expect(relations.map(({ country }) => country)).toEqual(['Peru']);
});

it('the first row of a dataset counts', async () => {
  const { 'twelve figures': least } = CASES;
  const alone = { Malta: { cells: least?.cells ?? [], by: where(reported), found: [] } };
  expect((await foundIn(alone)).get('Malta')).toEqual(least?.found);
});

describe('an indicator', () => {
  /** The population of a country in years from 2016 on: the factor of each year, and how many last years are forecasts. */
  type Indicator = readonly [
    name: string,
    by: readonly number[],
    forecasts: number,
    found: readonly string[],
    people?: number,
  ];

  const scaled = (years: string, factor: string) => [
    `country-scaled: adult_population, ${years}, × ${factor}`,
  ];
  const forecast = (years: string, factor: string) => [
    `forecasts-scaled: adult_population, ${years}, × ${factor}`,
  ];
  const INDICATORS: readonly Indicator[] = [
    ['of three years', [1.05, 1.05, 1.05], 0, scaled('2016–2018', '1.0500')],
    ['of two years', [1.05, 1.05], 0, []],
    ['of which a fifth stayed', [1, 1.05, 1.05, 1.05, 1.05], 0, scaled('2017–2020', '1.0500')],
    ['of which a quarter stayed', [1, 1.05, 1.05, 1.05], 0, []],
    ['by a factor that nobody chose', [F, F, F], 0, []],
    ['by 9.5 %', [1.095, 1.095, 1.095], 0, scaled('2016–2018', '1.0950')],
    ['by 10.5 %', [1.105, 1.105, 1.105], 0, []],
    ['by 1 %', [0.99, 0.99, 0.99], 0, scaled('2016–2018', '0.9900')],
    ['with few digits', [1.05, 1.05, 1.05], 0, [], 2001],
    ['of few people', [1.05, 1.05, 1.05, 1.05, 1.05], 0, scaled('2016–2020', '1.0500'), 99_001],
    ['with forecasts that stayed', [1.05, 1.05, 1.05, 1], 1, scaled('2016–2018', '1.0500')],
    ['of three forecasts', [1, 1.2, 1.2, 1.2], 3, forecast('2017–2019', '1.2000')],
    ['of two forecasts', [1, 1, 1.2, 1.2], 2, []],
    ['of forecasts by 9.84 %', [1, 0.9016, 0.9016, 0.9016], 3, forecast('2017–2019', '0.9016')],
    ['of forecasts by 9.7 %', [1, 0.903, 0.903, 0.903], 3, []],
    ['of forecasts by nearly one factor', [1, 1.2, 1.2045, 1.204], 3, forecast('2017–2019', '1.2040')],
    ['of forecasts by several factors', [1, 1.2, 1.2055, 1.204], 3, []],
    ['of forecasts, one of which stayed', [1, 1, 1.2, 1.2, 1.2], 4, []],
    ['of forecasts with the last report', [1, 1.11, 1.2, 1.2, 1.2], 3, []],
    [
      'of forecasts with less than half of it',
      [1, 1.09, 1.2, 1.2, 1.2],
      3,
      ['year-moved: adult_population, 2017, × 1.0900', ...forecast('2018–2020', '1.2000')],
    ],
  ];

  let relations: readonly BrokenRelation[] = [];
  beforeAll(async () => {
    const percentages = (isAfter: boolean) =>
      [5.1, 6.2, 7.3, 8.4].map((percent, i) =>
        aRow('country', {
          ...{ country: 'Percentages', year: 2016 + i, temporal: i > 0 ? 'Forecast' : 'Current' },
          ...{ gdp_usd: null, gdp_local_currency: null, adult_population: null },
          inflation: percent * (isAfter && i > 0 ? 1.2 : 1),
        }),
      );
    const ofStates = (isAfter: boolean) =>
      [2016, 2017, 2018].map((year) =>
        aRow('country', {
          ...{
            country: 'States',
            state: 'North',
            year,
            gdp_usd: null,
            gdp_local_currency: null,
            inflation: null,
          },
          adult_population: Math.round(3_456_789 * (isAfter ? 1.05 : 1)),
        }),
      );
    const peopleOf = (isAfter: boolean) =>
      INDICATORS.flatMap(([country, by, forecasts, , people = 4_567_891]) =>
        by.map((factor, i) =>
          aRow('country', {
            ...{ country, year: 2016 + i, temporal: i >= by.length - forecasts ? 'Forecast' : 'Current' },
            ...{ gdp_usd: null, gdp_local_currency: null, inflation: null },
            adult_population: Math.round((people + 12_345 * i) * (isAfter ? factor : 1)),
          }),
        ),
      );
    const side = (isAfter: boolean) => ({
      country: [...peopleOf(isAfter), ...percentages(isAfter), ...ofStates(isAfter)],
    });
    ({ relations } = await aComparison(side(false), side(true)));
  });

  it.each(INDICATORS)('%s', (country, _, __, expected) => {
    const own = relations.filter((one) => one.country === country && RELATIONS.has(one.relation));
    expect(own.map(textOf)).toEqual(expected);
  });

  it('in percent, or of states alone, has no factor', () => {
    const odd = relations.filter(({ country }) => country === 'Percentages' || country === 'States');
    expect(odd).toEqual([]);
  });
});
