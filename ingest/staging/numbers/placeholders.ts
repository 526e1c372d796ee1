// Recognises words and marks for a missing value, and words for a total. Case and punctuation do not count.

import type { DimensionName } from '../../../src/catalog/datasets.ts';

/** Whether a text in a column of numbers stands for no value. */
export const isPlaceholder = (text: string): boolean =>
  NO_VALUE.has(keyOf(text)) || NO_NUMBER.has(keyOf(text)) || isMarkOnly(text);

/** Whether a text in a dimension stands for no value. */
export const isPlaceholderValue = (text: string): boolean =>
  text === '0' ||
  /^#+$/.test(text) ||
  EXACTLY.has(text.toLowerCase()) ||
  NO_VALUE.has(keyOf(text)) ||
  isMarkOnly(text);

/** Whether a text in a dimension is the error of a spreadsheet, such as `#REF!`, `#BEZUG!` or `#NAME?`. */
export const isErrorText = (text: string): boolean => /^#¡?[\p{L}\d/_]+[!?]$/u.test(text);

/**
 * Whether a text in a dimension is a formula, such as `=A2`, `@SUM(A1)` or `+cmd|'/C calc'!A0`. A spreadsheet that opens an
 * export would compute it.
 */
export const isFormulaText = (text: string): boolean => /^(?:=\S|@\p{L}+\(|[+-][\p{L}\d.]+[(|!])/u.test(text);

/**
 * Whether a dimension never has numbers as values. Some countries number their states, and some games have a number as
 * name.
 */
export const hasNoNumbers = (dimension: DimensionName): boolean =>
  dimension !== 'state' && dimension !== 'product';

/** Whether a text in a dimension can only be the name of a sum of other rows, such as `All countries`. */
export const isTotal = (text: string): boolean => TOTALS.has(keyOf(text));

/** Whether a text has a word for a sum in it, such as `Total Betting`. */
export const mentionsTotal = (text: string): boolean =>
  text
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .some((word) => TOTAL_WORDS.has(word));

/** Whether a text says outright that it is a sum: `Total Betting`, not `All Other Games`. */
export const saysTotal = (text: string): boolean => SAYS_TOTAL.test(text);

/** Words for a sum in the languages in which statistics are published. They have no other meaning. */
const SUMS = [
  'gesamt summe insgesamt totale totaal totalt totaux suma summa razem ogółem celkem celkom součet összesen ukupno skupaj',
  'yhteensä toplam σύνολο итого всего усього общо 合計 総計 合计 总计 總計 합계 총계 小計 小计',
].flatMap((words) => words.split(' '));

const SAYS_TOTAL = new RegExp(`(?<!\\p{L})(?:grand |sub-?)?(?:totals?|${SUMS.join('|')})(?!\\p{L})`, 'iu');

const keyOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s()[\]<>.:*_/-]+/gu, '');

/** The keys of words, which `|` separates. */
const keysOf = (words: string, more: readonly string[] = []): ReadonlySet<string> =>
  new Set([...words.split('|'), ...more].map(keyOf));

/** Whether a text consists of marks such as `–`, `..`, `-` or `?`. */
const isMarkOnly = (text: string): boolean => /^[\s\-\u2010-\u2015\u2212.…?*:~]+$/u.test(text);

/** Words for no value, in columns of numbers and in dimensions. */
const NO_VALUE = keysOf(
  'na|n.a|#n/a|nan|nil|none|null|\\n|blank|empty|missing|notapplicable|notavailable|undefined|not specified|' +
    'unspecified|not stated|not reported|not assigned|nicht zugeordnet|non affecté|sin asignar|non assegnato|' +
    '%null%|tbd|tbc',
);

/**
 * Marks and words that repeat the value above, and the words of pivot tables for no value. Other punctuation has another
 * meaning.
 */
const EXACTLY = new Set([
  ...`"|''|”|″|〃|ditto|do.|id.|idem|dito|as above|same as above|see above|k.a.`.split('|'),
  ...'leer|vide|vuoto|vazio|leeg|tom|puste|prázdné|boş|пусто|空白|en blanco|em branco'
    .split('|')
    .map((word) => `(${word})`),
]);

/** Words that stand for no value in a column of numbers, and may be values of a dimension. */
const NO_NUMBER = new Set(['unknown', 'ka', 'nv', 'confidential', 'suppressed'].map(keyOf));

/** Texts that can only name a sum of other rows. */
const TOTALS = keysOf(
  'all|total|totals|grand total|subtotal|sub-total|sum|overall|national|nationwide|national total|' +
    'all states|whole country|statewide|state total|world|world total|worldwide|global|all countries|' +
    'all regions|all products|all categories|all channels|all sub-channels|i alt|kokku',
  SUMS,
);

/** Words for a sum within a text. Some of them also have another meaning. */
const TOTAL_WORDS = new Set([
  ...'all|total|totals|subtotal|sum|overall|whole|combined|aggregate'.split('|'),
  ...SUMS,
]);
