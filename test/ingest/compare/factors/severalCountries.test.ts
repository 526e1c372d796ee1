// Tests the limits of the search for one factor in several countries. One month has a product for each case.

import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Pattern } from '../../../../ingest/compare/patterns/patternTypes.ts';
import { aComparison } from '../../../support/comparedSnapshots.ts';
import { aRow, type Row } from '../../../support/snapshot.ts';

interface Cell {
  readonly country: number;
  readonly year: number;
  readonly fx: string;
  readonly value: number;
  readonly forecast?: boolean;
}

type By = (cell: Cell) => number;

/** The figures of a product, and the factor by which each of them changes. */
interface Case {
  readonly cells: readonly Cell[];
  readonly by: By;
  readonly forecast?: boolean;
  /** The unit to which its later figures are rounded. */
  readonly unit?: number;
  readonly found: readonly string[];
}

/** The figures of a product in countries numbered from `first` on. Each country has another currency in place of `own`. */
const cells = (
  countries: number,
  years = 3,
  currencies: readonly string[] = ['USD', 'own'],
  first = 0,
): Cell[] =>
  Array.from({ length: countries }, (_, i) => first + i).flatMap((country) =>
    Array.from({ length: years }, (_, y) => y).flatMap((y) =>
      currencies.map((fx, f) => ({
        country,
        year: 2018 + y,
        fx: fx === 'own' ? `XT${String.fromCharCode(65 + country)}` : fx,
        value: 123_456_789 + 23_456_787 * country + 3_456_781 * y + 34_567_891 * f,
      })),
    ),
  );

const OWN = ['own'];
/** Figures of six digits, whose factors are known less exactly. */
const small = (all: readonly Cell[]) => all.map((cell) => ({ ...cell, value: 100_001 + (cell.value % 977) }));
const steady: By = () => 1;
const pair = (what: string, factor: number, ...countries: readonly string[]) =>
  countries.map(
    (country) =>
      `${country} ${what}: ${factor}, as in ${countries.filter((one) => one !== country).join(' and ')}`,
  );

/** Each case has a factor of its own, so that no finding combines two cases. */
const CASES: Readonly<Record<string, Case>> = {
  'two countries': {
    cells: cells(2),
    by: () => 1.0123,
    found: pair('two countries: 6 of 6', 1.0123, 'A', 'B'),
  },
  'five countries': {
    cells: cells(5),
    by: () => 1.0133,
    found: pair('five countries: 6 of 6', 1.0133, 'A', 'B', 'C', 'D', 'E'),
  },
  'six countries': { cells: cells(6), by: () => 1.0143, found: ['six countries: 36 of 36: 1.0143'] },
  'two countries beside forecasts': {
    cells: [...cells(2), ...cells(2).map((cell) => ({ ...cell, year: cell.year + 10, forecast: true }))],
    by: ({ forecast }) => (forecast === true ? 1 : 1.0128),
    found: pair('two countries beside forecasts: 6 of 6', 1.0128, 'A', 'B'),
  },
  'five figures': {
    cells: cells(2).filter(({ year, fx }) => year > 2018 || fx === 'USD'),
    by: () => 1.0138,
    found: [],
  },
  'two years': { cells: cells(2, 2, ['USD', 'own', 'EUR']), by: () => 1.0153, found: [] },
  'one currency': { cells: cells(2, 6, ['USD']), by: () => 1.0163, found: [] },
  'a move of 0.52 %': {
    cells: cells(2),
    by: () => 1.0052,
    found: pair('a move of 0.52 %: 6 of 6', 1.0052, 'A', 'B'),
  },
  'a move of 0.48 %': { cells: cells(2), by: () => 1.0048, found: [] },
  'a fall': { cells: cells(2), by: () => 0.9873, found: pair('a fall: 6 of 6', 0.9873, 'A', 'B') },
  'one country that stayed in a year': {
    cells: cells(3),
    by: ({ country, year }) => (country === 1 && year === 2018 ? 1 : 1.0173),
    found: pair('one country that stayed in a year: 6 of 6', 1.0173, 'A', 'C'),
  },
  'one country beside a small figure that stayed': {
    cells: cells(2, 4).map((cell) =>
      cell.country === 1 && cell.year === 2018 ? { ...cell, value: 99_999 } : cell,
    ),
    by: ({ value }) => (value < 1e5 ? 1 : 1.0183),
    found: [
      'A one country beside a small figure that stayed: 8 of 8: 1.0183, as in B',
      'B one country beside a small figure that stayed: 6 of 6: 1.0183, as in A',
    ],
  },
  'one country beside a figure of the least size that stayed': {
    cells: cells(2, 4).map((cell) =>
      cell.country === 1 && cell.year === 2018 ? { ...cell, value: 100_000 } : cell,
    ),
    by: ({ value }) => (value <= 1e5 ? 1 : 1.0187),
    found: [],
  },
  'small figures': {
    cells: cells(2).map((cell) => ({ ...cell, value: 99_999 })),
    by: () => 1.0193,
    found: [],
  },
  'two factors': { cells: cells(2), by: ({ country }) => 1.0203 + 0.0005 * country, found: [] },
  'two factors, the larger first': {
    cells: cells(2),
    by: ({ country }) => 1.0263 - 0.0005 * country,
    found: [],
  },
  'two factors in a country': {
    cells: cells(3),
    by: ({ country, year }) => 1.0213 + (country === 1 && year === 2019 ? 1e-6 : 0),
    found: pair('two factors in a country: 6 of 6', 1.0213, 'A', 'C'),
  },
  // Rounded figures are explained by many factors, so that two countries of several have one by chance.
  'rounded figures': {
    cells: small(cells(2, 6)),
    by: () => 1.0223,
    unit: 10,
    found: pair('rounded figures: 12 of 12', 1.0223, 'A', 'B'),
  },
  'rounded figures beside nine other countries': {
    cells: small(cells(11, 6)),
    by: ({ country }) => 1.0353 + (country < 2 ? 0 : 0.0011 * country),
    unit: 10,
    found: [],
  },
  'rounded figures beside large ones': {
    cells: small(cells(11, 6)).map((cell) =>
      cell.country === 1 ? { ...cell, value: 1e4 * cell.value } : cell,
    ),
    by: ({ country }) => 1.0603 + (country < 2 ? 0 : 0.0011 * country),
    unit: 10,
    found: [],
  },
  'a country that only one of two others may have moved with': {
    cells: cells(3).map((cell) => ({ ...cell, value: cell.country === 0 ? 1e5 : 1e6 })),
    by: ({ country }) => [1.04231, 1.042307, 1.042312][country] ?? 1,
    found: pair('a country that only one of two others may have moved with: 6 of 6', 1.0423, 'A', 'B'),
  },

  // Two countries whose forecasts have one factor.
  'forecasts by 10.1 %': {
    cells: cells(2),
    by: () => 1.1012,
    forecast: true,
    found: pair('forecasts by 10.1 %, forecasts: 6 of 6', 1.1012, 'A', 'B'),
  },
  'forecasts by 9.9 %': { cells: cells(2), by: () => 1.0989, forecast: true, found: [] },

  // A factor of one year needs six countries and six currencies.
  'a year of six countries': {
    cells: cells(6, 1, OWN),
    by: () => 1.0313,
    found: ['a year of six countries: 6 of 6: 1.0313'],
  },
  'a year of six countries beside forecasts': {
    cells: [
      ...cells(6, 1, OWN),
      ...cells(6, 2, OWN).map((cell) => ({ ...cell, year: cell.year + 10, forecast: true })),
    ],
    by: ({ forecast }) => (forecast === true ? 1 : 1.0318),
    found: ['a year of six countries beside forecasts: 6 of 6: 1.0318'],
  },
  'a year of five countries': { cells: cells(5, 1, ['own', 'USD']), by: () => 1.0323, found: [] },
  'a year of six countries in five currencies': {
    cells: cells(6, 1, OWN).map((cell) => (cell.country === 5 ? { ...cell, fx: 'XTA' } : cell)),
    by: () => 1.0333,
    found: [],
  },
  'a year of six countries by 2.9 %': { cells: cells(6, 1, OWN), by: () => 1.0293, found: [] },
  'a fall of six countries by 3.1 %': {
    cells: cells(6, 1, OWN),
    by: () => 0.9687,
    found: ['a fall of six countries by 3.1 %: 6 of 6: 0.9687'],
  },
  'a year of six countries, small': {
    cells: cells(6, 1, OWN).map((cell) => ({ ...cell, value: cell.country === 2 ? 100_000 : cell.value })),
    by: () => 1.0341,
    found: ['a year of six countries, small: 6 of 6: 1.0341'],
  },
  'a year of six countries, too small': {
    cells: cells(6, 1, OWN).map((cell) => ({ ...cell, value: cell.country === 2 ? 99_999 : cell.value })),
    by: () => 1.0347,
    found: [],
  },
  'a year of six countries by nearly one factor': {
    cells: cells(6, 1, OWN),
    by: ({ country }) => 1.0363 * (1 + 0.000_018 * country),
    found: ['a year of six countries by nearly one factor: 6 of 6: 1.0364'],
  },
  'a year of six countries by another factor in one': {
    cells: cells(6, 1, OWN),
    by: ({ country }) => 1.0373 * (country === 5 ? 1.000_023 : 1),
    found: [],
  },
  'forecasts of a year of six countries by 10.1 %': {
    cells: cells(6, 1, OWN),
    by: () => 1.1022,
    forecast: true,
    found: ['forecasts of a year of six countries by 10.1 %, forecasts: 6 of 6: 1.1022'],
  },
  'forecasts of a year of six countries by 9.9 %': {
    cells: cells(6, 1, OWN),
    by: () => 1.0979,
    forecast: true,
    found: [],
  },
  // In the second of these two cases, a single figure has the factor of the six countries by chance. It must not be
  // found.
  'a year of six countries beside others': {
    cells: cells(6, 1, OWN),
    by: () => 1.0383,
    found: ['a year of six countries beside others: 6 of 6: 1.0383'],
  },
  'a figure of another product': {
    cells: cells(7, 4),
    by: ({ country, year, fx }) => (country === 6 && year === 2020 && fx === 'USD' ? 1.0383 : 1),
    found: [],
  },
  'that stays': { cells: cells(8, 4, ['USD', 'own', 'EUR']), by: steady, found: [] },
};

type Changed = Omit<Case, 'found'>;

const nameOf = (country: number) => String.fromCharCode(65 + country);

const textOf = ({
  place: { country, product, ...rest },
  forecast,
  cells: n,
  of,
  ratio,
  between,
}: Pattern) => {
  const parts = [country, product, ...Object.values(rest)].filter((one) => one !== undefined).join(' ');
  const others = between?.pairs.map(({ from }) => from).join(' and ');
  return `${parts}${forecast ? ', forecasts' : ''}: ${n} of ${of}: ${ratio?.toFixed(4)}${others === undefined ? '' : `, as in ${others}`}`;
};

const rowsOf = (
  product: string,
  { cells: all, by, forecast = false, unit = 1 }: Changed,
  isAfter: boolean,
  more: Row = {},
): Row[] =>
  all.map((cell) => {
    const { fx, year } = cell;
    const temporal = (cell.forecast ?? forecast) ? 'Forecast' : 'Current';
    const figure = isAfter ? Math.round((cell.value * by(cell)) / unit) * unit : cell.value;
    return aRow('ggr', { country: nameOf(cell.country), product, fx, year, temporal, ggr: figure, ...more });
  });

const factorsIn = async (side: (isAfter: boolean) => Row[]) => {
  const { datasets } = await aComparison({ ggr: side(false) }, { ggr: side(true) });
  return datasets.ggr.patterns.filter(({ family }) => family === 'factor');
};

describe('a product of several countries', () => {
  let found: readonly Pattern[] = [];
  beforeAll(async () => {
    found = await factorsIn((isAfter) =>
      Object.entries(CASES).flatMap(([product, one]) => rowsOf(product, one, isAfter)),
    );
  });

  it.each(Object.entries(CASES))('%s', (product, one) => {
    expect(found.filter(({ place }) => place.product === product).map(textOf)).toEqual(one.found);
  });

  it('is the place of each of them', () => {
    expect(found.filter(({ place }) => !(String(place.product) in CASES)).map(textOf)).toEqual([]);
  });
});

describe('whole countries and channels', () => {
  const found = async (products: Readonly<Record<string, Changed & { readonly channel?: string }>>) => {
    const patterns = await factorsIn((isAfter) =>
      Object.entries(products).flatMap(([product, { channel = 'Online', ...one }]) =>
        rowsOf(product, one, isAfter, { channel }),
      ),
    );
    return patterns.map(textOf);
  };
  const rest = { cells: cells(8), by: steady };
  const of =
    (factor: number, ...countries: number[]): By =>
    ({ country }) =>
      countries.includes(country) ? factor : 1;

  it('are one finding for each country, also about its products', async () => {
    const by = of(1.0123, 0, 1);
    expect(await found({ Bingo: { cells: cells(8), by }, Poker: { cells: cells(8), by } })).toEqual([
      'A: 12 of 12: 1.0123, as in B',
      'B: 12 of 12: 1.0123, as in A',
    ]);
  });

  it('need two products in a country, else they are a product', async () => {
    const by = of(1.0123, 0, 1);
    const others = cells(6, 3, ['USD', 'own'], 2);
    expect(await found({ Bingo: { cells: cells(8), by }, Poker: { cells: others, by } })).toEqual([
      'A Bingo: 6 of 6: 1.0123, as in B',
      'B Bingo: 6 of 6: 1.0123, as in A',
    ]);
    const more = cells(7, 3, ['USD', 'own'], 1);
    expect(await found({ Bingo: { cells: cells(8), by }, Poker: { cells: more, by } })).toEqual([
      'A: 6 of 6: 1.0123, as in B',
      'B: 12 of 12: 1.0123, as in A',
    ]);
  });

  it('are markets of one country each, where no place of several countries moved', async () => {
    const products = Array.from({ length: 6 }, (_, i) => {
      const isIt: By = ({ country, year, fx }) =>
        country === i && year === 2018 && fx !== 'USD' ? 1.0393 : 1;
      return [`P${i}`, { cells: cells(8), by: isIt }] as const;
    });
    const each = ['A', 'B', 'C', 'D', 'E', 'F'].map((country, i) => `${country} P${i} 2018: 1 of 2: 1.0393`);
    expect((await found(Object.fromEntries(products))).toSorted()).toEqual(each);
  });

  it('are a channel of two countries', async () => {
    const retail = { cells: cells(8), by: of(1.0123, 0, 1), channel: 'Retail' };
    expect(await found({ Bingo: retail, Poker: retail, Lotto: rest })).toEqual([
      'A Retail: 12 of 12: 1.0123, as in B',
      'B Retail: 12 of 12: 1.0123, as in A',
    ]);
  });

  it('are one finding about six countries', async () => {
    const by = of(1.0123, 0, 1, 2, 3, 4, 5);
    const steadily = { cells: cells(8), by };
    expect(await found({ Bingo: steadily, Poker: steadily })).toEqual([': 72 of 96: 1.0123']);
  });

  it('explain products of other countries that moved by their factor, and by no other one', async () => {
    const products = (factor: number) => ({
      Bingo: { cells: cells(8), by: (cell: Cell) => of(1.0123, 0, 1)(cell) * of(factor, 2, 3)(cell) },
      Poker: { cells: cells(8), by: of(1.0123, 0, 1) },
    });
    const countries = ['A: 12 of 12: 1.0123, as in B', 'B: 12 of 12: 1.0123, as in A'];
    expect(await found(products(1.0123 * (1 + 1.9e-5)))).toEqual(countries);
    expect(await found(products(1.0123 * (1 + 2.1e-5)))).toEqual([
      ...countries,
      'C Bingo: 6 of 6: 1.0123, as in D',
      'D Bingo: 6 of 6: 1.0123, as in C',
    ]);
  });
});

describe('half of all figures', () => {
  /** What is found in eight countries, each with its own currency, if the figures for which `is` is true have a factor. */
  const found = async (factor: number, is: (cell: Cell) => boolean, more: readonly Cell[] = []) => {
    const all = [...cells(8, 2, OWN), ...more];
    const by: By = (cell) => (is(cell) ? factor * (1 + 4e-6 * (cell.country % 2)) : 1);
    return (await factorsIn((isAfter) => rowsOf('Bingo', { cells: all, by }, isAfter))).map(textOf);
  };
  const sixOf8 = ({ country }: Cell) => country < 6;
  const inOneYear = ({ year }: Cell) => year === 2018;

  it('moved by one factor from 0.05 % on', async () => {
    expect(await found(1.00053, sixOf8)).toEqual([': 12 of 16: 1.0005']);
    expect(await found(1.00047, sixOf8)).toEqual([]);
    expect(await found(0.99947, sixOf8)).toEqual([': 12 of 16: 0.9995']);
  });

  it('are half of those that could have moved', async () => {
    expect(await found(1.00053, inOneYear)).toEqual(['2018: 8 of 8: 1.0005']);
    expect(
      await found(
        1.00053,
        inOneYear,
        cells(1, 1, ['EUR']).map((cell) => ({ ...cell, year: 2020 })),
      ),
    ).toEqual([]);
    expect(
      await found(
        1.00053,
        inOneYear,
        cells(1, 1, ['EUR']).map((cell) => ({ ...cell, year: 2020, value: 0 })),
      ),
    ).toHaveLength(1);
  });

  it('are of six countries and currencies', async () => {
    expect(await found(1.00053, ({ country }) => country < 5)).toEqual([]);
  });
});
