// Axes of charts: round ticks, and numbers short enough for SVG.

/** Round numbers that enclose `from` and `to`, three to six of them. */
export function ticks(from: number, to: number): number[] {
  // Equal ends would make an axis without length.
  const [low, high] = to - from < SMALLEST ? [Math.min(0, from), Math.max(0, to, 1)] : [from, to];
  const rough = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5, 10].find((times) => power * times >= rough) ?? 10);
  const first = Math.floor(low / step + ROUNDING);
  const last = Math.ceil(high / step - ROUNDING);
  // Multiplied instead of added up, so that 0.1 stays 0.1.
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

const ROUNDING = 1e-9;

/** Smaller powers of ten are not exact. */
const SMALLEST = 1e-290;

/** Maps a range of values to a range of pixels. */
export const scale =
  (from: number, to: number, start: number, end: number) =>
  (value: number): number =>
    start + ((value - from) / (to - from || 1)) * (end - start);

/** A coordinate with one decimal: finer than any eye, and half the bytes. */
export const px = (value: number): string => String(Math.round(value * 10) / 10);

/** Years to write below an axis: the ends, and round ones between that leave room. */
export function yearTicks(first: number, last: number, most: number): number[] {
  const step =
    [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((years) => (last - first) / years < most) ?? 2000;
  const round: number[] = [];
  for (let year = Math.ceil(first / step) * step; year <= last; year += step) round.push(year);
  return round.length > 0 ? round : [first];
}
