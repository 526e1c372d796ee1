// Computes the axes of charts: round numbers for ticks, scales, and short coordinates for SVG.

/** Three to six round numbers as the ticks of an axis. The first and the last one enclose `from` and `to`. */
export function ticks(from: number, to: number): number[] {
  // Equal ends would make an axis without length.
  const [low, high] = to - from < SHORTEST_AXIS ? [Math.min(0, from), Math.max(0, to, 1)] : [from, to];
  const rough = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5, 10].find((times) => power * times >= rough) ?? 10);
  const first = Math.floor(low / step + ROUNDING);
  const last = Math.ceil(high / step - ROUNDING);
  // Each tick is a multiple of the step. Adding steps up would add up their rounding errors.
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

const ROUNDING = 1e-9;

/** The shortest length of an axis. JavaScript does not compute smaller powers of ten exactly. */
const SHORTEST_AXIS = 1e-290;

/** A function that maps values from `from` to `to` to positions from `start` to `end`. */
export const scale =
  (from: number, to: number, start: number, end: number) =>
  (value: number): number =>
    start + ((value - from) / (to - from || 1)) * (end - start);

/** A coordinate as text with one decimal. More decimals would double the bytes without a visible difference. */
export const px = (value: number): string => String(Math.round(value * 10) / 10);

/** The years below an axis: at most `most` multiples of a round step between `first` and `last`, or `first` alone. */
export function yearTicks(first: number, last: number, most: number): number[] {
  const step =
    [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((years) => (last - first) / years < most) ?? 2000;
  const round: number[] = [];
  for (let year = Math.ceil(first / step) * step; year <= last; year += step) round.push(year);
  return round.length > 0 ? round : [first];
}
