// Keeps numbers in their place after names that are written from right to left, such as Hebrew and Arabic ones.

/**
 * The letters of scripts that are written from right to left, as a class of characters for a regular expression with the
 * flag `u`.
 */
export const RIGHT_TO_LEFT =
  '[\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}]';

/**
 * The text with an invisible left-to-right mark between a right-to-left name and a number after it. Many terminals reorder
 * lines as browsers do: without the mark, they show `ישראל: 1 → 2` as the change from 2 to 1. Other terminals ignore the
 * mark. Options to copy, such as `--accept vanished:ggr:…`, get no mark, because a mark would be copied with them.
 */
export const withNumbersInPlace = (text: string): string =>
  text.replace(BEFORE_NUMBER, (end) => (end.startsWith('--') ? end : `${end}\u200e`));

/**
 * Matches options to copy, and the last letter of a right-to-left name if a number comes before the next letter of the
 * line.
 */
const BEFORE_NUMBER = new RegExp(`--accept .*? --reason|${RIGHT_TO_LEFT}(?=[^\\p{L}\\n]{0,100}\\d)`, 'gu');
