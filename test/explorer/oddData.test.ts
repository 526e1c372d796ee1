// Published data that is unlike the sample: years without rows, many states, few countries, missing rows.

import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { createExplorer } from '../../src/http/pages/serveExplorer.ts';
import { openBrowser } from '../support/browser.ts';
import { itInDepth, some } from '../support/depth.ts';
import { type ServerWithKeys, startServerWithKeys } from '../support/serverWithKeys.ts';
import { aDataDir, aRow, countryReference, publishRows } from '../support/snapshot.ts';
import { answered, goTo, type Stay, staying, visiting } from './visiting.ts';

let browser: Browser;
let server: ServerWithKeys;
let remove: () => Promise<void>;
/** The browser window that all questions share. */
let stay: Stay;

/** A row in US dollars for each year. */
const yearly = (country: string, years: readonly number[], changes = {}) =>
  years.map((year) => aRow('ggr', { fx: 'USD', country, year, ggr: 1000 + year, ...changes }));

/** A country with a forecast for a year between reported ones. */
const BETWEEN = [2021, 2022, 2023].map((year) =>
  aRow('ggr', { fx: 'USD', country: 'Between', year, temporal: year === 2022 ? 'Forecast' : 'Current' }),
);

/** The longest possible name of a country. */
const LONG = `Zw${'abcdefghij'.repeat(48)}`;

const STATES = Array.from({ length: 14 }, (_, i) => `State ${String(i + 1).padStart(2, '0')}`);

const COMMON = [
  ...yearly('Gapland', [2020, 2021, 2023, 2024]),
  ...BETWEEN,
  ...yearly('Malta', [2020, 2021, 2022, 2023, 2024]),
  ...yearly('Chile', [2022, 2023, 2024]),
  // The number of countries doubles every second year.
  ...Array.from({ length: 32 }, (_, i) =>
    yearly(
      `African ${i}`,
      [2010, 2011, 2012, 2013, 2014, 2015, 2016, 2017, 2018, 2019, 2020, 2021].slice(
        2 * Math.ceil(Math.log2(i + 1)),
      ),
      { region: 'Africa' },
    ),
  ).flat(),
  ...yearly(LONG, [2023, 2024], { region: 'Oceania' }),
  ...yearly('Lossland', [2023, 2024], { ggr: -5 }),
  ...yearly('Union', [2023, 2024], { ggr: 90_000 }),
  ...yearly('Alone', [2023, 2024], { state: 'Half of it', region: 'Oceania' }),
  // The year of the ranking, 2023, has rows of the whole country.
  ...yearly('Later', [2022], { state: 'A part', region: 'Oceania' }),
  ...yearly('Later', [2023, 2024], { region: 'Oceania' }),
  ...yearly('Former', [2021], { state: 'A part', region: 'Oceania' }),
  ...STATES.flatMap((state, i) => yearly('Union', [2023, 2024], { state, ggr: 1000 + i })),
];

/**
 * Inflation has no value at all. Malta has no GDP in local currency and none in USD for 2022. Spain's values are
 * estimates.
 */
const INDICATORS = ['Malta', 'Spain'].flatMap((country) =>
  [2022, 2023].map((year) =>
    aRow('country', {
      country,
      year,
      calculation: country === 'Malta' ? 'Reported' : 'Estimated',
      inflation: null,
      gdp_local_currency: country === 'Malta' ? null : 5,
      gdp_usd: country === 'Malta' && year === 2022 ? null : 7,
    }),
  ),
);

/** Two of three islands have no value for the last year. */
const ISLANDS = ['Fiji', 'Nauru', 'Tonga'].flatMap((country) =>
  [2022, 2023].map((year) =>
    aRow('country', {
      country,
      year,
      region: 'Oceania',
      inflation: null,
      gdp_local_currency: null,
      gdp_usd: country === 'Fiji' || year === 2022 ? 7 : null,
      adult_population: 5,
    }),
  ),
);

/**
 * More countries than a chart draws. The last year has values of other metrics alone, the one before has reported and
 * estimated values, and the first one has a single value.
 */
const MIXED = Array.from({ length: 13 }, (_, i) =>
  ['2022 Reported', '2023 Reported', '2023 Estimated', '2024 Reported'].map((text) => {
    const [year, calculation = ''] = text.split(' ');
    const gdp_usd = year === '2024' ? null : 100 + i;
    return aRow('country', { country: `Mixed ${i + 10}`, year: Number(year), calculation, gdp_usd });
  }),
).flat();

/** Names that are too wide for a chart, and differ at their ends alone. */
const ALIKE = [1, 2, 3, 4].map((i) =>
  aRow('fx', {
    country: `The Democratic and Independent Republic of Somewhere Far Away ${i}`,
    fx_current_usd: i,
  }),
);

/** More countries than the address of a request can name. */
const MANY = Array.from({ length: 28 }, (_, i) =>
  aRow('turnover', { country: `${i} ${'x'.repeat(400)}`, year: 2024, fx: 'EUR', turnover: 100 + i }),
);

beforeAll(async () => {
  const { dataDir, ...rest } = await aDataDir();
  ({ remove } = rest);
  const late = yearly('Spain', [2022, 2023, 2024]);
  const kenya = (ggr: number) => yearly('Kenya', [2024], { temporal: 'Forecast', ggr });
  const peru = yearly('Peru', [2023, 2024]);
  const bingo = yearly('Peru', [2024], { product: 'Bingo', temporal: 'Forecast' });
  await publishRows(dataDir, '2026-08.1', { turnover: [] });
  await publishRows(dataDir, '2026-09.1', {
    country: ISLANDS,
    country_reference: countryReference(['Nauru', 'Tonga']).concat(
      aRow('country_reference', { country: 'Fiji', country_type: 'Amalgamated' }),
    ),
    ggr: [...peru, ...bingo],
  });
  await publishRows(dataDir, '2026-10.1', {
    ggr: [...COMMON, ...late, ...kenya(7), ...yearly('Spain', [2021])],
    country: MIXED,
  });
  await publishRows(dataDir, '2026-11.1', {
    ggr: [...COMMON, ...late, ...kenya(8)],
    turnover: MANY,
    country: INDICATORS,
    fx: ALIKE,
  });
  const pages = [createExplorer(path.resolve('dist/explorer'))];
  // One window asks all questions with one key, so the key needs a higher limit.
  const limits = { perMinute: 1000 };
  [browser, server] = await Promise.all([openBrowser(), startServerWithKeys({ dataDir, pages, limits })]);
  stay = await staying({ browser, url: server.url, key: await server.key() });
});
afterAll(async () => {
  await stay?.leave();
  await server?.close();
  await remove?.();
});

/** Opens a question, waits for its answer, and runs `act`. */
const asking = (question: string, act: (page: Page) => Promise<void>) => async () => {
  const page = await stay.goTo(`/?${question}`);
  await answered(page);
  await act(page);
};

const shownIn = async (page: Page, selector: string) =>
  ((await page.locator(selector).allTextContents()) ?? []).join(' ');

it(
  'a filter lists the countries last that the data calls amalgamated, whatever their names are',
  asking('dataset=country&metric=gdp_usd&as-of=2026-09.1', async (page) => {
    const picker = page.locator('.picker', { hasText: 'Country' });
    await picker.locator('summary').click();
    await picker.locator('.choice bdi').first().filter({ hasText: 'Nauru' }).waitFor();
    expect(await picker.locator('.choice bdi').allTextContents()).toEqual(['Nauru', 'Tonga', 'Fiji']);
    await picker.locator('summary').click();
  }),
);

describe('a year in which a country has no row at all', () => {
  it(
    'is a gap in its line, counts as missing, and can be read as one',
    asking('country=Gapland&by=none', async (page) => {
      const lines = await page
        .locator('.chart path[d]')
        .evaluateAll((paths) => paths.map((one) => (one.getAttribute('d') ?? '').split('M').length - 1));
      expect(Math.max(...lines)).toBe(2);
      expect(await shownIn(page, '.summary')).toContain('1 value is missing');
      await page.getByLabel('Year', { exact: true }).fill('2022');
      await page.locator('.readout-year', { hasText: '2022' }).waitFor();
      expect(await shownIn(page, '.readout-value')).toBe('–');
    }),
  );
});

it(
  'a forecast between reported years has a line on both sides',
  asking('country=Between&by=none', async (page) => {
    const lines = await page
      .locator('.chart path[d]')
      .evaluateAll((paths) => paths.map((one) => one.getAttribute('d') ?? ''));
    expect(lines.filter((d) => d.split('L').length === 3)).toHaveLength(1);
  }),
);

it(
  'a chart by reported or forecast counts only years with neither as missing',
  asking('country=Between&by=temporal', async (page) => {
    expect(await shownIn(page, '.summary')).not.toContain('missing');
    await goTo(page, '/?country=Gapland&by=temporal');
    await page.getByRole('heading', { name: 'Gapland' }).waitFor();
    await answered(page);
    expect(await shownIn(page, '.summary')).toContain('1 value is missing');
  }),
);

it(
  'countries that begin after the period are not in its chart, not even as missing values',
  asking('region=Europe&by=country&from=2020&to=2021', async (page) => {
    expect((await page.locator('.readout-name').allTextContents()).sort()).toEqual([
      'Between',
      'Gapland',
      'Malta',
      'Total',
    ]);
    expect(await shownIn(page, '.summary')).toContain('1 value is missing');
  }),
);

it(
  'chosen countries without any row are not counted as others',
  asking(
    `region=Europe&country=Malta&country=Chile&${Array.from({ length: 12 }, (_, i) => `country=African ${i}`).join('&')}`,
    async (page) => {
      expect((await page.locator('.readout-name').allTextContents()).sort()).toEqual([
        'Chile',
        'Malta',
        'Total',
      ]);
      expect(await shownIn(page, '.notes')).not.toContain('more');
    },
  ),
);

describe('the years of a chart that ends early', () => {
  it.each([
    ['region=Africa&by=none&to=2013', '2012–2013'],
    ['region=Africa&by=none&year=2010&year=2020&to=2015', '2010–2015'],
  ])('begin with the full coverage of the years until then, whatever comes later: %s', (question, years) =>
    asking(question, async (page) => {
      expect(await shownIn(page, '.headline p')).toMatch(new RegExp(`US dollars, ${years}, `));
    })(),
  );
});

describe('a jump in coverage of chosen countries', () => {
  it(
    'names those that begin among them, and no other',
    asking('country=Malta&country=Spain&from=2020', async (page) => {
      expect(await shownIn(page, '.notes')).toContain('2022: 1 country begins (Spain)');
    }),
  );
});

it(
  'a change is not stated across the last jump in coverage, however many there are before',
  asking('region=Africa&by=none&from=2010', async (page) => {
    expect(await shownIn(page, '.summary')).toContain('in 2021, almost unchanged since 2020');
    expect(await shownIn(page, '.notes')).toContain('2020: 16 countries begin');
  }),
);

it(
  'countries that one request cannot name are counted, and not summed',
  asking('dataset=turnover&by=country', async (page) => {
    expect(await page.locator('.readout-name').count()).toBe(8);
    expect(await shownIn(page, '.notes')).toContain('20 more are not drawn. They are too many for one sum');
  }),
);

describe('a country of more states than a chart can draw', () => {
  it(
    'is drawn by its largest states, and says how many are not drawn',
    asking('country=Union&by=state', async (page) => {
      expect(await page.locator('.chart .series-label').count()).toBe(8);
      expect(await shownIn(page, '.readout')).toContain('State 14');
      expect(await shownIn(page, '.notes')).toContain('6 more are not drawn');
      expect(await page.locator('.readout .is-total').count()).toBe(0);
    }),
  );
});

describe('a name of hundreds of letters', () => {
  for (const width of [360, 1440])
    itInDepth(`is never wider than a window of ${width} px`, async () => {
      const options = { viewport: { width, height: 780 } };
      await visiting({ browser, url: server.url, key: await server.key(), options }, async ({ page }) => {
        for (const address of [
          `?country=${LONG}&by=none`,
          `?country=${LONG}&view=table`,
          `country/${LONG}`,
        ]) {
          await page.goto(`${server.url}/${address}`);
          await page.locator('.answer[aria-busy=false], .year-table').waitFor();
          expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
        }
      });
    });
});

describe('names that differ at their ends alone', () => {
  it.each(some(['lines', 'bars', 'multiples'], 1))(
    'differ in %s, where no name touches another',
    async (chart) => {
      const page = await stay.goTo(`/?dataset=fx&chart=${chart}`);
      await answered(page);
      const texts = page.locator('.chart text', { hasText: '…' });
      expect((await texts.allTextContents()).map((text) => text.slice(-2))).toEqual(
        expect.arrayContaining([' 1', ' 2', ' 3', ' 4']),
      );
      const boxes = await Promise.all((await texts.all()).map((text) => text.boundingBox()));
      for (const [i, a] of boxes.entries())
        for (const b of boxes.slice(0, i))
          if (a !== null && b !== null && Math.abs(a.y - b.y) < 8)
            expect(Math.max(a.x - b.x - b.width, b.x - a.x - a.width)).toBeGreaterThan(4);
    },
  );
});

describe('a filter on years', () => {
  it(
    'leaves no other year: neither in the rows that are counted, nor as missing values',
    asking('country=Malta&year=2021&year=2023', async (page) => {
      expect(await shownIn(page, '.export-panel')).toMatch(
        /2 rows of \d{4}–\d{4}, not split, not added up\. Or/,
      );
      expect(await shownIn(page, '.headline')).toContain('2021–2023');
      expect(await shownIn(page, '.summary')).not.toContain('missing');
    }),
  );

  it.each(some(['from=2027', 'to=2019'], 1))(
    'is empty with a period beyond all rows (%s), and says so',
    (period) =>
      asking(`country=Malta&${period}&view=table`, async (page) => {
        await page.getByRole('heading', { name: 'No rows have all of this together' }).waitFor();
        await page.getByRole('button', { name: 'All years: up to 5 rows' }).waitFor();
      })(),
  );
});

describe('rows without a value', () => {
  const NO_VALUES: readonly (readonly [question: string, words: string])[] = [
    [
      'metric=inflation',
      'None of the 4 rows has a value of inflation. This snapshot has no value of it in any row.',
    ],
    ['metric=inflation&chart=bars', 'None of the 4 rows has a value of inflation.'],
    ['metric=inflation&country=Malta&year=2022', 'The row has no value of inflation.'],
    ['metric=gdp_local_currency&country=Malta', 'in local currency. Other rows of this snapshot have one.'],
  ];
  it.each(some(NO_VALUES, 1))(
    'are said to have none, in place of axes with invented values: %s',
    (question, words) =>
      asking(`dataset=country&${question}`, async (page) => {
        expect(await shownIn(page, '.notice')).toContain(words);
        expect(await page.locator('svg.plot, .chart, .controls').count()).toBe(0);
        expect(await shownIn(page, '.export-panel')).not.toContain('picture');
      })(),
  );

  itInDepth(
    'have no invented axis among small charts either',
    asking('dataset=country&metric=gdp_local_currency', async (page) => {
      expect(await page.locator('.chart text', { hasText: 'No values' }).count()).toBe(1);
      expect(await page.locator('.chart text', { hasText: /^0\.5$/ }).count()).toBe(0);
    }),
  );
});

it(
  'sums that would mix reported and estimated values in every year are said to be none, not missing values',
  asking('dataset=country&metric=gdp_usd&by=none', async (page) => {
    expect(await shownIn(page, '.notice')).toContain('No sums');
    expect(await shownIn(page, '.notice')).not.toContain('None of the');
    await page.getByRole('button', { name: 'Show reported only' }).click();
    await page.locator('.chart svg').waitFor();
  }),
);

it(
  'countries are ranked by the last year that has sums, and none of them is drawn again in the sum of the others',
  asking('dataset=country&metric=gdp_usd&by=country&chart=areas&as-of=2026-10.1', async (page) => {
    expect(await page.locator('.readout-name').allTextContents()).toEqual(
      Array.from({ length: 8 }, (_, i) => `Mixed ${22 - i}`),
    );
    expect(await shownIn(page, '.notes')).toContain('5 more are not drawn.');
  }),
);

it(
  'missing values are said to be of all years where the period is shorter',
  asking('dataset=country&metric=gdp_usd&country=Malta&country=Spain&from=2023', async (page) => {
    expect(await shownIn(page, '.notes')).toContain(
      '1 value is missing in the source, in all years together,',
    );
  }),
);

it(
  'a year in which sums lack many values is a jump in coverage, and the notes say how many',
  asking('dataset=country&metric=gdp_usd&by=region&as-of=2026-09.1', async (page) => {
    expect(await shownIn(page, '.notes')).toContain(
      '2 values of 2023 and 0 of 2022 are missing in the source. The change is coverage.',
    );
    expect(await shownIn(page, '.summary')).toContain('Coverage changes in 2023.');
  }),
);

it(
  'a stack of one year is refused: it would have no width',
  asking('by=region&country=Malta&country=Chile&from=2024&to=2024&chart=areas', async (page) => {
    expect(await shownIn(page, '.controls')).toContain('Not stacked: There is only one year');
    expect(await page.locator('.chart circle, .chart path[d]').count()).toBeGreaterThan(0);
  }),
);

it(
  'a stack is refused for values below zero, and not as if some were missing',
  asking('country=Lossland&country=Malta&from=2023', async (page) => {
    expect(await shownIn(page, '.controls')).toContain('Not stacked: Some values are below zero');
  }),
);

it(
  'countries that have only forecasts of a year are named where a filter leaves forecasts out',
  asking('temporal=Current&by=region&from=2023', async (page) => {
    expect(await shownIn(page, '.left-out')).toContain(
      'Not in all of the sums: Between and Kenya. In a year or more, the filter “Reported or forecast” leaves out all their rows.',
    );
    await goTo(page, '/?temporal=Current&from=2020&view=compare');
    await page.locator('.notes', { hasText: 'Not in all of the sums: Between and Kenya.' }).waitFor();
  }),
);

it(
  'a year with forecasts of a single country is not said to lack other countries',
  asking('country=Peru&by=none&as-of=2026-09.1', async (page) => {
    expect(await shownIn(page, '.notes')).toContain(
      '2024: some values are forecasts, because not all are reported yet.',
    );
  }),
);

it(
  'a dataset without any row is said to have none, and no filter is offered to drop',
  asking('dataset=turnover&as-of=2026-08.1', async (page) => {
    await page.getByRole('heading', { name: 'This snapshot has no rows of turnover' }).waitFor();
    expect(await page.locator('.notice button').count()).toBe(0);
    expect(await page.locator('.export-panel .quiet').first().textContent()).toBe('0 rows.');
  }),
);

it(
  'a value that never changes is not called the lowest of another year',
  asking('country=Union&by=none', async (page) => {
    expect(await shownIn(page, '.summary')).toMatch(/ unchanged since 2023\.$/);
  }),
);

it('only the title of a chart names the dimension that divides it', async () => {
  const page = await stay.goTo('/?by=region');
  await answered(page);
  expect(await page.title()).toBe('Gross gaming revenue by region · Gambling data explorer');
  for (const view of ['table', 'compare']) {
    await goTo(page, `/?by=region&view=${view}`);
    await page.locator(`.${view}-view`).waitFor();
    expect(await page.title()).toBe('Gross gaming revenue · Gambling data explorer');
  }
});

describe('countries of which some rows are of states alone', () => {
  it.each(some(['country=Alone', 'country=Alone&all=state'], 1))(
    'are named with the state where it is the only one, so that it does not look like the country (%s)',
    (question) =>
      asking(question, async (page) => {
        expect(await shownIn(page, 'h1')).toBe('Gross gaming revenue, Alone, Half of it, by product');
      })(),
  );

  itInDepth('have a page that names the state, without a place among countries', async () => {
    const page = await stay.goTo('/country/Alone');
    await page.locator('.key-figures').waitFor();
    expect(await shownIn(page, '.entity-body')).toContain('All figures are of Half of it');
    expect(await shownIn(page, '.key-figures')).not.toContain('Place among');
  });

  it(
    'are named beside a ranking, although its year has rows of the whole country',
    asking('by=country', async (page) => {
      expect(await shownIn(page, '.left-out')).toContain('Not in all of the sums: Alone, Former and Later.');
    }),
  );

  itInDepth('are named on the page of a product, and of another country beside its place', async () => {
    const page = await stay.goTo('/product/Sport%20Betting');
    await page.locator('.key-figures').waitFor();
    expect(await shownIn(page, '.entity-body')).toContain('Not in all of the sums: Alone, Former and Later.');
    await stay.goTo('/country/Malta');
    await page.getByText('Not ranked: Alone. In 2024, its rows are of states alone').waitFor();
  });
});

describe('data without the countries and the currency that are usual', () => {
  /** Loads the page with the question. Fails when a request of the page is refused. */
  const loading = (question: string, act: (page: Page) => Promise<void>) => async () =>
    visiting({ browser, url: server.url, key: await server.key() }, async ({ page }) => {
      const refused: string[] = [];
      page.on('response', (response) => {
        if (response.status() >= 400) refused.push(response.url());
      });
      await page.goto(`${server.url}/?${question}`);
      await answered(page);
      expect(refused).toEqual([]);
      await act(page);
    });

  it(
    'is drawn with those that it has, without a request that is refused for the sake of a default',
    loading('dataset=fx', async (page) => {
      expect(await shownIn(page, '.notice')).toBe('');
      expect(await shownIn(page, '.readout')).toContain('Somewhere Far Away');
    }),
  );

  it(
    'is counted in the only currency of turnover, without a refused request',
    loading('dataset=turnover', async (page) => {
      expect(await shownIn(page, '.headline')).toContain('Euros');
    }),
  );
});

it.each(some(['table', 'compare', 'about'], 1))(
  'a lookup has no years: a period of the dataset before is left out (%s)',
  (view) =>
    asking(`dataset=country_reference&from=2020&view=${view}`, async (page) => {
      await page.locator('.answer h1').first().waitFor();
      expect(await shownIn(page, '.notice.warning')).toBe('');
      expect(await shownIn(page, '.export-panel')).toContain('1 row. Or');
    })(),
);

describe('a comparison of two snapshots', () => {
  it(
    'has the years that only the older one has',
    asking('country=Spain&view=compare', async (page) => {
      await page.locator('.compare-view .summary').waitFor();
      expect(await shownIn(page, '.compare-view')).toContain('1 removed');
      // A forecast that is now reported is a removed row together with an added one. Here only one of them exists.
      expect(await shownIn(page, '.compare-view')).not.toContain('forecast that is now reported');
      expect(await shownIn(page, '.compare-view .summary')).toContain('2021–2024');
    }),
  );

  it(
    'of which both are the same one says so, under the name of the data',
    asking('dataset=country_reference&view=compare&since=2026-11.1', async (page) => {
      await page.locator('.compare-view .notice').waitFor();
      expect(await shownIn(page, '.compare-view h1')).toBe('What changed in countries and regions');
      expect(await shownIn(page, '.compare-view .notice')).toContain('This is the same snapshot');
    }),
  );

  it(
    'marks a revised forecast as one',
    asking('country=Kenya&view=compare', async (page) => {
      await page.locator('.compare-view tbody tr').first().waitFor();
      expect(await shownIn(page, '.compare-view tbody tr')).toMatch(
        /^2024 · Kenya · .* · Forecast78\+1 \(\+14\.3\s%\)$/,
      );
      expect(await shownIn(page, '.compare-view .summary')).toMatch(
        /of gross gaming revenue, Kenya, in US dollars, 2024: 7 in 2024 by 2026-10.1, 8 by 2026-11.1, 1 more.$/,
      );
    }),
  );

  it(
    'names the countries that its sums leave out',
    asking('country=Alone&country=Kenya&view=compare', async (page) => {
      await page.locator('.compare-view .summary').waitFor();
      expect(await shownIn(page, '.compare-view .notes')).toBe(
        'Not in all of the sums: Alone. It has rows of states alone in a year or more.',
      );
    }),
  );

  it(
    'gives no difference to a value that is missing',
    asking('country=Spain&view=compare&to=2021', async (page) => {
      await page.locator('.compare-view .summary').waitFor();
      expect(await shownIn(page, '.compare-view .summary')).toMatch(
        /3,021 in 2021 by 2026-10.1, no value by 2026-11.1.$/,
      );
    }),
  );
});

itInDepth(
  'snapshots whose publication the history lacks, as after a partial restore, are shown without its date in any view',
  async () => {
    const { dataDir, remove: removeIt } = await aDataDir();
    for (const id of ['2026-10.1', '2026-11.1']) await publishRows(dataDir, id, { ggr: COMMON });
    await rm(path.join(dataDir, 'history.jsonl'));
    const restored = await startServerWithKeys({
      dataDir,
      pages: [createExplorer(path.resolve('dist/explorer'))],
    });
    try {
      await visiting({ browser, url: restored.url, key: await restored.key() }, async ({ page }) => {
        for (const view of some(['compare', 'chart', 'table', 'code', 'about'], 2)) {
          await page.goto(`${restored.url}/?country=Malta&view=${view}`);
          await answered(page);
          await page.locator('.view h1').first().waitFor();
          expect([view, await shownIn(page, '.view')]).not.toEqual([
            view,
            expect.stringContaining('published'),
          ]);
        }
      });
    } finally {
      await restored.close();
      await removeIt();
    }
  },
);

itInDepth(
  'a comparison says that there is nothing to compare with where only one snapshot is retained, and nothing else',
  async () => {
    const { dataDir, remove: removeIt } = await aDataDir();
    await publishRows(dataDir, '2026-11.1', { ggr: COMMON });
    const alone = await startServerWithKeys({
      dataDir,
      pages: [createExplorer(path.resolve('dist/explorer'))],
    });
    try {
      await visiting({ browser, url: alone.url, key: await alone.key() }, async ({ page }) => {
        await page.goto(`${alone.url}/?country=Malta&view=compare`);
        await answered(page);
        await page.getByText('Only one snapshot is retained').waitFor();
        await page.waitForLoadState('networkidle');
        expect(await page.locator('.notice, .compare-view select').count()).toBe(1);
      });
    } finally {
      await alone.close();
      await removeIt();
    }
  },
);

it(
  'the rows of a whole dataset are those of the snapshot that is shown',
  asking('country=Malta&as-of=2026-10.1', async (page) => {
    expect(await shownIn(page, '.export-panel')).toContain(`all ${COMMON.length + 5} rows of ggr`);
  }),
);

itInDepth('more filters than a title names are counted in it, and all of them are in a picture', async () =>
  visiting({ browser, url: server.url, key: await server.key() }, async ({ page }) => {
    await page.goto(
      `${server.url}/?country=Malta&category=Betting&channel=Online&sub_channel=Onshore&by=none`,
    );
    await answered(page);
    expect(await shownIn(page, 'h1')).toContain('Malta, Betting, Online, 1 more filter');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'SVG', exact: true }).click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toContain('Malta, Betting, Online, Onshore');
  }),
);

itInDepth('the years in which countries begin have no growth on the page of a product', async () =>
  visiting({ browser, url: server.url, key: await server.key() }, async ({ page }) => {
    await page.goto(`${server.url}/product/${encodeURIComponent(String(COMMON[0]?.product))}`);
    await page.locator('.year-table tbody tr').first().waitFor();
    const rows = await page.locator('.year-table tbody tr').allTextContents();
    expect(rows.find((row) => row.startsWith('2012'))).toMatch(/coverage$/);
    expect(rows.find((row) => row.startsWith('2013'))).toMatch(/up 0\.1 %|almost unchanged/);
  }),
);

itInDepth(
  'the place of a country among others says where their values are forecasts, and no share is made of losses',
  async () =>
    visiting({ browser, url: server.url, key: await server.key() }, async ({ page }) => {
      await page.goto(`${server.url}/country/Malta`);
      await page.locator('.key-figures').waitFor();
      expect(await shownIn(page, '.key-figures')).toContain('some values are forecasts');
      expect(await shownIn(page, '.key-figures')).not.toContain('Share of the world');
    }),
);
