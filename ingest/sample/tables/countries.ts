// The markets of the sample. Every number is invented, around public orders of magnitude.

import { BASE_YEAR, eurInUsd } from './calendar.ts';
import type { ProfileName } from './profiles.ts';
import type { ShapeName } from './tiersAndShapes.ts';

const REGIONS = [
  'Europe',
  'Asia and Middle East',
  'Africa',
  'Latin America and Caribbean',
  'North America',
  'Oceania',
] as const;

export type Region = (typeof REGIONS)[number];

/**
 * Decides the years and the number of products of a country (`TIERS`). Tier 4 has the sum of a region's smallest markets.
 */
export type Tier = 1 | 2 | 3 | 4;

/** The peg of a currency: U follows the dollar, E the euro, F the euro in part, C commodities and its own inflation. */
export type Peg = 'U' | 'E' | 'F' | 'C';

export interface Country {
  readonly name: string;
  readonly region: Region;
  readonly tier: Tier;
  readonly currency: string;
  /** ggr of 2024 in USD. */
  readonly ggrUsd: number;
  /** The Online share of that ggr, as a fraction. */
  readonly onlineShare: number;
  /** The first year with licensed online offers. `never`: none is licensed. `monopoly`: one is licensed, in all years. */
  readonly regulatedFrom: number | 'never' | 'monopoly';
  /** The share of a regulated market's online revenue that stays Offshore, as a fraction. */
  readonly offshoreShare: number;
  readonly shape: ShapeName;
  readonly profile: ProfileName;
  /** Units of the currency per US dollar in 2024. */
  readonly unitsPerUsd: number;
  readonly peg: Peg;
  /** The loss in value of the currency in a year, beside the movement of its peg, as a fraction. */
  readonly yearlyLoss: number;
  /** Gross domestic product of 2024 in USD. */
  readonly gdpUsd: number;
  /** People of 18 and over in 2024. */
  readonly adults: number;
}

/** A country as a line of the table, in the units of printed tables: percent, millions, billions. */
type Line = readonly [
  name: string,
  currency: string,
  tier: Tier,
  ggrUsdMillions: number,
  onlinePercent: number,
  /** 0 is a monopoly, '-' never. */
  regulatedFrom: number | '-',
  offshorePercent: number,
  shape: ShapeName,
  profile: ProfileName,
  /** The rate of the currency. A country that pays in EUR or USD has `null`, because these rates stand in `WORLD_MONEY`. */
  money: readonly [unitsPerUsd: number, peg: Peg, yearlyLossPercent: number] | null,
  gdpUsdBillions: number,
  adultsMillions: number,
];

const TRACKED: Readonly<Record<Region, readonly Line[]>> = {
  Europe: [
    ['United Kingdom', 'GBP', 1, 19500, 45, 2003, 5, 'M', 'uk', [0.782, 'F', 1.2], 3600, 54],
    ['Italy', 'EUR', 1, 24000, 22, 2006, 10, 'M', 'it', null, 2300, 49],
    ['France', 'EUR', 1, 15500, 24, 2010, 12, 'M', 'eu', null, 3100, 54],
    ['Germany', 'EUR', 1, 14500, 32, 2012, 30, 'M', 'eu', null, 4600, 70],
    ['Spain', 'EUR', 1, 11500, 16, 2012, 10, 'M', 'es', null, 1700, 41],
    ['Sweden', 'SEK', 1, 2650, 66, 2019, 14, 'M', 'nordic', [10.6, 'F', 1.3], 600, 8.4],
    ['Netherlands', 'EUR', 2, 4400, 46, 2021, 20, 'M', 'eu', null, 1200, 15],
    ['Belgium', 'EUR', 2, 1950, 48, 2011, 15, 'M', 'eu', null, 660, 9.5],
    ['Denmark', 'DKK', 2, 1500, 62, 2012, 8, 'M', 'nordic', [6.9, 'E', 0], 420, 4.8],
    ['Finland', 'EUR', 2, 1750, 60, 2027, 38, 'M', 'nordic', null, 300, 4.5],
    ['Norway', 'NOK', 2, 1500, 58, 0, 42, 'M', 'nordic', [10.7, 'F', 2], 480, 4.5],
    ['Ireland', 'EUR', 2, 1700, 48, 2015, 12, 'G', 'uk', null, 580, 4.2],
    ['Austria', 'EUR', 3, 2100, 32, 0, 35, 'M', 'eu', null, 520, 7.5],
    ['Switzerland', 'CHF', 3, 2300, 32, 2019, 28, 'M', 'eu', [0.88, 'F', -2], 940, 7.4],
    ['Greece', 'EUR', 2, 2500, 38, 2011, 12, 'M', 'cee', null, 260, 8.6],
    ['Portugal', 'EUR', 2, 2900, 36, 2015, 24, 'G', 'eu', null, 310, 8.9],
    ['Poland', 'PLN', 2, 3900, 46, 2012, 32, 'G', 'cee', [3.98, 'F', 0.1], 910, 30],
    ['Czechia', 'CZK', 3, 2600, 48, 2012, 10, 'G', 'cee', [23.2, 'F', -0.9], 340, 8.7],
    ['Romania', 'RON', 2, 3100, 52, 2015, 8, 'G', 'cee', [4.6, 'F', 1.6], 380, 15],
    ['Hungary', 'HUF', 3, 1500, 40, 2014, 22, 'G', 'cee', [366, 'F', 2.4], 220, 7.8],
    ['Bulgaria', 'EUR', 3, 1250, 48, 2013, 12, 'D', 'cee', null, 110, 5.3],
    ['Croatia', 'EUR', 3, 1150, 46, 2010, 8, 'D', 'cee', null, 92, 3.2],
    ['Serbia', 'RSD', 3, 1150, 52, 2012, 10, 'D', 'cee', [108, 'F', 3], 89, 5.4],
    ['Slovakia', 'EUR', 3, 1150, 50, 2019, 15, 'G', 'cee', null, 140, 4.4],
    ['Ukraine', 'UAH', 2, 1350, 72, 2021, 35, 'D', 'cee', [40.2, 'C', 10], 190, 27],
    ['Georgia', 'GEL', 3, 1000, 68, 2010, 15, 'G', 'cee', [2.72, 'C', 1.1], 34, 2.8],
    ['Türkiye', 'TRY', 2, 3300, 52, 2008, 58, 'G', 'lottery', [32.8, 'C', 15.8], 1300, 63],
    ['Russia', 'RUB', 2, 4600, 78, 2016, 22, 'D', 'cee', [92.6, 'C', 5.4], 2100, 112],
    ['Malta', 'EUR', 2, 165, 34, 2004, 5, 'G', 'eu', null, 24, 0.47],
    ['Slovenia', 'EUR', 3, 420, 26, 2012, 20, 'M', 'eu', null, 72, 1.7],
    ['Estonia', 'EUR', 3, 240, 62, 2010, 8, 'M', 'cee', null, 43, 1.1],
    ['Latvia', 'EUR', 3, 230, 42, 2006, 10, 'D', 'cee', null, 44, 1.5],
    ['Lithuania', 'EUR', 3, 340, 56, 2016, 10, 'D', 'cee', null, 84, 2.3],
    ['Cyprus', 'EUR', 3, 560, 42, 2013, 20, 'G', 'cee', null, 36, 1.1],
    ['Luxembourg', 'EUR', 3, 150, 18, 0, 60, 'M', 'eu', null, 92, 0.55],
    ['Iceland', 'ISK', 3, 140, 34, 0, 62, 'M', 'nordic', [138, 'F', 2.8], 33, 0.31],
    ['Albania', 'ALL', 3, 210, 48, 2024, 55, 'D', 'cee', [93, 'C', -0.8], 27, 2.2],
    ['Bosnia and Herzegovina', 'BAM', 3, 420, 46, 2014, 16, 'D', 'cee', [1.81, 'E', 0], 29, 2.6],
    ['North Macedonia', 'MKD', 3, 300, 44, 2012, 12, 'D', 'cee', [57, 'E', 0], 17, 1.4],
    ['Montenegro', 'EUR', 3, 110, 42, 2012, 12, 'D', 'cee', null, 8, 0.48],
    ['Moldova', 'MDL', 3, 150, 44, 2018, 20, 'D', 'cee', [17.8, 'C', 1.2], 18, 1.9],
    ['Belarus', 'BYN', 3, 330, 58, 2019, 26, 'D', 'cee', [3.25, 'C', 14], 76, 7.2],
    ['Armenia', 'AMD', 3, 650, 82, 2014, 10, 'G', 'cee', [393, 'C', 0], 26, 2.3],
    ['Monaco', 'EUR', 3, 230, 0, '-', 0, 'M', 'casino', null, 10, 0.03],
  ],
  'Asia and Middle East': [
    ['Philippines', 'PHP', 1, 8600, 44, 2016, 28, 'E', 'ph', [57.3, 'C', 0.3], 460, 79],
    ['China', 'CNY', 2, 31000, 19, '-', 100, 'G', 'lottery', [7.2, 'C', -0.7], 18700, 1130],
    ['Japan', 'JPY', 2, 27500, 24, 0, 30, 'M', 'jp', [151, 'C', 1.3], 4100, 105],
    ['India', 'INR', 2, 5200, 62, '-', 68, 'E', 'lottery', [83.7, 'C', 2.8], 3900, 1020],
    ['South Korea', 'KRW', 2, 9300, 24, 0, 78, 'M', 'lottery', [1360, 'C', 0.6], 1700, 44],
    ['Macau', 'MOP', 2, 28500, 0, '-', 0, 'G', 'casino', [8.04, 'U', 0], 50, 0.58],
    ['Singapore', 'SGD', 2, 5900, 8, 2016, 55, 'M', 'casino', [1.34, 'C', -1.2], 550, 5.1],
    ['Malaysia', 'MYR', 3, 2500, 28, '-', 100, 'G', 'casino', [4.58, 'C', 0.9], 420, 25],
    ['Hong Kong', 'HKD', 3, 5600, 22, 0, 20, 'M', 'hk', [7.8, 'U', 0], 410, 6.5],
    ['Thailand', 'THB', 3, 3300, 34, '-', 100, 'G', 'lottery', [35.3, 'C', -0.8], 530, 58],
    ['Vietnam', 'VND', 3, 2700, 36, '-', 100, 'E', 'lottery', [25000, 'C', 2.3], 480, 73],
    ['Indonesia', 'IDR', 3, 2100, 100, '-', 100, 'E', 'lottery', [15900, 'C', 3], 1400, 205],
    ['Cambodia', 'USD', 3, 1250, 14, 2012, 70, 'E', 'casino', null, 46, 12],
    ['Taiwan', 'TWD', 3, 3200, 28, 0, 66, 'M', 'lottery', [32.1, 'C', -0.3], 790, 20],
    ['Sri Lanka', 'LKR', 3, 290, 26, '-', 100, 'G', 'lottery', [302, 'C', 5.6], 99, 16],
    ['Kazakhstan', 'KZT', 3, 980, 66, 2010, 24, 'G', 'cee', [469, 'C', 5.6], 290, 14],
    ['Israel', 'ILS', 3, 1900, 34, 0, 48, 'G', 'lottery', [3.7, 'C', -1], 540, 6.8],
    ['United Arab Emirates', 'AED', 3, 420, 62, 2024, 88, 'G', 'lottery', [3.67, 'U', 0], 540, 8.6],
    ['Lebanon', 'USD', 3, 190, 30, '-', 100, 'D', 'casino', null, 24, 4],
  ],
  Africa: [
    ['South Africa', 'ZAR', 1, 3900, 58, 2010, 18, 'E', 'africa', [18.3, 'C', 4.3], 400, 45],
    ['Nigeria', 'NGN', 2, 1350, 62, 2012, 20, 'E', 'africa', [1480, 'C', 12.3], 190, 135],
    ['Kenya', 'KES', 2, 1000, 78, 2014, 14, 'E', 'africa', [135, 'C', 2.8], 120, 34],
    ['Morocco', 'MAD', 2, 700, 38, 0, 34, 'E', 'africa', [9.94, 'C', 0.2], 150, 26],
    ['Ghana', 'GHS', 3, 420, 62, 2013, 18, 'E', 'africa', [14.5, 'C', 14], 83, 21],
    ['Tanzania', 'TZS', 3, 310, 54, 2014, 14, 'E', 'africa', [2600, 'C', 4.5], 79, 37],
    ['Uganda', 'UGX', 3, 250, 48, 2016, 20, 'E', 'africa', [3760, 'C', 3.1], 54, 27],
    ['Ethiopia', 'ETB', 3, 190, 52, 2013, 20, 'E', 'africa', [72, 'C', 10.6], 140, 76],
    ['Zambia', 'ZMW', 3, 150, 52, 2014, 18, 'E', 'africa', [26, 'C', 8.5], 26, 11],
    ['Zimbabwe', 'USD', 3, 70, 42, 2015, 26, 'E', 'africa', null, 44, 9.2],
    ['Mozambique', 'MZN', 3, 120, 48, 2018, 26, 'E', 'africa', [63.9, 'C', 4.8], 22, 18],
    ['Senegal', 'XOF', 3, 260, 48, 2014, 16, 'E', 'africa', [606, 'E', 0], 32, 11],
    ["Côte d'Ivoire", 'XOF', 3, 360, 44, 2014, 16, 'E', 'africa', [606, 'E', 0], 87, 17],
    ['Cameroon', 'XAF', 3, 320, 46, 2014, 24, 'E', 'africa', [606, 'E', 0], 52, 16],
    ['Congo, Democratic Republic of', 'CDF', 3, 210, 36, 2016, 30, 'E', 'africa', [2800, 'C', 9.6], 71, 55],
    ['Egypt', 'EGP', 3, 310, 46, '-', 100, 'E', 'casino', [45.3, 'C', 10.2], 390, 75],
    ['Tunisia', 'TND', 3, 130, 42, '-', 100, 'E', 'africa', [3.11, 'C', 4.3], 52, 8.9],
    ['Mauritius', 'MUR', 3, 150, 36, 2010, 20, 'G', 'africa', [46.5, 'C', 2.5], 15, 1],
    ['Namibia', 'NAD', 3, 140, 34, 2019, 40, 'E', 'africa', [18.3, 'C', 4.3], 13, 1.8],
    ['Rwanda', 'RWF', 3, 65, 46, 2014, 20, 'E', 'africa', [1320, 'C', 4.4], 14, 8.5],
  ],
  'Latin America and Caribbean': [
    ['Brazil', 'BRL', 1, 9800, 68, 2025, 22, 'E', 'latam', [5.39, 'C', 2.7], 2200, 163],
    ['Mexico', 'MXN', 2, 5300, 36, 2010, 30, 'G', 'latam', [18.3, 'C', 2.5], 1850, 94],
    ['Argentina', 'ARS', 2, 4400, 38, 2019, 34, 'G', 'latam', [916, 'C', 31], 630, 35],
    ['Colombia', 'COP', 2, 2100, 42, 2016, 14, 'E', 'latam', [4070, 'C', 1.7], 420, 40],
    ['Chile', 'CLP', 2, 1900, 54, '-', 100, 'G', 'latam', [944, 'C', 1.5], 330, 15],
    ['Peru', 'PEN', 2, 1900, 52, 2024, 22, 'E', 'latam', [3.75, 'C', 0.4], 290, 24],
    ['Uruguay', 'UYU', 3, 420, 26, 0, 52, 'M', 'latam', [40.2, 'C', 1.7], 81, 2.6],
    ['Paraguay', 'PYG', 3, 200, 46, 2015, 22, 'E', 'latam', [7560, 'C', 0.8], 44, 4.7],
    ['Ecuador', 'USD', 3, 330, 70, 2024, 48, 'G', 'latam', null, 125, 13],
    ['Costa Rica', 'CRC', 3, 330, 34, '-', 100, 'G', 'latam', [515, 'C', 1.2], 95, 4],
    ['Panama', 'USD', 3, 560, 34, 2012, 28, 'G', 'latam', null, 86, 3.2],
    ['El Salvador', 'USD', 3, 90, 40, '-', 100, 'G', 'latam', null, 35, 4.6],
    ['Dominican Republic', 'DOP', 3, 1150, 30, 2024, 44, 'E', 'latam', [59.6, 'C', 3.2], 124, 8],
    ['Puerto Rico', 'USD', 3, 820, 14, 2022, 40, 'D', 'us0', null, 126, 2.7],
    ['Jamaica', 'JMD', 3, 300, 20, 0, 40, 'G', 'africa', [156, 'C', 4.8], 20, 2.2],
    ['Bahamas', 'BSD', 3, 420, 26, 2014, 8, 'G', 'casino', [1, 'U', 0], 15, 0.32],
    ['Curaçao', 'XCG', 3, 80, 12, 0, 60, 'M', 'casino', [1.79, 'U', 0], 3.4, 0.13],
  ],
  'North America': [
    ['United States', 'USD', 1, 150000, 23, 2013, 16, 'G', 'us', null, 29200, 268],
    ['Canada', 'CAD', 1, 15500, 31, 2010, 26, 'G', 'ca', [1.37, 'F', 0], 2240, 33],
  ],
  Oceania: [
    ['Australia', 'AUD', 1, 19500, 34, 2003, 10, 'M', 'au', [1.52, 'F', 0], 1790, 21.5],
    ['New Zealand', 'NZD', 2, 1750, 26, 2026, 42, 'M', 'au', [1.65, 'F', 0], 260, 4.1],
    ['Fiji', 'FJD', 3, 45, 42, '-', 100, 'G', 'lottery', [2.26, 'C', 0.8], 5.8, 0.65],
  ],
};

/** The currencies to which others are pegged. */
const WORLD_MONEY = { EUR: [1 / eurInUsd(BASE_YEAR), 'E', 0], USD: [1, 'U', 0] } as const;

/** Estimates in USD. None includes a Tracked country, so a region's total is the sum of all its countries. */
const AMALGAMATED: Readonly<Record<Region, readonly Line[]>> = {
  Europe: [['Rest of Europe', 'USD', 4, 1300, 48, 2010, 34, 'D', 'cee', null, 240, 11]],
  'Asia and Middle East': [
    ['Rest of Asia and Middle East', 'USD', 4, 4300, 54, '-', 82, 'E', 'lottery', null, 3700, 470],
  ],
  Africa: [['Rest of Africa', 'USD', 4, 1500, 52, '-', 55, 'E', 'africa', null, 640, 300]],
  'Latin America and Caribbean': [
    ['Rest of Latin America and Caribbean', 'USD', 4, 1900, 34, '-', 46, 'G', 'latam', null, 330, 36],
  ],
  'North America': [],
  Oceania: [['Rest of Oceania', 'USD', 4, 170, 16, '-', 60, 'G', 'au', null, 22, 1.6]],
};

/** Whether a country stands for the sum of a region's smallest markets. */
export const isAmalgamated = (country: Country): boolean => country.tier === 4;

/** Countries whose last reported year is 2024: they publish a year late. */
export const LATE_REPORTERS: readonly string[] = (
  'Bahamas|Belarus|Cameroon|Congo, Democratic Republic of|Curaçao|Egypt|Ethiopia|Fiji|Jamaica|Lebanon|' +
  'Moldova|Mozambique|Rwanda|Senegal|Tunisia|Zimbabwe'
).split('|');

export const COUNTRIES: readonly Country[] = REGIONS.flatMap((region) =>
  [...TRACKED[region], ...AMALGAMATED[region]].map((line) => countryOf(region, line)),
);

function countryOf(region: Region, line: Line): Country {
  const [name, currency, tier, ggr, online, from, offshore, shape, profile, money, gdp, adults] = line;
  const [unitsPerUsd, peg, yearlyLossPercent] = money ?? WORLD_MONEY[currency === 'EUR' ? 'EUR' : 'USD'];
  return {
    name,
    region,
    tier,
    currency,
    ggrUsd: ggr * 1e6,
    onlineShare: online / 100,
    regulatedFrom: from === 0 ? 'monopoly' : from === '-' ? 'never' : from,
    offshoreShare: offshore / 100,
    shape,
    profile,
    unitsPerUsd,
    peg,
    yearlyLoss: yearlyLossPercent / 100,
    gdpUsd: gdp * 1e9,
    adults: adults * 1e6,
  };
}
