// The states of three federal countries: they break down the figures of some products and add nothing to them.

import type { ProductKey } from './taxonomy.ts';

export interface Breakdown {
  /** The products that are broken down by state, each with the share of the country that these states have together. */
  readonly coverage: Readonly<Partial<Record<ProductKey, number>>>;
  readonly states: readonly State[];
}

export interface State {
  readonly name: string;
  readonly adults: number;
  /** Gross domestic product of 2024 in USD. */
  readonly gdpUsd: number;
  readonly markets: Readonly<Partial<Record<ProductKey, Market>>>;
}

/** One product in one state. */
export interface Market {
  /** ggr in USD of 2024, or of the first mature year where the market opens later. */
  readonly ggrUsd: number;
  /** The year in which the market opened; null when it is open in all years. */
  readonly opened: number | null;
}

/** The ggr in millions of USD, and the year in which the market opened. */
type MarketLine = readonly [ggrUsdMillions: number, opened?: number] | null;
type Line = readonly [name: string, adultsMillions: number, gdpUsdBillions: number, ...markets: MarketLine[]];

export const BREAKDOWNS: Readonly<Record<string, Breakdown>> = {
  'United States': breakdown({ SV: 0.8, SO: 0.92, CO: 0.96 }, [
    ['Arizona', 5.8, 560, [1900], [640, 2021]],
    ['California', 30, 4000, [8500]],
    ['Colorado', 4.7, 540, [830], [430, 2020]],
    ['Connecticut', 2.9, 350, [1050], [190, 2021], [450, 2021]],
    ['Florida', 18, 1700, [3400], [900, 2023]],
    ['Illinois', 9.8, 1100, [1200], [1150, 2020]],
    ['Indiana', 5.2, 520, [1800], [450, 2019]],
    ['Iowa', 2.5, 260, [1400], [215, 2019]],
    ['Kentucky', 3.5, 290, [450, 2011], [290, 2023]],
    ['Louisiana', 3.5, 330, [1700], [330, 2022]],
    ['Maryland', 4.9, 540, [1450, 2010], [560, 2022]],
    ['Massachusetts', 5.7, 780, [830, 2015], [650, 2023]],
    ['Michigan', 7.9, 700, [1750], [460, 2021], [1900, 2021]],
    ['Missouri', 4.8, 460, [1600], [520, 2025]],
    ['Nevada', 2.5, 260, [10400], [330, 2010]],
    ['New Jersey', 7.4, 850, [2050], [1050, 2018], [1750, 2013]],
    ['New York', 15.6, 2300, [2100, 2004], [2050, 2022]],
    ['North Carolina', 8.5, 840, [420], [500, 2024]],
    ['Ohio', 9.2, 930, [2200, 2012], [880, 2023]],
    ['Pennsylvania', 10.3, 1020, [2400, 2006], [800, 2019], [1600, 2019]],
    ['Tennessee', 5.6, 560, null, [500, 2020]],
    ['Virginia', 6.9, 760, [600, 2022], [580, 2021]],
    ['Washington, D.C.', 0.55, 185, null, [60, 2020]],
    ['West Virginia', 1.4, 108, [560], [65, 2019], [190, 2020]],
  ]),
  Canada: breakdown({ SV: 0.95, SO: 0.95, DR: 0.95 }, [
    ['Alberta', 3.6, 350, [900], [90, 2026], [340]],
    ['British Columbia', 4.5, 310, [950], [70, 2010], [420]],
    ['Manitoba', 1.1, 70, [210], null, [110]],
    ['Nova Scotia', 0.85, 47, [100], null, [90]],
    ['Ontario', 12.4, 880, [2100], [780, 2022], [1250]],
    ['Quebec', 7.1, 440, [780], [110, 2010], [640]],
  ]),
  Australia: breakdown({ MR: 1, DR: 1 }, [
    ['Australian Capital Territory', 0.37, 33, [130], [30]],
    ['New South Wales', 6.6, 540, [5100], [420]],
    ['Northern Territory', 0.19, 22, [60], [15]],
    ['Queensland', 4.3, 340, [2250], [330]],
    ['South Australia', 1.5, 100, [620], [110]],
    ['Tasmania', 0.46, 28, [80], [40]],
    ['Victoria', 5.4, 400, [2200], [400]],
    ['Western Australia', 2.3, 300, null, [180]],
  ]),
};

/** Reads lines whose markets are in the order of `coverage`. */
function breakdown(coverage: Breakdown['coverage'], lines: readonly Line[]): Breakdown {
  const products = Object.keys(coverage) as ProductKey[];
  const states = lines.map(([name, adults, gdp, ...cells]) => ({
    name,
    adults: adults * 1e6,
    gdpUsd: gdp * 1e9,
    markets: Object.fromEntries(
      products.flatMap((product, i) => {
        const cell = cells[i];
        return cell ? [[product, { ggrUsd: cell[0] * 1e6, opened: cell[1] ?? null }]] : [];
      }),
    ),
  }));
  return { coverage, states };
}
