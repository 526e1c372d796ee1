// Warns of titles that name another measure than amounts: per capita, a share, growth, an index.

import { type DatasetName, datasetOf, isAmount } from '../../../src/catalog/datasets.ts';
import type { Diagnostic } from '../../messages/fault.ts';

/** The warning about a title above amounts that names another measure; null for any other text. */
export function derivedMeasureFault(dataset: DatasetName, title: string): Diagnostic | null {
  const units = Object.values(datasetOf(dataset).metrics).map(({ unit }) => unit);
  if (title.length > LONGEST_TITLE || !units.some(isAmount)) return null;
  // In a table with percentages, a title about growth or shares may be about these.
  const hasPercentages = units.includes('percent');
  const found = MEASURES.find(
    ({ pattern, isPercent }) => !(isPercent && hasPercentages) && pattern.test(title),
  );
  if (found === undefined) return null;
  return {
    problem: `"${title.trim()}" says that the figures are ${found.what}, and they were read as amounts`,
    remedy: 'write the amounts themselves; if the title is about other figures, reword or move it',
    kind: `figures that are ${found.what}`,
  };
}

/** The most characters of a title. A longer text is a note of several sentences. It need not be about the figures. */
const LONGEST_TITLE = 100;

interface Measure {
  readonly pattern: RegExp;
  /** Completes `the figures are …`. */
  readonly what: string;
  /** Whether the figures are percentages, shares or index numbers. */
  readonly isPercent?: true;
}

/** Matches the last month of a period that begins in January and is shorter than a year. */
const MONTHS = String.raw`(?:feb|mar|apr|may|june?|july?|aug|sept?|oct|nov)(?:[a-z]{2,})?\b`;

const MEASURES: readonly Measure[] = [
  {
    pattern:
      /\bper[ -](?:capita|head|adult|inhabitant|person|resident|household|player|customer)\b|\bpro[ -]kopf\b|\bpar (?:habitant|tête)\b|\bper cápita\b|\bpor (?:habitante|adulto)\b|\bpro capite\b/i,
    what: 'per person',
  },
  {
    pattern:
      /(?:%|\bper ?cent(?:age)?|\bshare)\s+of\s+(?:the\s+)?(?:total|gdp|gni|turnover|stakes|revenues?|market)\b/i,
    what: 'shares of others',
    isPercent: true,
  },
  {
    pattern:
      /\b(?:growth|change)\b(?:\s+\p{L}+){0,3}\s*[,(]?\s*(?:in\s+)?(?:%|per ?cent\b)|(?:%|\bper ?cent(?:age)?)\s+(?:growth|change)\b|\b(?:year[- ]on[- ]year|y-?o-?y)\s+(?:growth|change)\b/iu,
    what: 'changes in percent',
    isPercent: true,
  },
  { pattern: /\b(?:19|20)\d\d\s*=\s*100\b/, what: 'an index', isPercent: true },
  {
    pattern: /\b(?:monthly|quarterly|weekly|daily)\s+(?:averages?|means?)\b/i,
    what: 'averages of parts of a year',
  },
  {
    pattern:
      /\byear[- ]to[- ]date\b|\bYTD\b|^\s*(?:quarterly|monthly|half[- ]yearly|semi-annual)\s+(?:data|figures|ggr|revenues?|results|turnover|amounts)\s*$/i,
    what: 'of a part of a year',
  },
  {
    pattern: new RegExp(
      String.raw`\bjan(?:uary)?\.? ?(?:[-–—]|to) ?${MONTHS}|\b(?:three|six|nine|[369]) months (?:to|ended|ending) (?:\d{1,2} )?${MONTHS}|(?<!\bin the )\bfirst (?:half|(?:three|six|nine) months|quarter) of (?:19|20)\d\d\b`,
      'i',
    ),
    what: 'of a part of a year',
  },
  { pattern: /\bPPPs?\b|\b[Pp]urchasing[ -][Pp]ower\b/, what: 'at purchasing power parities' },
  {
    pattern:
      /\b(?:constant|chained|real)\s+(?:(?:19|20)\d\d\s+)?(?:prices|US\$|US dollars|USD|EUR|euros?)(?!\p{L})|\b(?:in|at)\s+(?:19|20)\d\d\s+prices\b|\breal terms\b/iu,
    what: 'at the prices of another year',
  },
];
