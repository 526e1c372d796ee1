// The months and years of the sample, and their effects on all countries: exchange rates, the pandemic, prices and growth.

/** The two months of the sample. The second month is the first with revisions. */
export const MONTHS = ['2026-10', '2026-11'] as const;

export type Month = (typeof MONTHS)[number];

export const FIRST_YEAR = 2003;
/** The year whose figures the tables state. */
export const BASE_YEAR = 2024;
/** The last closed year. Later rows are forecasts, and later rates are constant. */
export const LAST_CLOSED_YEAR = 2025;
export const LAST_YEAR = 2030;

export const YEARS: readonly number[] = Array.from(
  { length: LAST_YEAR - FIRST_YEAR + 1 },
  (_, i) => FIRST_YEAR + i,
);

type ByYear = Readonly<Record<number, number>>;

const EUR_IN_USD: ByYear = Object.fromEntries(
  [
    1.13, 1.24, 1.24, 1.26, 1.37, 1.47, 1.39, 1.33, 1.39, 1.28, 1.33, 1.33, 1.11, 1.11, 1.13, 1.18, 1.12,
    1.14, 1.18, 1.05, 1.08, 1.08, 1.13,
  ].map((rate, i) => [FIRST_YEAR + i, rate]),
);

/** US dollars for one euro, as the average of a year. Constant after the last closed year. */
export function eurInUsd(year: number): number {
  const rate = EUR_IN_USD[Math.min(year, LAST_CLOSED_YEAR)];
  if (rate === undefined) throw new RangeError(`no euro rate for ${year}`);
  return rate;
}

/** The revenue in the years of the pandemic, as a fraction of that of a normal year. */
export const PANDEMIC = {
  venue: { 2020: 0.58, 2021: 0.76, 2022: 0.95 },
  retail: { 2020: 0.74, 2021: 0.88, 2022: 0.98 },
  lottery: { 2020: 0.95 },
  /** Casinos whose guests mostly come from abroad. */
  destination: { 2020: 0.3, 2021: 0.36, 2022: 0.45, 2023: 0.86 },
  online: { 2020: 1.08 },
} as const satisfies Record<string, ByYear>;

export type PandemicKind = keyof typeof PANDEMIC;

/** Countries whose casinos have mostly guests from abroad. */
export const DESTINATIONS: readonly string[] = [
  'Macau',
  'Philippines',
  'Singapore',
  'Malaysia',
  'Cambodia',
  'Sri Lanka',
];

/** Percentage points that a year added to every country's inflation, and to its real growth. */
export const INFLATION_WAVE: ByYear = {
  2008: 1.6,
  2009: -1.4,
  2020: -0.8,
  2021: 1.6,
  2022: 5,
  2023: 3,
  2024: 0.8,
  2025: 0.3,
};
export const GROWTH_WAVE: ByYear = {
  2008: -1.5,
  2009: -4.5,
  2010: 1.2,
  2020: -6.5,
  2021: 4,
  2022: 1,
  2023: -0.3,
};

/** The usual inflation of countries where prices hardly rise, in % a year. */
export const CALM_PRICES: Readonly<Record<string, number>> = { Japan: 0.4, Switzerland: 0.6 };
