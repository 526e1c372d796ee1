// The charts of the report: axes, bars, labels.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Total } from '../../../ingest/compare/totalTypes.ts';
import { coverageChart } from '../../../ingest/report/charts/coverageChart.ts';
import { ticks, yearTicks } from '../../../ingest/report/charts/scale.ts';
import { sizesChart } from '../../../ingest/report/charts/sizesChart.ts';
import { totalsChart } from '../../../ingest/report/charts/totalsChart.ts';
import { mostMoved, pointsOf } from '../../../ingest/report/totalsForReport.ts';

const number = fc.double({ min: -1e15, max: 1e15, noNaN: true });

describe('an axis', () => {
  it('encloses its values with few round numbers', () => {
    fc.assert(
      fc.property(number, number, (a, b) => {
        const [low, high] = [Math.min(0, a, b), Math.max(0, a, b)];
        const marks = ticks(low, high);
        const slack = Math.max((high - low) * 1e-8, 1e-280);
        expect(marks.length).toBeGreaterThanOrEqual(2);
        expect(marks.length).toBeLessThanOrEqual(7);
        expect(marks[0]).toBeLessThanOrEqual(low + slack);
        expect(marks.at(-1)).toBeGreaterThanOrEqual(high - slack);
        expect(marks).toContain(0);
      }),
    );
  });

  it('names years that leave each other room', () => {
    expect(yearTicks(2003, 2030, 7)).toEqual([2005, 2010, 2015, 2020, 2025, 2030]);
    expect(yearTicks(2024, 2024, 7)).toEqual([2024]);
    expect(yearTicks(1000, 9999, 7).length).toBeLessThanOrEqual(7);
  });
});

const total = (year: number, before: number | null, after: number | null, forecast = false) => ({
  metric: 'ggr',
  fx: 'EUR',
  year,
  forecast,
  closed: false,
  before,
  after,
  arrived: 0,
  joined: 0,
  joiners: [],
  countries: 1,
  mover: null,
  movers: [],
  relative: before === null || after === null ? null : (after - before) / before,
});

const chart = (
  totals: readonly ReturnType<typeof total>[],
  { compared = true, countries = null as ReadonlyMap<number, number> | null } = {},
) => totalsChart({ title: 'ggr in EUR', unit: '', points: pointsOf(totals), compared, countries }).markup;

/** The bars of a chart: their kind, their height in pixels, and whether they are above zero. */
function barsOf(markup: string) {
  const zero = Number(/<line class="axis" x1="62" x2="294" y1="([\d.]+)"/.exec(markup)?.[1]);
  return [
    ...markup.matchAll(/<rect class="(bar[^"]*)" x="[^"]*" y="([^"]*)" width="[^"]*" height="([^"]*)"/g),
  ].map(([, kind, y, height]) => ({ kind, up: Number(y) < zero, height: Number(height) }));
}

/** The labels at the left of a chart, and whether each is narrowed to the available width. */
const labelsOf = (markup: string) =>
  [...markup.matchAll(/<text class="e" x="56" y="[^"]*"( textLength="56" [^>]*)?>([^<]*)</g)].map(
    ([, narrowed, label]) => ({ label, isNarrowed: narrowed !== undefined }),
  );

describe('a chart of totals', () => {
  it.each([
    [1e12, ['0', '+2 tn', '0', '6 tn'], []],
    [1e15, ['0', '+2,000 tn', '0', '6,000 tn'], ['+2,000 tn']],
    [1e16, ['0', '+20,000 tn', '0', '60,000 tn'], ['+20,000 tn', '60,000 tn']],
    [1e17, ['0', '+2e17', '0', '6e17'], []],
    [1e300, ['0', '+2e300', '0', '6e300'], []],
    [1.25e-7, ['0', '+0.0000003', '0', '0.0000006'], ['+0.0000003', '0.0000006']],
    [1e-9, ['0', '+2e−9', '0', '6e−9'], []],
  ])('has labels that its edge does not cut, for totals of some %d', (unit, labels, narrowed) => {
    const found = labelsOf(chart([total(2022, 2 * unit, 4 * unit), total(2023, 4 * unit, 4.5 * unit)]));
    expect(found.map(({ label }) => label)).toEqual(labels);
    expect(found.flatMap(({ label, isNarrowed }) => (isNarrowed ? [label] : []))).toEqual(narrowed);
  });

  it('draws what changed as bars from zero, as high as the difference is large', () => {
    const markup = chart([total(2022, 100, 110), total(2023, 250, 230), total(2024, 400, 400)]);
    // Without forecasts, nothing is shaded as a forecast.
    expect(markup).not.toContain('class="later"');
    const bars = barsOf(markup);
    expect(bars).toMatchObject([
      { kind: 'bar', up: true },
      { kind: 'bar down', up: false },
    ]);
    expect((bars[1]?.height ?? 0) / (bars[0]?.height ?? 1)).toBeCloseTo(2, 1);
  });

  it('leaves room between the bars of many years', () => {
    const markup = chart(Array.from({ length: 40 }, (_, i) => total(1990 + i, 100, 110)));
    const bars = [...markup.matchAll(/<rect class="bar" x="([\d.]+)" y="[^"]*" width="([\d.]+)"/g)];
    expect(bars).toHaveLength(40);
    const [[, first, width] = [], [, second] = []] = bars;
    expect(Number(first) + Number(width)).toBeLessThan(Number(second));
  });

  it('draws the part of countries that joined apart from what was revised', () => {
    const bars = barsOf(chart([{ ...total(2023, 100, 150), joined: 40 }, total(2024, 100, 100)]));
    expect(bars.map(({ kind }) => kind)).toEqual(['bar', 'bar joined']);
    expect((bars[1]?.height ?? 0) / (bars[0]?.height ?? 1)).toBeCloseTo(4, 0);
  });

  it('breaks the level where many countries begin, and says so', () => {
    const points = [2020, 2021, 2022, 2023].map((year) => total(year, 100, 100));
    const markup = chart(points, {
      countries: new Map([
        [2020, 40],
        [2021, 41],
        [2022, 70],
        [2023, 70],
      ]),
    });
    expect(markup.match(/<path class="after" d="([^"]*)"/)?.[1]?.match(/M/g)).toHaveLength(2);
    expect(markup).toContain('>+29 countries</text>');
    expect(markup).toContain('2022 has 29 countries more than the year before');
    expect(markup).not.toContain('+1 countries');
  });

  it('breaks where a year is missing, and shows a year alone as a dot', () => {
    const markup = chart([total(2020, 1, 1), total(2021, 1, 1), total(2023, 1, 1), total(2025, null, 1)]);
    expect(markup.match(/<path class="after" d="([^"]*)"/)?.[1]?.match(/M/g)).toHaveLength(1);
    expect(markup.match(/<circle class="dot"/g)).toHaveLength(2);
  });

  it('names every year that moved, and totals new and gone', () => {
    const markup = chart([
      total(2021, 100, 90),
      total(2022, 100, 100),
      total(2023, 100, 150),
      total(2024, null, 5),
      total(2025, 5, null),
    ]);
    expect([...markup.matchAll(/<title>([^<]*)<\/title>/g)].map(([, text]) => text)).toEqual([
      '2021: −10 %',
      '2023: +50 %',
      '2024: new',
      '2025: gone',
    ]);
    expect(markup).toContain('most: new in 2024');
  });

  it('adds reported figures and forecasts of a year, and says how much of it is a forecast', () => {
    const markup = chart([total(2024, 100, 100), total(2025, 60, 70), total(2025, 40, 30, true)]);
    expect(markup).toContain('no year moved');
    expect(markup).toContain(
      '<th scope="row">2025, <span class="keep">30 %</span> forecast</th><td class="n">100</td><td class="n">100</td>',
    );
  });

  const isForecast = true;
  it.each<[string, number | null, ...ReturnType<typeof total>[]]>([
    ['nowhere without forecasts', null, total(2025, 9, 9), total(2026, 9, 9)],
    [
      'after a year of which a small part is a forecast',
      2026,
      total(2025, 97, 97),
      total(2025, 3, 3, isForecast),
    ],
    ['in a year of which most is a forecast', 2025, total(2025, 49, 49), total(2025, 51, 51, isForecast)],
    ['after a year that became reported', 2026, { ...total(2025, 9, 8, isForecast), arrived: 8 }],
    [
      'after a year whose figures became reported in part',
      2026,
      { ...total(2025, 9, 9, isForecast), arrived: 5 },
    ],
    ['with a loss as with a gain', 2025, total(2025, -3, -3), total(2025, -4, -4, isForecast)],
    ['in a year whose forecasts are gone', 2025, total(2025, 9, null, isForecast)],
  ])('is tinted %s', (_, from, ...totals) => {
    const later = from === null ? [] : [total(2026, 9, 9, isForecast), total(2027, 9, 9, isForecast)];
    const markup = chart([total(2023, 9, 9), total(2024, 9, 9), ...totals, ...later]);
    const tints = [...markup.matchAll(/<rect class="later" x="([\d.]+)"/g)].map(([, x]) => Number(x));
    const last = from === null ? 2026 : 2027;
    const yearOf = (x: number) => 2022.5 + ((x - 62) / (294 - 62)) * (last - 2022);
    expect(tints.map((x) => Math.round(yearOf(x) + 0.5))).toEqual(from === null ? [] : [from]);
  });

  it('says in words what it shows', () => {
    expect(chart([total(2024, 100, 112), total(2025, 100, 101)])).toContain(
      'aria-label="ggr in EUR by year, from 2024 112 to 2025 101; 2 years moved, most 2024: +12 %, from 100 to 112"',
    );
    expect(chart([total(2024, null, 5)], { compared: false })).toContain(
      'aria-label="ggr in EUR by year, from 2024 5 to 2024 5"',
    );
  });

  it('is drawn for one year, for zeros, and for losses', () => {
    const drawn = [[total(2024, 0, 0)], [total(2024, 5, 5)], [total(2023, -5, -7), total(2024, 3, -2)]].map(
      (totals) => chart(totals),
    );
    for (const markup of drawn) expect(markup).not.toMatch(/NaN|Infinity|undefined/);
    const [zero, one, losses] = drawn.map((markup) => [
      markup.match(/<circle class="dot"/g)?.length ?? 0,
      markup.match(/<path class="after" d="M[\d.]+ [\d.]+L[\d.]+ [\d.]+"/g)?.length ?? 0,
      barsOf(markup).map(({ kind, up }) => [kind, up]),
    ]);
    expect([zero, one]).toEqual([
      [1, 0, []],
      [1, 0, []],
    ]);
    const down = ['bar down', false];
    expect(losses).toEqual([0, 1, [down, down]]);
  });
});

describe('a chart of coverage', () => {
  const panel = {
    title: 'Europe',
    years: [2020, 2021, 2022, 2023],
    countries: [
      { region: 'Europe', country: 'Malta', rows: [2, 2, 0, 2] },
      { region: 'Europe', country: 'A country with quite a long name', rows: [0, 0, 0, 1] },
    ],
    changes: new Map([
      [
        'Malta',
        new Map([
          [2020, { country: 'Malta', year: 2020, before: 0, after: 2 }],
          [2022, { country: 'Malta', year: 2022, before: 2, after: 0 }],
          [2023, { country: 'Malta', year: 2023, before: 1, after: 2 }],
        ]),
      ],
    ]),
    span: [2020, 2023] as const,
  };

  it('draws a bar per run of years, and a sign of its own for new, gone and otherwise changed', () => {
    const { markup } = coverageChart(panel);
    expect(markup.match(/class="has"/g)).toHaveLength(3);
    expect(
      [...markup.matchAll(/class="(new|gone|other)"[^>]*>(?:<title>([^<]*))?/g)].map(([, kind, text]) => [
        kind,
        text,
      ]),
    ).toEqual([
      ['new', '2020: 0 → 2'],
      ['gone', '2022: 2 → 0'],
      ['other', '2023: 1 → 2'],
    ]);
    expect(markup).toContain('aria-label="Europe: years with rows, by country, 2020 to 2023; 3 changed"');
  });

  it('cuts a long name and keeps the whole of it at hand', () => {
    expect(coverageChart(panel).markup).toContain(
      'A country with q…<title>A country with quite a long name</title>',
    );
    const country = `x${'\u{1F3F4}'.repeat(20)}`;
    const flags = { ...panel, countries: [{ region: 'Europe', country, rows: [0, 0, 0, 1] }] };
    expect(coverageChart(flags).markup).toContain(`>x${'\u{1F3F4}'.repeat(15)}…<`);
  });
});

describe('a chart of sizes', () => {
  it('adds up the metrics and writes every number', () => {
    const metric = (down: number, up: number) => ({
      revised: 2 * (down + up),
      sizes: [
        { upTo: 0.001, down, up },
        { upTo: null, down: up, up: down },
      ],
      filled: 0,
      emptied: 0,
      nullsBefore: 0,
      nullsAfter: 0,
      closedValues: 0,
      closedRevised: 0,
      closedFar: 0,
      closedCountries: 0,
      closedMost: null,
      closedLargest: [],
    });
    const { markup } = sizesChart('fx', [
      metric(1000, 20),
      { ...metric(0, 0), revised: 0, sizes: [] },
      metric(234, 0),
    ]);
    expect(markup).toContain('up to 0.1 %: 1,234 down, 20 up; over 0.1 %: 20 down, 1,234 up');
    expect([...markup.matchAll(/>([\d,]+)<\/text>/g)].map(([, text]) => text)).toEqual([
      '1,234',
      '20',
      '20',
      '1,234',
    ]);
    const [bar = 0, number = 0] = [/class="bar down" x="([\d.]+)"/, /class="e" x="([\d.]+)" y="27"/].map(
      (place) => Number(place.exec(markup)?.[1]),
    );
    expect(number).toBeLessThan(bar);
  });
});

it('a total that only rounding moved is not the one that moved most', () => {
  const total = (year: number, relative: number | null): Total => ({
    ...{ metric: 'ggr', fx: 'EUR', year, forecast: false, closed: true, before: 1e9, after: 1e9 },
    ...{ arrived: 0, joined: 0, joiners: [], countries: 12, mover: null, movers: [], relative },
  });
  expect(mostMoved([total(2023, 1e-11), total(2024, null)])).toBeNull();
  expect(mostMoved([total(2023, 1e-11), total(2024, -0.001)])?.year).toBe(2024);
});
