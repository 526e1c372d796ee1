// Which moves of a running year the months since the earlier snapshot explain, and from which limit on a move is reported.

import { describe, expect, it } from '@jest/globals';
import type { Comparison, DatasetComparison } from '../../../ingest/compare/comparisonTypes.ts';
import type { RunningMove, Total } from '../../../ingest/compare/totalTypes.ts';
import type { GatherContext, GuardContext, PatternVerdict } from '../../../ingest/guards/guard.ts';
import { explainedGrowth, isGrowthExplained } from '../../../ingest/guards/runningYearGrowth.ts';
import {
  isCountryYearRefused,
  isRunningYearTotal,
  runningYearsGuard,
} from '../../../ingest/guards/runningYearsGuard.ts';
import { byDataset } from '../../../src/catalog/datasets.ts';
import { readConfig } from '../../../src/config/config.ts';

const between = (before: string, after: string) =>
  ({ before: { id: `${before}.1`, month: before }, after: { id: `${after}.1`, month: after } }) as Comparison;

const OCTOBER = between('2026-10', '2026-11');

/** Until March, figures of the year before still come in. */
const FEBRUARY = between('2026-02', '2026-03');

const move = (
  country: string,
  before: number,
  after: number,
  own: Partial<RunningMove> = {},
): RunningMove => ({
  ...{ metric: 'ggr', country, fx: 'EUR', year: 2026, before, after },
  ...own,
});

/** A verdict on a pattern of Malta. */
const verdict = (
  severity: PatternVerdict['severity'],
  place: object = { country: 'Malta' },
  own: object = {},
) => ({ severity, pattern: { place, forecast: false, metric: 'ggr', ...own } }) as unknown as PatternVerdict;

interface Judged {
  readonly verdicts?: readonly PatternVerdict[];
  readonly totals?: readonly Total[];
  readonly comparison?: Comparison;
}

/** The moves that no verdict explains, and the findings about them. */
function judged(
  moves: readonly RunningMove[],
  { verdicts = [], totals = [], comparison = OCTOBER }: Judged = {},
) {
  const dataset = {
    ...{ dataset: 'ggr', runningMoves: moves, totals, countries: 20, dimensions: [] },
    introduced: { rows: 0, values: [], amounts: [] },
  } as unknown as DatasetComparison;
  const renamings = { in: () => [] } as unknown as GuardContext['renamings'];
  const context: GuardContext = { comparison, limits: readConfig({}).guards, renamings };
  const gatherContext: GatherContext = { ...context, patternsOf: byDataset(() => verdicts) };
  const found = runningYearsGuard
    .find(dataset, context)
    .filter((one) => !isCountryYearRefused(verdicts, one.move));
  return { found, findings: runningYearsGuard.gather(found, dataset, gatherContext) };
}

const suspectsAmong = (moves: readonly RunningMove[], verdicts: readonly PatternVerdict[] = []) =>
  judged(moves, { verdicts }).findings.flatMap(({ severity, about }) =>
    about.moves.map(({ country, fx }) => `${severity} ${country} ${fx}`),
  );

describe('the growth that passing months explain', () => {
  it.each([
    // After one month, figures of three more months may be new, and 20 % more for busy months. Before, figures covered all
    // months but the last four, and at least three.
    [2026, '2026-07', '2026-08', 3.6 / 3],
    [2026, '2026-08', '2026-09', 3.6 / 4],
    [2026, '2026-10', '2026-11', 3.6 / 6],
    [2026, '2026-03', '2026-04', 3.6 / 3],
    [2025, '2026-02', '2026-03', 3.6 / 10],
    // After more than three months, figures of as many months may be new.
    [2026, '2026-08', '2026-11', 3.6 / 4],
    [2026, '2026-08', '2026-12', 4.8 / 4],
    [2025, '2025-11', '2026-03', 4.8 / 7],
  ])('of %i from %s to %s', (year, before, after, growth) => {
    expect(explainedGrowth(year, between(before, after))).toBeCloseTo(growth, 12);
  });
});

describe('a country is suspect', () => {
  it('where it grew by more than the months explain, or fell', () => {
    expect(suspectsAmong([move('Malta', 100, 161)])).toEqual(['refuse Malta EUR']);
    expect(suspectsAmong([move('Malta', 100, 159)])).toEqual([]);
    const { totals, country } = readConfig({}).guards;
    const fallen = (share: number) => suspectsAmong([move('Malta', 1e9, 1e9 * (1 - share))]);
    expect(fallen(totals.refuse + 1e-6)).toEqual(['refuse Malta EUR']);
    expect(fallen(totals.refuse - 1e-6)).toEqual(['warn Malta EUR']);
    expect(fallen(country.warn + 1e-6)).toEqual(['warn Malta EUR']);
    expect(fallen(country.warn - 1e-6)).toEqual([]);
    expect(suspectsAmong([move('Malta', 100, 0)])).toEqual(['refuse Malta EUR']);
  });

  it('once a metric and year, in the currency that moved most, and a refused one first', () => {
    const own = { fx: 'USD' };
    expect(suspectsAmong([move('Malta', 100, 170), move('Malta', 100, 180, own)])).toEqual([
      'refuse Malta USD',
    ]);
    expect(suspectsAmong([move('Malta', 100, 55), move('Malta', 100, 170, own)])).toHaveLength(1);
    expect(suspectsAmong([move('Malta', 100, 170), move('Malta', 100, -20, own)])).toEqual([
      'refuse Malta USD',
    ]);
    expect(
      suspectsAmong([move('Malta', 100, 170), move('Malta', 100, 180, { metric: 'turnover' })]),
    ).toHaveLength(2);
    const { totals, country } = readConfig({}).guards;
    const slight = 1 - (totals.refuse + country.warn) / 2;
    expect(suspectsAmong([move('Malta', 100, 100 * slight), move('Malta', 100, 161, own)])).toEqual([
      'refuse Malta USD',
    ]);
  });

  it('unless a refused pattern of its reported figures says so already', () => {
    const far = [move('Malta', 100, 300)];
    const among = (...verdicts: readonly PatternVerdict[]) => suspectsAmong(far, verdicts).length;
    expect(among(verdict('refuse'))).toBe(0);
    expect(among(verdict('refuse', { country: 'Malta', year: 2026 }))).toBe(0);
    expect(among(verdict('refuse', {}, { metric: null }))).toBe(0);
    expect(among(verdict('warn'))).toBe(1);
    expect(among(verdict('refuse', { country: 'Spain' }))).toBe(1);
    expect(among(verdict('refuse', { country: 'Malta', year: 2025 }))).toBe(1);
    expect(among(verdict('refuse', { country: 'Malta' }, { metric: 'turnover' }))).toBe(1);
    expect(among(verdict('refuse', { country: 'Malta' }, { forecast: true }))).toBe(1);
    expect(among(verdict('warn'), verdict('refuse'))).toBe(0);
  });
});

it('countries have grown that are neither suspect nor reported otherwise', () => {
  const moves = [
    move('Malta', 100, 120),
    move('Spain', 100, 99),
    move('Peru', 100, 120),
    move('Peru', 100, 300, { fx: 'USD' }),
    move('Peru', 100, 115, { year: 2025 }),
    move('Chile', 100, 120),
  ];
  const { findings } = judged(moves, {
    verdicts: [verdict('refuse', { country: 'Chile' })],
    totals: [total(100, 120), total(100, 120, { year: 2025 })],
    comparison: FEBRUARY,
  });
  const grown = findings.filter(({ about }) => about.how === 'filling');
  expect(grown.flatMap(({ about }) => about.moves)).toEqual([moves[0], moves[4]]);
});

const total = (before: number | null, after: number | null, own: Partial<Total> = {}): Total => ({
  ...{ metric: 'ggr', fx: 'EUR', year: 2026, forecast: false, closed: false, before, after },
  ...{ arrived: 0, joined: 0, joiners: [], relative: null, countries: 3, mover: null, movers: [] },
  ...own,
});

describe('a total is filling', () => {
  it.each<[string, Total, number, boolean]>([
    ['within what the months explain', total(100, 159), 0, true],
    ['not beyond it', total(100, 161), 0, false],
    ['not where it stayed', total(100, 100), 0, false],
    ['not where it fell', total(100, 99), 0, false],
    ['also beside a country that joined it', total(100, 189, { joined: 30 }), 0, true],
    ['not by a country that joined it alone', total(100, 130, { joined: 30 }), 0, false],
    ['also beside what others explain', total(100, 189), 30, true],
    ['not where others explain all of it', total(100, 130), 30, false],
    ['not of forecasts', total(100, 120, { forecast: true }), 0, false],
    ['not without a currency', total(100, 120, { fx: null }), 0, false],
    ['not from nothing', total(null, 120), 0, false],
    ['not from 0', total(0, 120), 0, false],
    ['not from below 0', total(-100, -110), 0, false],
    ['not to nothing', total(100, null), 0, false],
    ['not in a year that has ended', total(100, 120, { year: 2025 }), 0, false],
  ])('%s', (_, one, byOthers, expected) => {
    expect(isGrowthExplained(one, OCTOBER, byOthers)).toBe(expected);
  });

  it('by all of its growth, where others explain none', () => {
    expect([isGrowthExplained(total(1, 1.5), OCTOBER), isGrowthExplained(total(1, 2), OCTOBER)]).toEqual([
      true,
      false,
    ]);
  });
});

describe('a total moved because of years that still fill up', () => {
  const mover = { country: 'Malta', by: 200 };
  const explained = (
    one: Total,
    moves: readonly RunningMove[] = [],
    verdicts: readonly PatternVerdict[] = [],
  ) => isRunningYearTotal(one, judged(moves, { verdicts }).found, verdicts, OCTOBER);

  it('where its growth is explained, also without a country that is refused', () => {
    expect(explained(total(100, 120))).toBe(true);
    expect(explained(total(100, 300))).toBe(false);
    expect(explained(total(100, 320, { mover }), [], [verdict('refuse')])).toBe(true);
    expect(explained(total(100, 320, { mover }), [], [verdict('warn')])).toBe(false);
    expect(explained(total(100, 320, { mover }), [], [verdict('refuse', { country: 'Spain' })])).toBe(false);
  });

  it('where the country that moved it most is refused for that year', () => {
    const malta = [move('Malta', 100, 300)];
    expect(explained(total(100, 320, { mover }), malta)).toBe(true);
    expect(explained(total(100, 320, { mover: { country: 'Spain', by: 200 } }), malta)).toBe(false);
    expect(explained(total(100, 320, { mover }), [move('Malta', 100, 300, { year: 2025 })])).toBe(false);
    expect(explained(total(100, 320, { mover, forecast: true }), malta)).toBe(false);
    expect(explained(total(100, 320, { mover, fx: null }), malta)).toBe(false);
    expect(explained(total(100, 320, { mover, year: 2025 }), malta)).toBe(false);
    // A fall of Malta that causes a warning explains no fall of the total, however large it is.
    expect(
      explained(total(100, 60, { mover }), [
        move('Malta', 1e9, 1e9 * (1 - readConfig({}).guards.country.warn - 1e-6)),
      ]),
    ).toBe(false);
  });
});

describe('the messages', () => {
  const findingsOn = (moves: readonly RunningMove[], given: Judged = {}) =>
    judged(moves, given).findings.map(({ severity, country, about }) => {
      const { message } = runningYearsGuard.words(about, {} as DatasetComparison, OCTOBER);
      return `${severity}${country === null ? '' : ` (${country})`} ${message}`;
    });

  it('name up to three suspects one by one, the largest first', () => {
    const GREW = 'its total of 2026 grew by more than the months since 2026-10.1 explain, most in EUR';
    expect(findingsOn([move('Malta', 100, 170), move('Spain', 100, 300), move('Peru', 100, 50)])).toEqual([
      `refuse (Spain) Spain: ${GREW}: 100 → 300 (+200 %)`,
      `refuse (Malta) Malta: ${GREW}: 100 → 170 (+70 %)`,
      'refuse (Peru) Peru: its total of 2026 fell, although its figures still come in, most in EUR: 100 → 50 (−50 %)',
    ]);
  });

  it('name more of them together', () => {
    const moves = ['A', 'B', 'C', 'D', 'E'].map((country, i) => move(country, 100, 170 + 10 * i));
    expect(findingsOn(moves.slice(0, 3))).toHaveLength(3);
    expect(findingsOn(moves)).toEqual([
      'refuse 5 countries: totals of 2026 grew by more than the months since 2026-10.1 explain, most that of E in EUR: 100 → 210 (+110 %); also D, C, B and 1 more',
    ]);
  });

  it('distinguish metrics and years', () => {
    const moves = [
      move('A', 100, 300),
      move('B', 100, 300),
      move('C', 100, 300, { metric: 'turnover' }),
      move('D', 100, 300, { metric: 'turnover' }),
    ];
    expect(findingsOn(moves)).toHaveLength(4);
  });

  it('name the countries that grew once, in the currency that moved most, for each year of a total', () => {
    const moves = [
      move('Malta', 100, 110),
      move('Malta', 100, 115, { fx: 'USD' }),
      move('Spain', 100, 130),
      move('Peru', 100, 115, { year: 2025 }),
    ];
    const found = (...totals: readonly Total[]) => findingsOn(moves, { totals, comparison: FEBRUARY });
    expect(found()).toEqual([]);
    expect(found(total(100, 120), total(200, 240, { fx: 'USD' }))).toEqual([
      'warn 2 countries: totals of 2026 grew, as its figures still come in, most that of Spain in EUR: 100 → 130 (+30 %); also Malta',
    ]);
    expect(found(total(100, 120, { year: 2025 }))).toEqual([
      'warn (Peru) Peru: its total of 2025 grew, as its figures still come in, most in EUR: 100 → 115 (+15 %)',
    ]);
    expect(findingsOn([], { totals: [total(100, 120)] })).toEqual([]);
  });
});
