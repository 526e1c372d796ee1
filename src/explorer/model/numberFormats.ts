// Formats numbers for people: in short form for axes and sentences, with all digits for tables.

/** All digits of the number, in groups of three, or with a power of ten where these would be very long: `5e−324`. */
export const exactText = (value: number): string =>
  isTiny(Math.abs(value)) || Math.abs(value) >= 1e24
    ? powerText(value)
    : value.toLocaleString('en', { maximumSignificantDigits: MAX_SIGNIFICANT_DIGITS }).replace('-', '−');

/** Below a billionth, powers of ten are used: `5e−12`, not many zeros. */
const isTiny = (size: number): boolean => size < 1e-9 && size > 0;

/** The largest number that browsers take. A number has at most 17 digits, and zeros after them. */
const MAX_SIGNIFICANT_DIGITS = 21;

/** The words for large numbers, each with the number from which it is used. */
const SCALES: readonly (readonly [number, string])[] = [
  [1e12, ' tn'],
  [1e9, ' bn'],
  [1e6, ' m'],
];

/** From this number on, powers of ten are used: `1e18`, not `1,000,000 tn`. */
const IMMENSE = 1e18;

/** A number with three significant digits, such as `517 bn`, `28.0 m` or `0.181`. */
export function shortText(value: number): string {
  const size = Math.abs(value);
  if (Number(size.toPrecision(3)) >= IMMENSE || isTiny(size)) return powerText(Number(value.toPrecision(3)));
  const { divisor, suffix } = scaleOf(value);
  const digits =
    divisor === 1
      ? size >= 1000
        ? { maximumFractionDigits: 0 }
        : { maximumSignificantDigits: 3 }
      : { minimumSignificantDigits: 3, maximumSignificantDigits: 3 };
  return `${(value / divisor).toLocaleString('en', digits)}${suffix}`.replace('-', '−');
}

/** A number such as `1.25e18` or `5e−12`. */
const powerText = (value: number): string => value.toExponential().replace('e+', 'e').replaceAll('-', '−');

function scaleOf(value: number): { readonly divisor: number; readonly suffix: string } {
  // The scale is chosen for the rounded number, because 999.6 m would otherwise be written as 1,000 m.
  const rounded = Math.abs(Number(value.toPrecision(3)));
  const [divisor, suffix] = SCALES.find(([least]) => rounded >= least) ?? [1, ''];
  return { divisor, suffix };
}

/**
 * Returns a function that formats the ticks of an axis with one scale and number of decimals: `0`, `0.5 bn`, `1.0 bn`.
 */
export function tickFormat(ticks: readonly number[]): (value: number) => string {
  const largest = Math.max(0, ...ticks.map(Math.abs));
  if (largest >= IMMENSE || isTiny(largest)) return (value) => (value === 0 ? '0' : powerText(value));
  const { divisor, suffix } = scaleOf(largest);
  const decimals = Math.max(0, ...ticks.map((tick) => decimalsOf(tick / divisor)));
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return (value) =>
    value === 0 ? '0' : `${(value / divisor).toLocaleString('en', digits)}${suffix}`.replace('-', '−');
}

/**
 * Formats a tick of a logarithmic axis. Each tick has its own scale, because a logarithmic axis spans several scales.
 */
export function logTickFormat(value: number): string {
  if (value >= IMMENSE || isTiny(value)) return powerText(value);
  const { divisor, suffix } = scaleOf(value);
  return `${(value / divisor).toLocaleString('en', { maximumSignificantDigits: 3 })}${suffix}`;
}

/** How many decimals a value needs, up to six significant digits: 2 for 0.25, 9 for 5e-9. */
const decimalsOf = (value: number): number => {
  const [, fraction = '', exponent = '0'] =
    /^-?\d+(?:\.(\d+))?(?:e(.+))?$/.exec(String(Number(value.toPrecision(6)))) ?? [];
  return Math.min(MAX_DECIMALS, Math.max(0, fraction.length - Number(exponent)));
};

/** Some browsers throw an error for more decimals. */
const MAX_DECIMALS = 20;

/** A value of a metric in short form, with the sign of its unit. */
export function readableText(value: number, unit: Unit): string {
  if (unit.kind === 'percent')
    return `${value.toLocaleString('en', { maximumFractionDigits: 1, minimumFractionDigits: 1, signDisplay: 'negative' }).replace('-', '−')} %`;
  if (unit.kind === 'rate') return value.toLocaleString('en', { maximumSignificantDigits: 6 });
  return shortText(value);
}

/** Whether the short form has all digits of a value, so that the exact form would only repeat it. */
export const isReadExactly = (value: number, unit: Unit): boolean =>
  !/ (tn|bn|m)$/.test(readableText(value, unit)) &&
  Number(readableText(value, unit).replace(/[ %,]/g, '').replace('−', '-')) === value;

export type Unit =
  | { readonly kind: 'currency'; readonly code: string }
  | { readonly kind: 'percent' }
  | { readonly kind: 'rate'; readonly text: string }
  | { readonly kind: 'other'; readonly text: string };

/**
 * A change in words, such as `up 14.5 %`; null when one of the values is not positive. A fall is never rounded to 100
 * %.
 */
export function changeText(before: number, after: number): string | null {
  if (!(before > 0) || !(after > 0)) return null;
  const percent = (after / before - 1) * 100;
  const size = percent < 0 ? Math.min(-percent, LARGEST_FALL) : percent;
  if (size < 0.05) return before === after ? 'unchanged' : 'almost unchanged';
  return `${percent > 0 ? 'up' : 'down'} ${percentText(size)}`;
}

/** The largest fall in percent that leaves something, because falls have one decimal. */
const LARGEST_FALL = 99.9;

/**
 * A change with its sign, as a percentage of `before`: `+14.5 %`. It is never rounded to 0 %, nor to −100 % if
 * something is left. Empty if `before` is 0.
 */
export function signedPercentText(before: number, after: number): string {
  if (before === 0) return '';
  const size = Math.abs(((after - before) / before) * 100);
  const isFallToRest = after > 0 && after < before;
  const percent = isFallToRest ? Math.min(size, LARGEST_FALL) : size;
  if (percent < 0.05) return 'under 0.1 %';
  return `${after > before ? '+' : '−'}${percentText(percent)}`;
}

/** A percentage with one decimal, or with none from 100 % on: `9.0 %`, `147 %`. */
function percentText(size: number): string {
  const digits = size >= 99.95 ? 0 : 1;
  return `${size.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })} %`;
}

/** A share as a percentage. It is never rounded to 0 % or 100 %. */
export function shareText(part: number): string {
  const percent = part * 100;
  if (percent > 0 && percent < 0.1) return 'under 0.1 %';
  if (percent > 99.9 && percent < 100) return 'over 99.9 %';
  return percentText(percent);
}

/**
 * A name within a sentence. A name in right-to-left letters is isolated (UAX 9), because a number after it would
 * otherwise appear before it.
 */
export const bidiIsolated = (name: string): string =>
  RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** The text with no-break spaces between numbers and their units, as in `165 bn` and `38.8 %`. */
export const withNonBreakingNumbers = (text: string): string =>
  text.replace(/(\d) (?=(?:tn|bn|m|%)(?!\w))/g, '$1\u00a0');

/** A count with commas, such as `1,412`. */
export const countText = (count: number): string => count.toLocaleString('en');

/** A number of rows, such as `1 row` or `1,412 rows`. */
export const rowCountText = (count: number): string => `${countText(count)} ${count === 1 ? 'row' : 'rows'}`;

/** A period such as `2018` or `2018–2030`. */
export const yearsText = (first: number, last: number): string =>
  first === last ? String(first) : `${first}–${last}`;
