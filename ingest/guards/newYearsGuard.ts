// Gives a verdict on each pattern of a new year: the rule that reports it, its severity, and its message.

import { groupBy } from '../../src/basics/lists.ts';
import { upperMedian } from '../../src/basics/medians.ts';
import { type DatasetName, datasetOf, metricUnit } from '../../src/catalog/datasets.ts';
import type { YearFamily, YearPattern } from '../compare/patterns/patternTypes.ts';
import { logDistance } from '../compare/ratios.ts';
import { count, counted, listed, partOf, significantDigits } from '../messages/numbers.ts';
import { isComplete, MANY_COUNTRIES } from './completeness.ts';
import type { GuardSeverity, Rule } from './finding.ts';
import type { Guard, GuardLimits } from './guard.ts';
import {
  isOfOtherUnit,
  isOfWholePlace,
  type MetricKind,
  yearLeapSeverity,
  yearMissingSeverity,
} from './newYearSeverities.ts';
import {
  countryOfPattern,
  dimensionWord,
  factorText,
  metricPrefix,
  placeName,
  quantityClause,
  withSharesAndExamples,
} from './wording.ts';

/**
 * Countries that have not begun a year count as missing up to this share of all countries. If more have not, they are just
 * late.
 */
const MISSING_COUNTRIES_SHARE = 0.05;

/**
 * The share of a country's figures from which on zeros are refused. It is smaller than the share for missing rows,
 * because closed markets seldom have zeros: they have no row, or a small figure.
 */
const ZERO_FIGURES_SHARE = 0.15;

const MOST_COUNTRIES_NAMED = 3;

interface YearRule {
  readonly rule: Rule | ((pattern: YearPattern) => Rule);
  readonly severity: (pattern: YearPattern, limits: GuardLimits, kind: MetricKind) => GuardSeverity | null;
  /** @param base The year with which the new one is compared. */
  readonly words: (pattern: YearPattern, base: string) => string;
}

const YEAR_FAMILIES: Readonly<Record<YearFamily, YearRule>> = {
  'year-absent': {
    rule: 'vanished',
    severity: ({ cells, of }) =>
      of >= MANY_COUNTRIES && cells <= MISSING_COUNTRIES_SHARE * of ? 'refuse' : 'warn',
    words: ({ cells, of, further, place }, base) =>
      `${count(cells)} of the ${count(of)} countries with rows of ${base} ${cells === 1 ? 'has' : 'have'} none of ${place.year}: ${listed(further ?? [], MOST_COUNTRIES_NAMED)}`,
  },
  'year-missing': {
    rule: (pattern) => (isOfWholePlace(pattern) ? 'vanished' : 'rows'),
    severity: yearMissingSeverity,
    words: ({ cells, of }, base) =>
      `${partOf(cells, of, 'row')} of ${base} ${cells === 1 ? 'is' : 'are'} missing`,
  },
  'year-currency': {
    rule: 'vanished',
    severity: () => 'warn',
    words: ({ cells }, base) =>
      `${counted(cells, 'row')} of ${base} ${cells === 1 ? 'is' : 'are'} in a currency that ended; other currencies go on`,
  },
  'year-ended': {
    rule: (pattern) => (isOfWholePlace(pattern) ? 'vanished' : 'rows'),
    // A market with little ggr may have most of a country's turnover, so the finding in ggr judges its loss.
    severity: (pattern, { material }) => {
      if (isComplete(pattern)) return 'refuse';
      return pattern.countryShare >= material.refuse ? 'warn' : null;
    },
    words: ({ cells, of }, base) =>
      `${partOf(cells, of, 'value')} of ${base} ${cells === 1 ? 'is' : 'are'} missing or 0, as ${cells === 1 ? 'that' : 'those'} of ggr ${cells === 1 ? 'is' : 'are'}`,
  },
  'year-zero': {
    rule: 'structure',
    severity: (pattern, limits, kind) =>
      pattern.countryShare >= ZERO_FIGURES_SHARE ? 'refuse' : yearMissingSeverity(pattern, limits, kind),
    words: ({ cells, of }, base) =>
      `${quantityClause(cells, of, 'value')} 0, and ${cells === 1 ? 'was' : 'were'} not in ${base}`,
  },
  'year-sign': {
    rule: 'revisions',
    severity: (pattern, { material }) =>
      isComplete(pattern) || pattern.effect >= material.refuse ? 'refuse' : 'warn',
    words: ({ cells, of }, base) => `${quantityClause(cells, of, 'value')} of another sign than in ${base}`,
  },
  'year-leap': {
    rule: ({ ratio }) => (isOfOtherUnit(ratio) ? 'units' : 'revisions'),
    severity: yearLeapSeverity,
    words: ({ cells, of, ratio }, base) =>
      `${quantityClause(cells, of, 'value')} far from ${cells === 1 ? 'that' : 'those'} of ${base}${ratio === null ? '' : `,${cells === 1 ? '' : ' together'} ${factorText(ratio)}`}`,
  },
  'year-moved': {
    rule: ({ ratio }) => (isOfOtherUnit(ratio) ? 'units' : 'totals'),
    severity: ({ ratio }) => (isOfOtherUnit(ratio) ? 'refuse' : 'warn'),
    words: ({ ratio }, base) => `the total is that of ${base} ${factorText(ratio ?? 1)}`,
  },
  'year-together': {
    rule: 'totals',
    severity: () => 'warn',
    words: ({ ratio }, base) =>
      `the total of the median country is that of ${base} ${factorText(ratio ?? 1)}`,
  },
  'year-states': {
    rule: 'relations',
    severity: ({ place }) => (place.state === undefined ? 'refuse' : 'warn'),
    words: ({ place, ratio }, base) =>
      `${place.state === undefined ? 'its states come' : 'it comes'} to ${significantDigits(ratio ?? 1, 3)} times what ${place.state === undefined ? 'they would if they' : 'it would if it'} had moved from ${base} as the nation did`,
  },
  'year-exchanged': {
    rule: 'copies',
    severity: ({ countryShare }, { material }) => (countryShare >= material.refuse ? 'warn' : null),
    words: ({ cells, of, between }) =>
      `${quantityClause(cells, of, 'value')} near ${cells === 1 ? 'that' : 'those'} of ${between?.pairs[0]?.from} the year before, and the other way round: they may be exchanged`,
  },
  'year-copied': {
    rule: ({ between }) => (between?.dimension === 'country' ? 'copies' : 'structure'),
    severity: ({ between, countryShare }, { material }) =>
      between?.dimension === 'country' || countryShare >= material.refuse ? 'refuse' : 'warn',
    words: ({ cells, of, between }) =>
      `${partOf(cells, of, 'value')} ${cells === 1 ? 'repeats' : 'repeat'} another ${dimensionWord(between?.dimension ?? 'country')}'s: ${between?.pairs[0]?.from || '(none)'}`,
  },
  'year-stale': {
    rule: 'copies',
    severity: () => 'warn',
    words: ({ cells }, base) =>
      `${quantityClause(cells, cells, 'value')} within 0.5 % of ${cells === 1 ? 'that' : 'those'} of ${base}; they may be that year's figures`,
  },
  'year-far': {
    rule: 'totals',
    severity: () => 'warn',
    words: ({ ratio }, base) =>
      `first reports are the forecasts ${factorText(ratio ?? 1)}, and far ${(ratio ?? 1) < 1 ? 'below' : 'above'} ${base} as well; check that they ${(ratio ?? 1) < 1 ? 'cover the whole year' : 'count each figure once'}`,
  },
  'year-repeated': {
    rule: 'copies',
    severity: () => 'warn',
    words: ({ cells }, base) =>
      `${cells === 1 ? 'the value equals that' : `${count(cells)} values equal those`} of ${base} to the last digit`,
  },
};

/** A verdict on a new year. It explains nothing about other years. */
export interface YearVerdict extends JudgedYearPattern {
  readonly country: string | null;
  /** The countries and the year that the verdict is about. */
  readonly countries: readonly string[];
  readonly year: number;
  /** The patterns of products and markets that moved in most countries, if the verdict is about several. */
  readonly products?: readonly YearPattern[];
}

/** Reports patterns of new years. If many countries have the same pattern in a year, they share one verdict. */
export const newYearsGuard: Guard<YearVerdict, YearVerdict> = {
  find: ({ newYears: all, dataset }, { limits }) => {
    const judged = all.flatMap((pattern) => judge(pattern, dataset, limits) ?? []);
    const alike = groupBy(
      judged,
      ({ pattern: { family, metric, place, forecast, further }, severity, rule }) =>
        [family, metric, place.year, forecast, severity, rule, further !== null].join(' '),
    );
    return [...alike.values()].flatMap(verdictsOnAlike);
  },
  gather: (found) =>
    found.map((about) => {
      const { rule, severity, country, pattern } = about;
      return { rule, severity, country, pattern, about };
    }),
  words: ({ pattern, products }, { dataset }) =>
    products === undefined
      ? withSharesAndExamples(headingOf(pattern, dataset), pattern, dataset)
      : { message: productWords(pattern, products) },
};

interface JudgedYearPattern {
  readonly pattern: YearPattern;
  readonly severity: GuardSeverity;
  readonly rule: Rule;
}

/** The rule and the severity of a pattern; null when the pattern is not reported. */
function judge(pattern: YearPattern, dataset: DatasetName, limits: GuardLimits): JudgedYearPattern | null {
  const { rule, severity } = YEAR_FAMILIES[pattern.family];
  const met = severity(pattern, limits, metricKind(dataset, pattern));
  if (met === null) return null;
  // Forecasts are expected to change, so they only warn. So do rows that a country lacks before the years that it had.
  return {
    pattern,
    severity: pattern.forecast || (LOSSES.has(pattern.family) && isOfEarlierYear(pattern)) ? 'warn' : met,
    rule: typeof rule === 'string' ? rule : rule(pattern),
  };
}

/** The families of rows and figures that the new year lacks. */
const LOSSES: ReadonlySet<YearFamily> = new Set(['year-missing', 'year-ended']);

/** Whether the year is before the one with which it is compared. A country's first years may have few of its markets. */
const isOfEarlierYear = (pattern: YearPattern): boolean =>
  Number(pattern.place.year) < Number(comparedWith(pattern));

function metricKind(dataset: DatasetName, { metric }: YearPattern): MetricKind {
  if (datasetOf(dataset).dimensions.includes('fx')) return 'market';
  const isOfOneCurrency = metricUnit(dataset, metric ?? '') === 'local currency';
  return dataset === 'fx' || isOfOneCurrency ? 'price' : 'indicator';
}

/**
 * The verdicts on patterns that agree in family, metric, year, severity and rule: one verdict if they are of many
 * countries, else one for each.
 */
function verdictsOnAlike(group: readonly [JudgedYearPattern, ...JudgedYearPattern[]]): YearVerdict[] {
  const [first] = group;
  if (first.pattern.family === 'year-together' && group.length > 1) return [verdictOnProducts(group)];
  if (group.length < MANY_COUNTRIES || first.pattern.further !== null) return group.map(verdictOf);
  // One currency may lose its value within a year, but ten do not do so at once.
  const isUnit = first.rule === 'units' && !first.pattern.forecast;
  const pattern = mergedPattern(
    first.pattern,
    group.map((one) => one.pattern),
  );
  return [verdictOf({ ...first, pattern, severity: isUnit ? 'refuse' : first.severity })];
}

function verdictOf(judged: JudgedYearPattern): YearVerdict {
  const { place, further } = judged.pattern;
  const country = countryOfPattern(judged.pattern);
  return {
    ...judged,
    country,
    countries: further ?? (country === null ? [] : [country]),
    year: Number(place.year),
  };
}

/** One verdict on all products and markets that moved in most countries, because such moves often have one cause. */
function verdictOnProducts(all: readonly [JudgedYearPattern, ...JudgedYearPattern[]]): YearVerdict {
  const by = ({ pattern: { ratio } }: JudgedYearPattern) => logDistance(ratio ?? 1);
  const sorted = all.toSorted((a, b) => by(b) - by(a));
  const [largest = all[0]] = sorted;
  return { ...verdictOf(largest), products: sorted.map(({ pattern }) => pattern) };
}

/** The first line of a finding, without its shares and examples. */
function headingOf(pattern: YearPattern, dataset: DatasetName): string {
  const { metric, forecast, family } = pattern;
  const forecastNote = forecast ? ' (forecasts)' : '';
  const where =
    family === 'year-absent' ? '' : `${metricPrefix(metric, dataset)}${yearPlace(pattern)}${forecastNote}: `;
  return `${where}${YEAR_FAMILIES[family].words(pattern, comparedWith(pattern))}`;
}

function productWords(largest: YearPattern, products: readonly YearPattern[]): string {
  const named = products.map(({ place, ratio }) => {
    const { product, channel, sub_channel } = place;
    return `${[product, channel, sub_channel].filter((part) => part !== undefined).join(' / ')} ${factorText(ratio ?? 1)}`;
  });
  const { place, further, forecast } = largest;
  return `${counted(further?.length ?? 0, 'country', 'countries')}, ${place.year}${forecast ? ' (forecasts)' : ''}: figures of the median country, beside those of ${comparedWith(largest)}: ${listed(named, MOST_COUNTRIES_NAMED)}`;
}

/**
 * The place of a pattern: `Malta, product Bingo, 2025`, or `57 countries (Albania, Algeria, Argentina and 54 more), 2025`.
 */
function yearPlace({ place, further }: YearPattern): string {
  if (further === null) return placeName(place);
  return placeName({
    ...place,
    country: `${counted(further.length, 'country', 'countries')} (${listed(further, MOST_COUNTRIES_NAMED)})`,
  });
}

/** Merges the patterns of many countries into the first one. They agree in all that `newYearsGuard` groups by. */
function mergedPattern(first: YearPattern, all: readonly YearPattern[]): YearPattern {
  const sum = (countOf: (pattern: YearPattern) => number) =>
    all.reduce((total, pattern) => total + countOf(pattern), 0);
  const ratios = all.flatMap(({ ratio }) => ratio ?? []);
  return {
    ...first,
    place: { year: first.place.year ?? 0 },
    cells: sum(({ cells }) => cells),
    of: sum(({ of }) => of),
    further: all.map(({ place }) => String(place.country)),
    ratio: ratios.length === 0 ? null : upperMedian(ratios),
  };
}

const comparedWith = ({ between }: YearPattern): string =>
  between?.dimension === 'year' ? String(between.pairs[0]?.from) : '';
