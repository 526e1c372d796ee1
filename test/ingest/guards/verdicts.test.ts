// The severity and the words of single findings, for patterns in memory.

import { describe, expect, it } from '@jest/globals';
import type { BrokenRelation } from '../../../ingest/compare/brokenRelation.ts';
import type { DatasetComparison, NewValue } from '../../../ingest/compare/comparisonTypes.ts';
import type { AnyPattern, Pattern, PatternFamily } from '../../../ingest/compare/patterns/patternTypes.ts';
import type { CountryMove } from '../../../ingest/compare/totalTypes.ts';
import { type FoundByGuard, GUARD_NAMES } from '../../../ingest/guards/allGuards.ts';
import { countryMovesGuard } from '../../../ingest/guards/countryMovesGuard.ts';
import { unexplained } from '../../../ingest/guards/explained.ts';
import {
  type GuardContext,
  type GuardLimits,
  isWarnedOf,
  type PatternVerdict,
} from '../../../ingest/guards/guard.ts';
import { nullsGuard } from '../../../ingest/guards/nullsGuard.ts';
import { patternsGuard } from '../../../ingest/guards/patternsGuard.ts';
import { relationsGuard } from '../../../ingest/guards/relationsGuard.ts';
import type { Renamings } from '../../../ingest/guards/renamings.ts';
import { cellText, withSharesAndExamples } from '../../../ingest/guards/wording.ts';
import { byDataset, type DatasetName } from '../../../src/catalog/datasets.ts';

const LIMITS: GuardLimits = {
  rows: { warn: 0.05, refuse: 0.2 },
  totals: { warn: 0.05, refuse: 0.2 },
  closedYears: { warn: 0.02, refuse: 0.1 },
  country: { warn: 0.1, refuse: 0.3 },
  part: { warn: 0.2, refuse: 0.5 },
  material: { warn: 0.01, refuse: 0.05 },
};

const MALTA = { country: 'Malta' };
const PART = { country: 'Malta', product: 'Bingo' };
const YEAR = { country: 'Malta', product: 'Bingo', year: 2024 };

const aPattern = (family: PatternFamily, own: Partial<Pattern> = {}): Pattern => ({
  family,
  metric: 'ggr',
  place: MALTA,
  forecast: false,
  cells: 3,
  of: 3,
  further: null,
  countryShare: 0,
  historyShare: 0,
  effect: 0,
  datasetShare: null,
  ratio: null,
  between: null,
  examples: [],
  ...own,
});

const NONE = { in: () => [] } as unknown as Renamings;

const CONTEXT: GuardContext = {
  comparison: {
    relations: [],
    datasets: byDataset(() => ({ dimensions: [] })),
  } as unknown as GuardContext['comparison'],
  limits: LIMITS,
  renamings: NONE,
};

const aDataset = (own: Partial<DatasetComparison>) =>
  ({
    dataset: 'ggr',
    patterns: [],
    newValues: [],
    proportional: [],
    scaled: [],
    totals: [],
    countryMoves: [],
    runningMoves: [],
    introduced: { rows: 0, values: [], amounts: [] },
    metrics: {},
    revisions: [],
    ...own,
  }) as unknown as DatasetComparison;

const verdictOn = (pattern: Pattern, newValues: readonly NewValue[] = []): PatternVerdict | undefined =>
  patternsGuard.find(aDataset({ patterns: [pattern], newValues }), CONTEXT)[0];

describe('a pattern', () => {
  it.each<[PatternFamily, Partial<Pattern>, 'refuse' | 'warn' | undefined]>([
    // Two values may be typing errors, unless they matter.
    ['zero', { cells: 2, of: 2 }, undefined],
    ['zero', { cells: 1, of: 9, countryShare: 0.02 }, 'warn'],
    ['zero', { cells: 1, of: 9, countryShare: 0.05 }, 'refuse'],
    ['zero', { cells: 3, of: 3 }, 'refuse'],
    ['zero', { cells: 3, of: 3, place: PART }, 'refuse'],
    ['zero', { cells: 3, of: 3, place: YEAR }, 'warn'],
    ['zero', { cells: 3, of: 4 }, 'warn'],
    ['gone', { cells: 1, of: 9, countryShare: 0.04 }, undefined],
    ['gone', { cells: 1, of: 9, countryShare: 0.05 }, 'warn'],
    ['gone', { cells: 3, of: 9 }, 'warn'],
    ['gone', { cells: 1, of: 1 }, 'refuse'],
    ['gone', { cells: 1, of: 1, place: PART }, undefined],
    ['gone', { cells: 3, of: 3, place: PART }, 'refuse'],
    ['gone', { cells: 3, of: 3, place: YEAR }, 'warn'],
    ['gone', { cells: 3, of: 9, historyShare: 0.3 }, 'refuse'],
    ['gone', { cells: 2, of: 9, historyShare: 0.3 }, undefined],
    ['emptied', { cells: 2, of: 2 }, undefined],
    ['emptied', { cells: 3, of: 3 }, 'refuse'],
    ['leap', { cells: 2, of: 2 }, undefined],
    ['leap', { cells: 1, of: 9, effect: 0.01 }, 'warn'],
    ['leap', { cells: 1, of: 9, effect: 0.05 }, 'refuse'],
    ['leap', { cells: 3, of: 3, place: YEAR }, 'warn'],
    ['moved', { effect: 0.3 }, 'refuse'],
    ['moved', { effect: 0.1 }, 'warn'],
    ['moved', { effect: 0.05, ratio: 1.5 }, 'refuse'],
    ['moved', { effect: 0.05, ratio: 1.5, cells: 2 }, 'warn'],
    ['moved', { effect: 0.04, ratio: 9 }, undefined],
    ['moved', { effect: 0.3, forecast: true }, 'warn'],
    ['sums', { cells: 2 }, 'warn'],
    ['sums', {}, 'refuse'],
  ])('of %s with %j is: %s', (family, own, severity) => {
    const examples = [{ key: YEAR, metric: 'ggr', from: 5, to: null, relative: null }];
    expect(verdictOn(aPattern(family, { ...own, examples }))?.severity).toBe(severity);
  });

  it('of new rows also brings their new values, as far as these would be refused', () => {
    const aValue = (own: Partial<NewValue>): NewValue => ({
      dimension: 'channel',
      value: 'All',
      rows: 3,
      countries: ['Malta'],
      nearest: null,
      replaces: null,
      ...own,
    });
    const examples = [
      {
        key: { country: 'Malta', channel: 'All', product: 'Chess' },
        metric: 'ggr',
        from: null,
        to: 5,
        relative: null,
      },
    ];
    const alsoOf = (family: PatternFamily, value: NewValue) =>
      verdictOn(aPattern(family, { examples }), [value])?.otherRules;
    for (const family of ['sums', 'copied'] as const) {
      expect(alsoOf(family, aValue({}))).toEqual(['new-values']);
      expect(alsoOf(family, aValue({ value: 'Online' }))).toEqual([]);
      expect(alsoOf(family, aValue({ dimension: 'product', value: 'Chess' }))).toEqual([]);
    }
    expect(alsoOf('twice', aValue({}))).toEqual([]);
  });

  it('has its share of the dataset where it has one', () => {
    const linesOf = (own: Partial<AnyPattern>) =>
      withSharesAndExamples('', { ...aPattern('zero'), ...own } as AnyPattern, 'ggr').lines;
    expect(linesOf({ datasetShare: 0 })).toEqual([]);
    expect(linesOf({ datasetShare: 0.123 })).toEqual(["12 % of the dataset's"]);
    expect(linesOf({ datasetShare: 1.6 })).toEqual(["more than the dataset's own total"]);
    expect(linesOf({ countryShare: 0.5, historyShare: 0.5, datasetShare: null })).toEqual([
      "50 % of the country's total",
    ]);
    expect(linesOf({ countryShare: 0.5, historyShare: 0.4, datasetShare: null })).toEqual([
      "50 % of the country's total in these years and currencies",
    ]);
    expect(linesOf({ countryShare: 1.004, historyShare: 1.004, datasetShare: null })).toEqual([
      "100 % of the country's total",
    ]);
    expect(linesOf({ countryShare: 1.2, historyShare: 1.2, datasetShare: 0.00001 })).toEqual([
      "more than the country's own total, under 0.01 % of the dataset's",
    ]);
  });

  it('has no share of rates and percentages, and none of a country that has one figure a year', () => {
    const linesOf = (dataset: DatasetName, metric: string | null) =>
      withSharesAndExamples(
        '',
        { ...aPattern('zero'), metric, countryShare: 1, datasetShare: 0.123 },
        dataset,
      ).lines;
    for (const metric of [null, 'fx_current_usd']) expect(linesOf('fx', metric)).toEqual([]);
    for (const metric of [null, 'inflation', 'gdp_local_currency'])
      expect(linesOf('country', metric)).toEqual([]);
    expect(linesOf('country', 'gdp_usd')).toEqual(["12 % of the dataset's"]);
  });
});

it('a cell is named with its figure before and its figure now, as far as it has these', () => {
  const key = { country: 'Malta', year: 2024, product: 'Bingo', state: '' };
  const wordsOf = (from: number | null, to: number | null) =>
    cellText({ key, metric: 'ggr', from, to, relative: null }, MALTA);
  expect([wordsOf(null, null), wordsOf(null, 5200), wordsOf(5200, null), wordsOf(5200, 0)]).toEqual([
    '2024 Bingo',
    '2024 Bingo: 5,200',
    '2024 Bingo: 5,200',
    '2024 Bingo: 5,200 → 0',
  ]);
});

const verdict = (own: Partial<Pattern> & { readonly family?: PatternFamily } = {}, severity = 'warn') =>
  ({
    ...{ severity, country: 'Malta', scaledGroups: [] },
    pattern: aPattern(own.family ?? 'moved', own),
  }) as unknown as PatternVerdict;

it('a warning is about a country, or about one of its years, in one metric or in whole rows', () => {
  const about = { metric: 'ggr', year: 2024 };
  const isWarned = (one: PatternVerdict, of = about) => isWarnedOf('Malta', [one], of);
  expect(isWarned(verdict())).toBe(true);
  expect(isWarned(verdict({ metric: null, family: 'gone' }))).toBe(true);
  expect(isWarned(verdict({ place: { ...MALTA, year: 2024 } }))).toBe(true);
  expect(isWarnedOf('Malta', [verdict({ metric: 'turnover' })])).toBe(true);
  const others: readonly Partial<Pattern>[] = [
    { metric: 'turnover' },
    { place: { ...MALTA, year: 2023 } },
    { place: PART },
    { place: { country: 'Spain' } },
    { forecast: true },
    { family: 'copied' },
  ];
  for (const own of others) expect([own, isWarned(verdict(own))]).toEqual([own, false]);
  expect(isWarned(verdict({}, 'refuse'))).toBe(false);
});

/** What no finding explains of what the guards found. Nothing was accepted. */
function leftOf(found: Partial<FoundByGuard>, dataset: DatasetComparison = aDataset({})): FoundByGuard {
  const nothing = Object.fromEntries(GUARD_NAMES.map((name) => [name, []])) as unknown as FoundByGuard;
  const all = { dataset, context: CONTEXT, found: { ...nothing, ...found } };
  return unexplained([all], CONTEXT.comparison, () => false)[0]?.found ?? nothing;
}

it('forecasts follow a refused pattern of reported figures, if the search finds it first', () => {
  const reported = verdict({ family: 'moved' }, 'refuse');
  const follows = (own: Partial<Pattern>, cause = reported) => {
    const forecasts = verdict({ forecast: true, ...own });
    return !leftOf({ patterns: [cause, forecasts] }).patterns.includes(forecasts);
  };
  expect([follows({}), follows({ place: PART })]).toEqual([true, true]);
  expect(follows({ place: { country: 'Spain' } })).toBe(false);
  expect(follows({ place: { country: 'Spain' } }, verdict({ place: {} }, 'refuse'))).toBe(true);
  expect(follows({ metric: 'turnover' })).toBe(false);
  expect(follows({}, verdict())).toBe(false);
  expect(follows({}, verdict({ forecast: true }, 'refuse'))).toBe(false);
  const copied = verdict({ family: 'copied', forecast: true });
  expect(leftOf({ patterns: [copied, reported] }).patterns).toEqual([copied, reported]);
});

describe('the total of a country that moved', () => {
  const move: CountryMove = {
    metric: 'ggr',
    country: 'Malta',
    mean: 0.5,
    largest: 0.5,
    grown: 0,
    introduced: 0,
    year: 2024,
    fx: 'EUR',
    before: 100,
    after: 150,
  };
  /** The severity of the move, unless one of the verdicts explains it. */
  const found = (verdicts: readonly PatternVerdict[], own: Partial<CountryMove> = {}) => {
    const dataset = aDataset({ countryMoves: [{ ...move, ...own }] });
    const moves = countryMovesGuard.find(dataset, CONTEXT);
    return leftOf({ patterns: verdicts, countryMoves: moves }, dataset).countryMoves.map(
      ({ severity }) => severity,
    );
  };

  it('is reported unless a refused pattern of the country, or one of all countries, explains it', () => {
    expect(found([])).toEqual(['refuse']);
    expect(found([verdict({ family: 'moved' }, 'refuse')])).toEqual([]);
    expect(found([verdict({ place: {} })])).toEqual([]);
    // A warning about a part does not explain a change that is refused.
    expect(found([verdict({ place: PART })])).toEqual(['refuse']);
    expect(found([verdict({ place: { country: 'Spain' } }, 'refuse')])).toEqual(['refuse']);
    expect(found([verdict({ forecast: true }, 'refuse')])).toEqual(['refuse']);
  });

  it('that grew by new rows is explained by a pattern of new rows only', () => {
    expect(found([verdict({ family: 'moved' }, 'refuse')], { grown: 0.3 })).toEqual(['refuse']);
    expect(found([verdict({ family: 'copied' }, 'refuse')], { grown: 0.3 })).toEqual([]);
  });
});

it('empty values are reported where they came with new rows: as many as a thousandth of all, and of a larger share', () => {
  const found = (nullsBefore: number, nullsAfter: number, after = 10_000) => {
    const dataset = aDataset({
      rows: { before: 10_000, after } as DatasetComparison['rows'],
      metrics: { ggr: { emptied: 0, nullsBefore, nullsAfter } } as unknown as DatasetComparison['metrics'],
    });
    return nullsGuard
      .find(dataset, CONTEXT)
      .map((one) => nullsGuard.words(one, dataset, CONTEXT.comparison).message);
  };
  expect(found(5, 15)).toEqual(['ggr is empty in 15 of 10,000 rows, and was in 5 of 10,000']);
  expect(found(5, 14)).toEqual([]);
  // The share grew because other rows vanished.
  expect(found(50, 55, 5000)).toEqual(['ggr is empty in 55 of 5,000 rows, and was in 50 of 10,000']);
  expect(found(50, 52, 5000)).toEqual([]);
});

it('turnover that equals ggr is named as that', () => {
  const broken = (after: number) =>
    ({
      relation: 'turnover-below-ggr',
      dataset: 'turnover',
      country: 'Malta',
      years: [2024],
      places: [],
      forecast: false,
      share: null,
      currency: 'EUR',
      before: 5,
      after,
    }) as unknown as BrokenRelation;
  const relationsAfter = (after: number) =>
    relationsGuard.words([broken(after)], aDataset({ dataset: 'turnover' }), CONTEXT.comparison).message;
  expect(relationsAfter(1)).toBe('Malta: turnover equals ggr in 2024');
  expect(relationsAfter(0.5)).toBe('Malta: turnover is below ggr, at 50 % of it in 2024');
});
