// A first load warns of populations and GDPs that are not those of the country.

import { expect, it } from '@jest/globals';
import { economyOf } from '../../../../ingest/checks/indicators/economies.ts';
import { itInDepth } from '../../../support/depth.ts';
import { aMonth, filesOf } from '../../../support/month.ts';
import { aRow, publishRows, type Row } from '../../../support/snapshot.ts';

const YEARS = Array.from({ length: 12 }, (_, i) => 2014 + i);
const COUNTRIES = ['Norway', 'Germany', 'India', 'Türkiye', 'Rest of Europe'];

/** Indicators of the country's real size, or of a medium size when none is known. */
const sized = (country: string, people = country, times = 1): Row[] => {
  const { millions } = economyOf(people) ?? { millions: 10 };
  const { billions } = economyOf(country) ?? { billions: 300 };
  return YEARS.map((year, i) =>
    aRow('country', {
      ...{ country, year, gdp_local_currency: null, inflation: null },
      ...{
        gdp_usd: Number(billions) * 1e9 * (0.7 + i / 20) * times,
        adult_population: millions * 700_000 + i * 1000,
      },
    }),
  );
};

async function warningsOn(country: readonly Row[], published: readonly Row[] = []): Promise<string[]> {
  const month = await aMonth(filesOf({ country }));
  try {
    if (published.length > 0) await publishRows(month.dataDir, '2026-10.1', { country: published });
    const problems = await month.problems();
    return problems.filter((text) => text.includes('country.csv'));
  } finally {
    await month.remove();
  }
}

const others = COUNTRIES.slice(1).flatMap((country) => sized(country));
const line = 'warning country.csv › line 2, column';
const remedy = 'check the unit of the figures, and that they are those of this country';

it('people of another country are a warning, and right ones are none', async () => {
  expect(await warningsOn([...sized('Norway'), ...others])).toEqual([]);
  expect(await warningsOn([...sized('Norway', 'Italy'), ...others])).toEqual([
    `${line} adult_population: adult_population of Norway is 41.31 m, and it has about 5.5 m people; ${remedy}`,
  ]);
  expect(await warningsOn([...sized('Norway', 'Malta'), ...others])).toEqual([
    `${line} adult_population: adult_population of Norway is 390 k, and it has about 5.5 m people; ${remedy}`,
  ]);
});

it('a gross domestic product of ten times or a tenth is a warning', async () => {
  expect(await warningsOn([...sized('Norway', 'Norway', 10), ...others])).toEqual([
    `${line} gdp_usd: gdp_usd of Norway is 4.655 tn, and it has about 490 bn USD of gross domestic product; ${remedy}`,
  ]);
  expect(await warningsOn([...sized('Norway', 'Norway', 0.1), ...others])).toEqual([
    `${line} gdp_usd: gdp_usd of Norway is 46.55 bn, and it has about 490 bn USD of gross domestic product; ${remedy}`,
  ]);
});

it('figures of all people in place of adults are one warning for all countries, in a first load', async () => {
  const names = [
    ...[
      'Norway',
      'Germany',
      'India',
      'Türkiye',
      'Italy',
      'Spain',
      'France',
      'Chile',
      'Peru',
      'Japan',
      'Kenya',
    ],
    ...['Ghana', 'Poland', 'Latvia', 'Malta', 'Mexico', 'Brazil', 'Sweden', 'Cyprus', 'Greece'],
  ];
  /** Indicators of countries in which adults are this share of all people. */
  const indicatorsOf = (countries: readonly string[], share: number) =>
    countries
      .flatMap((country) => sized(country))
      .map((row) => ({ ...row, adult_population: (Number(row.adult_population) / 0.7) * share }));
  const all = indicatorsOf(names, 0.97);
  expect(await warningsOn(all)).toEqual([
    `${line} adult_population: adult_population is 97 % of all people in the median country, and adults are 45 to 87 %; check that the figures are those of adults, and not of all people`,
  ]);
  expect(await warningsOn(indicatorsOf(names, 0.87))).toEqual([]);
  expect(await warningsOn(indicatorsOf(names.slice(1), 0.97))).toEqual([]);
  expect(await warningsOn(all, all)).toEqual([]);
});

itInDepth(
  'a country that is new beside published ones is checked, and a published one is left to the guards',
  async () => {
    const wrong = sized('Norway', 'Italy');
    expect(await warningsOn([...wrong, ...others], others)).toEqual([
      expect.stringContaining('adult_population of Norway is 41.31 m'),
    ]);
    expect(await warningsOn([...wrong, ...others], [...wrong, ...others])).toEqual([]);
  },
);

it('a country is known by its usual names', () => {
  const names = ['Turkey', 'Turkiye', 'Türkiye'];
  expect(names.map((name) => economyOf(name)?.millions)).toEqual([85, 85, 85]);
  expect(economyOf('USA')).toBe(economyOf('United States'));
  expect(economyOf('Congo, Democratic Republic of')?.millions).toBe(100);
  expect(economyOf('Venezuela')).toEqual({ millions: 28, billions: null });
  expect(economyOf('Rest of Europe')).toBeUndefined();
});
