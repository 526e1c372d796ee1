// Words that people write where there is no value, or where a row is a total: tables, compared without case and punctuation.

/** Whether a text in a column of numbers says that there is none. */
export const isPlaceholder = (text: string): boolean =>
  NO_VALUE.has(keyOf(text)) || NO_NUMBER.has(keyOf(text)) || isMarkOnly(text);

/** Whether a text in a dimension stands for no value. */
export const isPlaceholderValue = (text: string): boolean =>
  text === '0' || NO_VALUE.has(keyOf(text)) || isMarkOnly(text);

/** Whether a text in a dimension names a sum of the other rows, and nothing else. */
export const isTotal = (text: string): boolean => TOTALS.has(keyOf(text));

/** Whether a text has a word for a sum in it, such as `Total Betting`. */
export const mentionsTotal = (text: string): boolean =>
  text
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .some((word) => TOTAL_WORDS.has(word));

/** Whether a text says outright that it is a sum: `Total Betting`, not `All Other Games`. */
export const saysTotal = (text: string): boolean =>
  /(?<!\p{L})(?:grand |sub-?)?(?:totals?|gesamt|summe|insgesamt)(?!\p{L})/iu.test(text);

const keyOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s()[\]<>.:*_/-]+/gu, '');

/** `–`, `..`, `-`, `?` */
const isMarkOnly = (text: string): boolean => /^[\s\-\u2010-\u2015\u2212.…?*:~]+$/u.test(text);

const NO_VALUE = new Set(
  [
    'na',
    'n.a',
    '#n/a',
    'nan',
    'nil',
    'none',
    'null',
    '\\n',
    'blank',
    'empty',
    'missing',
    'notapplicable',
    'notavailable',
    'undefined',
    'not specified',
    'unspecified',
    'not stated',
    'not reported',
    'tbd',
    'tbc',
  ].map(keyOf),
);

/** What may be a value elsewhere, and is none in a column of numbers. */
const NO_NUMBER = new Set(['unknown', 'ka', 'nv', 'confidential', 'suppressed'].map(keyOf));

const TOTALS = new Set(
  [
    'all',
    'total',
    'totals',
    'grand total',
    'subtotal',
    'sub-total',
    'sum',
    'overall',
    'national',
    'nationwide',
    'national total',
    'all states',
    'whole country',
    'statewide',
    'state total',
    'world',
    'world total',
    'worldwide',
    'global',
    'all countries',
    'all regions',
    'all products',
    'all categories',
    'all channels',
    'all sub-channels',
    'gesamt',
    'summe',
    'insgesamt',
  ].map(keyOf),
);

const TOTAL_WORDS = new Set([
  'all',
  'total',
  'totals',
  'subtotal',
  'sum',
  'overall',
  'whole',
  'combined',
  'aggregate',
  'gesamt',
  'summe',
  'insgesamt',
]);
