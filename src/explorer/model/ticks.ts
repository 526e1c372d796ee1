// Computes the ticks of axes: years, round values, and 1, 2 and 5 times powers of ten on a logarithmic axis.

/** At most `most` years at even steps. If there is room for only two, they are the first and the last year. */
export function yearTicks(first: number, last: number, most: number): number[] {
  if (most <= 2) return first === last ? [first] : [first, last];
  const step =
    [1, 2, 5, 10, 20, 50, 100, 200, 500].find(
      (size) => Math.floor(last / size) - Math.ceil(first / size) < most,
    ) ?? 1000;
  const start = Math.ceil(first / step) * step;
  const ticks: number[] = [];
  for (let year = step === 1 ? first : start; year <= last; year += step) ticks.push(year);
  return ticks.length === 0 ? [first] : ticks;
}

/** About `wanted` round values in the range, at steps of 1, 2 or 5 times a power of ten. */
export function linearTicks(least: number, most: number, wanted: number): number[] {
  const steps = Math.max(1, wanted);
  const rough = most / steps - least / steps;
  const power = 10 ** Math.floor(Math.log10(rough));
  // Beyond what a double can hold, there are no round steps.
  if (!(rough > 0 && power > 0 && 10 * power < Number.POSITIVE_INFINITY)) return [least];
  // The step begins with 1, 2, 5 or 10, whichever is nearest on a logarithmic scale.
  const [digit] = NEAREST.find(([, below]) => rough / power < below) ?? [10];
  const step = digit * power;
  const first = Math.ceil(least / step - 1e-9);
  const last = Math.floor(most / step + 1e-9);
  // Rounding removes the error of the multiplication, such as 0.30000000000000004.
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** The first digit of a step, with the limit below which it is the nearest of 1, 2, 5 and 10 on a logarithmic scale. */
const NEAREST = [
  [1, Math.sqrt(2)],
  [2, Math.sqrt(10)],
  [5, Math.sqrt(50)],
] as const;

/**
 * Ticks at 1, 2 and 5 times powers of ten. If these are more than `wanted`, ticks at every power of ten, or only at every
 * second or third power and so on. A range with fewer than two of these ticks gets round values, because one tick does not
 * make a scale.
 */
export function logTicks(least: number, most: number, wanted: number): number[] {
  const low = Math.floor(Math.log10(least));
  const high = Math.ceil(Math.log10(most));
  const powers = Array.from({ length: high - low + 1 }, (_, i) => low + i);
  // The numbers are read from text, because the product `5 * 10 ** -5` is less than 0.00005.
  const all = powers.flatMap((power) => [1, 2, 5].map((digit) => Number(`${digit}e${power}`)));
  const inside = (value: number) => value >= least && value <= most;
  const found = all.filter(inside);
  if (found.length < 2) return linearTicks(least, most, 4);
  if (found.length <= wanted) return found;
  const step = Math.ceil(powers.length / wanted);
  const coarse = powers
    .filter((power) => power % step === 0)
    .map((power) => Number(`1e${power}`))
    .filter(inside);
  return coarse.length > 1 ? coarse : found.filter((_, i) => i === 0 || i === found.length - 1);
}
