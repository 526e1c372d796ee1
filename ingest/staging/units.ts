// Finds units that are stated beside the data: `USD m`, `in thousands`, `€ 000` in a title, a heading or a sheet name.

import { type DatasetName, datasetOf, metricNames } from '../../src/catalog/datasets.ts';
import type { Said } from '../messages/fault.ts';
import { headingKey } from '../messages/spelling.ts';
import type { Cell, RawRow } from '../sources/readers/raw.ts';
import { type FileOptions, typed } from './readingOptions.ts';

export interface StatedUnit {
  /** The words that state it: `USD m`. */
  readonly said: string;
  /** `thousands`, `millions` or `billions`. */
  readonly word: string;
  /** What to multiply by: `1e6`. */
  readonly factor: string;
}

/** The unit that a text states; null when it states none. */
export function statedUnit(text: string): StatedUnit | null {
  if (ASCII.test(text) && !MAY_STATE.test(text) && !hasCurrency(text)) return null;
  for (const pattern of PATTERNS) {
    const found = pattern.exec(text);
    const unit = UNITS.find(([words]) => words.test(found?.groups?.unit ?? ''));
    if (found !== null && unit !== undefined)
      return { said: found[0].trim(), word: unit[1], factor: unit[2] };
  }
  return null;
}

/**
 * The rows with units taken out of the headings of metrics and years: `GGR (USD m)` becomes `GGR`, and the header is
 * found. The rows themselves are not changed.
 */
export function withoutUnits(dataset: DatasetName, rows: readonly RawRow[]): readonly RawRow[] {
  const names = new Set(metricNames(dataset).map(headingKey));
  if (names.size === 0) return rows;
  const plain = (cell: Cell): Cell => {
    if (typeof cell !== 'string') return cell;
    const unit = statedUnit(cell);
    if (unit === null) return cell;
    const rest = cell
      .replace(unit.said, ' ')
      .replace(/[()[\],;:/]|\bin\b/gi, ' ')
      .replace(CURRENCY_WORD, ' ')
      .trim();
    return names.has(headingKey(rest)) || /^\d{4}$/.test(rest) ? rest : cell;
  };
  return rows.map((row) =>
    row.cells.some((cell) => cell !== plain(cell)) ? { ...row, cells: row.cells.map(plain) } : row,
  );
}

/** What a unit in a text may be about. */
export interface UnitScope {
  readonly dataset: DatasetName;
  /** The metric whose heading states it; null for a title, which may be about any. */
  readonly metric: string | null;
  readonly options: FileOptions;
  readonly file: string;
}

/** What is wrong with a text that states a unit, when no `--scale` says what to do about it; else null. */
export function unitFault(text: string, { dataset, metric, options, file }: UnitScope): Said | null {
  const unit = statedUnit(text);
  const metrics = metric === null ? scalableMetrics(dataset) : [metric];
  const [first] = metrics;
  if (unit === null || first === undefined || metrics.some((name) => options.scale.has(name))) return null;
  const scale = (factor: string) => {
    const value = metrics.map((name) => `${name}=${factor}`).join(',');
    return typed({ option: 'scale', value, file, found: false });
  };
  return {
    problem: `"${text.trim()}" says that the figures are in ${unit.word}`,
    remedy: `multiply them with ${scale(unit.factor)}, or affirm them as they stand with ${scale('1')}`,
    kind: `figures in ${unit.word}`,
  };
}

/** Metrics that a title's unit may be about: amounts and people, neither rates nor percentages. */
const scalableMetrics = (dataset: DatasetName): readonly string[] =>
  Object.entries(datasetOf(dataset).metrics).flatMap(([name, { unit }]) => (isAmount(unit) ? [name] : []));

/** Whether a metric of this unit is an amount or a number of people, neither a rate nor a percentage. */
export const isAmount = (unit: string): boolean => unit !== 'percent' && !unit.includes(' per ');

const UNITS: readonly (readonly [words: RegExp, word: string, factor: string])[] = [
  [/^(?:thousands?|tsd\.?|tausend|milliers|miles|mila|k|['’]?000s?|1[,.]?000|10\^3)$/i, 'thousands', '1e3'],
  [/^(?:lakhs?|lacs?)$/i, 'lakhs (100,000)', '1e5'],
  [
    /^(?:millions?|millionen|millones|milioni|mio\.?|mill\.|mn|mm|m|1[,.]?000[,.]?000|10\^6)$/i,
    'millions',
    '1e6',
  ],
  [/^(?:crores?)$/i, 'crores (10,000,000)', '1e7'],
  [/^(?:billions?|milliards?|milliarden|mrd\.?|bn|10\^9)$/i, 'billions', '1e9'],
];

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

const CODES = [...CURRENCIES].join('|');

const CURRENCY = `(?:\\b(?:${CODES})(?=\\b|(?:m|mn|mm|bn|k)\\b)|US\\$|[$€£¥])`;

const CURRENCY_WORD = new RegExp(`\\b(?:${CODES})\\b|US\\$|[$€£¥]`, 'g');

/** A number before the word (`over 2 million adults`) makes it an amount and no unit. */
const PATTERNS: readonly RegExp[] = [
  new RegExp(
    `${CURRENCY}\\s*\\(?(?<unit>millions?|thousands?|billions?|mio\\.?|mrd\\.?|tsd\\.?|mn|mm|bn|m|k|['’]?000s?)(?![\\p{L}\\p{N}])`,
    'iu',
  ),
  /(?<![\d.,]\s*|\b(?:one|two|three|a|few|half|several|over)\s)(?<![\p{L}\p{N}])(?<unit>thousands?|millions?|millionen|billions?|mio\.?|mrd\.?|milliarden|tsd\.?|lakhs?|lacs?|crores?|milliers|millones|milioni|milliards?)(?![\p{L}\p{N}])/iu,
  /(?<![\p{L}\p{N}])in\s+(?<unit>m|mn|mm|bn|k|['’]?000s?)(?![\p{L}\p{N}])/iu,
  /[([]\s*(?<unit>['’]?000s?|m|mn|bn|k)\s*[)\]]/iu,
  /(?<![\p{L}\p{N}])(?<unit>['’]000s?)(?![\p{L}\p{N}])/iu,
  /(?<![\p{L}\p{N}])(?:[x×*]\s?)?(?<unit>10\^[369])(?![\p{L}\p{N}])/iu,
  /(?<![\p{L}\p{N}])[x×*]\s?(?<unit>1[,.]?000(?:[,.]?000)?)(?![\p{L}\p{N}])/iu,
  new RegExp(`(?<![\\p{L}\\p{N}])(?<unit>[mk]|bn)(?:${CODES})(?![\\p{L}\\p{N}])`, 'u'),
  new RegExp(`(?<![\\p{L}\\p{N}])(?<unit>M|K|T)(?=(?:${CODES}|€)(?![\\p{L}\\p{N}]))`, 'u'),
];

// V8 takes 20 ms to compile the patterns at their first use, so texts that cannot fit any of them are told apart before.

/** Other letters may be ASCII ones in another case, such as the long s. */
const ASCII = /^[ -~]*$/;

/** Stands in every text that fits a pattern without a currency. */
const MAY_STATE = /thousand|mil[li]|billion|mio|mrd|tsd|la[ck]|crore|in\s|[([]|000|10\^/i;

/** Whether a currency stands beside letters that may be a unit: `USD m`, `USDm`, `mUSD`. */
function hasCurrency(text: string): boolean {
  const words = text.toUpperCase().split(/[^A-Z0-9]+/);
  return (
    text.includes('$') ||
    words.some(hasUnitBefore) ||
    (UNIT_AFTER.test(text) && words.some((word) => CURRENCIES.has(word.slice(0, 3))))
  );
}

const hasUnitBefore = (word: string): boolean =>
  (CURRENCIES.has(word.slice(1)) && ['M', 'K', 'T'].includes(word.charAt(0))) ||
  (CURRENCIES.has(word.slice(2)) && word.startsWith('BN'));

/** Three letters, which may be a currency, and a unit. Longer words for units are found by `MAY_STATE`. */
const UNIT_AFTER = /[a-z]{3}\s*\(?(?:mn|mm|bn|m|k)(?![a-z0-9])/i;
