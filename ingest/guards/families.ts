// The rule, the severity and the words for each family of patterns.

import { type DatasetName, metricUnit } from '../../src/catalog/datasets.ts';
import type { DatasetComparison } from '../compare/comparisonTypes.ts';
import type { Pattern, PatternFamily } from '../compare/patterns/patternTypes.ts';
import { changeText, count, counted, listed, partOf } from '../messages/numbers.ts';
import { FEWEST_CELLS, isComplete } from './completeness.ts';
import type { GuardSeverity, Rule } from './finding.ts';
import type { GuardLimits } from './guard.ts';
import { leapSeverity, lossSeverity, moveSeverity, zeroSeverity } from './patternSeverities.ts';
import {
  dimensionWord,
  factorText,
  MOST_PAIRS_NAMED,
  mergedNames,
  quantityClause,
  quoted,
  repeatWords,
  valueNoun,
  valuesClause,
} from './wording.ts';

interface FamilyRule {
  readonly rule: Rule | ((pattern: Pattern, dataset: DatasetComparison) => Rule);
  readonly severity: (pattern: Pattern, limits: GuardLimits, dataset: DatasetName) => GuardSeverity | null;
  readonly words: (pattern: Pattern, dataset: DatasetName) => string;
}

const alwaysRefuse = () => 'refuse' as const;

/** The rule, the severity and the message for each family of patterns. */
export const FAMILIES: Readonly<Record<PatternFamily, FamilyRule>> = {
  renamed: {
    rule: ({ between }, { newValues }) =>
      newValues.some(
        ({ dimension, value }) =>
          dimension === between?.dimension && between.pairs.some(({ to }) => to === value),
      )
        ? 'new-values'
        : 'structure',
    // A source may change the calculation of all its figures at once.
    severity: ({ between }) => (between?.dimension === 'calculation' ? 'warn' : 'refuse'),
    words: ({ between, cells }) => {
      const pairs = (between?.pairs ?? []).map(({ from, to }) => `${quoted(from)} → ${quoted(to)}`);
      return `${dimensionWord(between?.dimension ?? 'product')} ${listed([...new Set(pairs)], MOST_PAIRS_NAMED)}, with the same numbers in ${counted(cells, 'row')}`;
    },
  },
  merged: {
    rule: 'structure',
    // Rows of several products are added up on purpose, except by a recipe that gives the products one name.
    severity: () => 'warn',
    words: ({ between, cells, further, onlyNamed = { countries: 0, cells: 0 } }) => {
      const others = onlyNamed.countries;
      const names = mergedNames(between?.pairs ?? []);
      if (onlyNamed.cells === cells)
        return `product ${names}, with the same numbers in ${counted(cells, 'row')} that had nothing to add; another dataset has the sums; check that they are one product now`;
      const rows = counted(cells - onlyNamed.cells, 'row');
      const where =
        others === 0
          ? rows
          : `${rows} of ${counted((further?.length ?? 0) - others, 'country', 'countries')}, and the same numbers in ${counted(onlyNamed.cells, 'row')} of ${count(others)} that had nothing to add`;
      return `product ${names}, with the same sums in ${where}; check that they are one product now`;
    },
  },
  relabelled: {
    rule: 'structure',
    // Products that share no market get one name where a column is filled by mistake.
    severity: alwaysRefuse,
    words: ({ between, cells }) =>
      `product ${mergedNames(between?.pairs ?? [])}, with the same numbers in ${counted(cells, 'row')} and nothing added up; check that the column was not filled by mistake`,
  },
  twice: {
    rule: 'structure',
    severity: alwaysRefuse,
    words: ({ cells }) =>
      `${counted(cells, 'new row stands', 'new rows stand')} beside rows that are alike in all but temporal or calculation; their figures count twice`,
  },
  sums: {
    rule: 'structure',
    severity: ({ cells }) => (cells >= FEWEST_CELLS ? 'refuse' : 'warn'),
    words: ({ cells }) =>
      `${counted(cells, 'new row is the sum', 'new rows are sums')} of others: totals among their parts`,
  },
  parts: {
    rule: 'structure',
    severity: alwaysRefuse,
    words: ({ cells, between }) => {
      const names = (side: 'from' | 'to') =>
        listed([...new Set((between?.pairs ?? []).map((pair) => quoted(pair[side])))], MOST_PAIRS_NAMED);
      return `${counted(cells, 'new row')} of ${dimensionWord(between?.dimension ?? 'product')} ${names('to')} add up to those of ${names('from')}, which stayed; their figures count twice`;
    },
  },
  misfiled: {
    rule: 'structure',
    // A country may count a product elsewhere than all others do.
    severity: () => 'warn',
    words: ({ cells, between }) => {
      const [{ from = '', to = '' } = {}] = between?.pairs ?? [];
      return `${counted(cells, 'new row has', 'new rows have')} ${dimensionWord(between?.dimension ?? 'category')} ${quoted(to)}, and all rows of before have ${quoted(from)}`;
    },
  },
  copied: {
    rule: ({ between }) =>
      between !== null && ['year', 'fx', 'country'].includes(between.dimension) ? 'copies' : 'structure',
    severity: alwaysRefuse,
    words: repeatWords,
  },
  repeated: {
    rule: 'copies',
    // A repeat may be right. The figure of another year may stand for one that is not known yet, and the figure of a
    // country for that of its territory.
    severity: () => 'warn',
    words: repeatWords,
  },
  counted: {
    rule: 'copies',
    severity: () => 'warn',
    words: (pattern) =>
      `${count(pattern.cells)} changed ${valueNoun(pattern)}s count up by one from year to year, as cells do that are filled by dragging`,
  },
  rounded: {
    rule: 'revisions',
    severity: () => 'warn',
    words: (pattern) =>
      `${pattern.cells < pattern.of ? `${count(pattern.cells)} of ` : ''}${count(pattern.of)} changed ${valueNoun(pattern)}s are the earlier ones rounded`,
  },
  digits: {
    rule: 'revisions',
    severity: () => 'warn',
    words: () => 'two digits are exchanged beside the earlier figure',
  },
  zero: {
    rule: 'structure',
    severity: zeroSeverity,
    words: (pattern) => `${valuesClause(pattern)} 0 now`,
  },
  emptied: {
    rule: 'nulls',
    // Single values that became empty are reported by the guard `nulls`.
    severity: (pattern, limits) =>
      pattern.cells >= FEWEST_CELLS && lossSeverity(pattern, limits) === 'refuse' ? 'refuse' : null,
    words: (pattern) => `${valuesClause(pattern)} empty now`,
  },
  sign: {
    rule: 'revisions',
    // The changed sign of a percentage, such as inflation, may be a correction.
    severity: (pattern, limits, dataset) =>
      isPercent(pattern, dataset) ? 'warn' : leapSeverity(pattern, limits),
    words: (pattern) => `${valuesClause(pattern)} of the other sign now`,
  },
  leap: {
    rule: 'revisions',
    severity: (pattern, limits, dataset) =>
      isPercent(pattern, dataset) ? 'warn' : leapSeverity(pattern, limits),
    words: (pattern, dataset) => {
      const { cells, of, ratio, forecast } = pattern;
      const isOfPercent = isPercent(pattern, dataset);
      if (isOfPercent && cells === 1 && ratio !== null && ratio > 0)
        return `${valuesClause(pattern)} what it was ${factorText(ratio)}`;
      if (isOfPercent)
        return `${valuesClause(pattern)} five times what ${cells === 1 ? 'it was' : 'they were'} or more, or a fifth or less${forecast ? ', by 20 points or more' : ''}`;
      if (cells === 1 && of === 1 && ratio !== null) return `the value is what it was ${factorText(ratio)}`;
      const by = ratio === null ? '' : `,${cells === 1 ? '' : ' together'} ${factorText(ratio)}`;
      return `${valuesClause(pattern)} ten times what ${cells === 1 ? 'it was' : 'they were'} or more, or a tenth or less${by}`;
    },
  },
  moved: {
    rule: 'closed-years',
    severity: moveSeverity,
    words: ({ cells, of, ratio, forecast, place }) => {
      // The place may name the month's own year, and that year has not ended.
      const closed = forecast || place.year !== undefined ? '' : 'of closed years ';
      if (cells === 1 && of === 1 && ratio !== null)
        return `the only value ${closed}moved by ${changeText(ratio - 1)}`;
      const by = ratio === null ? '' : `,${cells === 1 ? '' : ' together'} ${changeText(ratio - 1)}`;
      const moved = `${closed}moved by ${forecast ? 'half' : '10 %'} or more`;
      const values = of === 1 ? 'the only value' : partOf(cells, of, 'value');
      return `${values} ${moved}${by}`;
    },
  },
  factor: {
    rule: 'revisions',
    // All sources may change their definition of a product at once.
    severity: () => 'warn',
    words: ({ cells, of, ratio, between, forecast }) => {
      const others = (between?.pairs ?? []).map(({ from }) => String(from));
      const same = others.length === 0 ? '' : `, the same as in ${listed(others)}`;
      return `${cells < of ? `${count(cells)} of ` : ''}${count(of)} ${valueNoun({ forecast })}s moved by one factor${ratio === null ? '' : ` (${changeText(ratio - 1)})`}${same}`;
    },
  },
  gone: {
    rule: (pattern) => (isComplete(pattern) ? 'vanished' : 'rows'),
    severity: lossSeverity,
    words: ({ cells, of, forecast }) =>
      `${quantityClause(cells, of, forecast ? 'row' : 'reported row')} gone`,
  },
  early: {
    rule: 'structure',
    severity: alwaysRefuse,
    words: ({ cells }) =>
      `${counted(cells, 'figure')} of ${cells === 1 ? 'a year' : 'years'} that ${cells === 1 ? 'has' : 'have'} not ended ${cells === 1 ? 'is' : 'are'} called reported`,
  },
  running: {
    rule: 'structure',
    severity: () => 'warn',
    words: ({ cells }) =>
      `${counted(cells, 'forecast')} of a year that has not ended ${cells === 1 ? 'is' : 'are'} called reported now`,
  },
  confirmed: {
    rule: 'copies',
    // The forecast of a year that has ended may have been made from complete reports already.
    severity: () => 'warn',
    words: ({ cells }) =>
      `${count(cells)} first reports equal their forecasts to the last digit, and those of most other countries differ`,
  },
};

const isPercent = ({ metric }: Pattern, dataset: DatasetName) =>
  metricUnit(dataset, metric ?? '') === 'percent';
