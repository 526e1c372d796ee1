// Numbers for people: short on an axis, exact in a readout and a table.

/** All digits of the number, in groups of three. */
export const exact = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: 20 }).replace('-', '−');

const SCALES: readonly (readonly [number, string])[] = [
  [1e12, ' tn'],
  [1e9, ' bn'],
  [1e6, ' m'],
];

/** Three significant digits: `517 bn`, `28.4 m`, `0.181`. */
export function short(value: number): string {
  const size = Math.abs(value);
  // 999.6 m rounds to 1,000 m: the scale is chosen for what is shown.
  const rounded = Math.abs(Number(value.toPrecision(3)));
  const [divisor, suffix] = SCALES.find(([least]) => rounded >= least) ?? [1, ''];
  const scaled = value / divisor;
  const text =
    divisor === 1 && size >= 1000
      ? scaled.toLocaleString('en', { maximumFractionDigits: 0 })
      : scaled.toLocaleString('en', { maximumSignificantDigits: 3, useGrouping: true });
  return `${text}${suffix}`.replace('-', '−');
}

/** A number of the axis: as short as can be. */
export const tick = (value: number): string => short(Number(value.toPrecision(3)));

/** How a value of a metric is read out: short with its unit. */
export function readable(value: number, unit: Unit): string {
  if (unit.kind === 'percent')
    return `${value.toLocaleString('en', { maximumFractionDigits: 1, minimumFractionDigits: 1 }).replace('-', '−')} %`;
  if (unit.kind === 'rate') return value.toLocaleString('en', { maximumSignificantDigits: 6 });
  return short(value);
}

export type Unit =
  | { readonly kind: 'currency'; readonly code: string }
  | { readonly kind: 'percent' }
  | { readonly kind: 'rate'; readonly text: string }
  | { readonly kind: 'other'; readonly text: string };

/** `up 14.5 %`, `down 3 %`; null when there is nothing to compare with. */
export function change(before: number, after: number): string | null {
  if (!(before > 0) || !(after > 0)) return null;
  const percent = (after / before - 1) * 100;
  const size = Math.abs(percent);
  if (size < 0.05) return 'unchanged';
  const digits = size >= 100 ? 0 : 1;
  return `${percent > 0 ? 'up' : 'down'} ${size.toLocaleString('en', { maximumFractionDigits: digits })} %`;
}

/** A share between 0 and 1, never rounded to nothing or to all. */
export function share(part: number): string {
  const percent = part * 100;
  if (percent > 0 && percent < 0.1) return 'under 0.1 %';
  if (percent > 99.9 && percent < 100) return 'over 99.9 %';
  return `${percent.toLocaleString('en', { maximumFractionDigits: 1 })} %`;
}

export const grouped = (count: number): string => count.toLocaleString('en');

/** `2018` or `2018–2030`. */
export const span = (first: number, last: number): string =>
  first === last ? String(first) : `${first}–${last}`;
