// Ticks of axes: whole years that fit, round values, and 1-2-5 on a logarithmic scale.

/** At most `most` years at even steps; only the ends where there is no room for more. */
export function yearTicks(first: number, last: number, most: number): number[] {
  if (most <= 2) return first === last ? [first] : [first, last];
  const step =
    [1, 2, 5, 10, 20].find((size) => Math.floor(last / size) - Math.ceil(first / size) < most) ?? 50;
  const start = Math.ceil(first / step) * step;
  const ticks: number[] = [];
  for (let year = step === 1 ? first : start; year <= last; year += step) ticks.push(year);
  return ticks.length === 0 ? [first] : ticks;
}

/** 1, 2 and 5 times the powers of ten; only the powers where that would be too many. */
export function logTicks(least: number, most: number, wanted = 8): number[] {
  const low = Math.floor(Math.log10(least));
  const high = Math.ceil(Math.log10(most));
  const powers = Array.from({ length: high - low + 1 }, (_, i) => low + i);
  const all = powers.flatMap((power) => [1, 2, 5].map((digit) => digit * 10 ** power));
  const inside = (value: number) => value >= least && value <= most;
  const found = all.filter(inside);
  if (found.length > 0 && found.length <= wanted) return found;
  const coarse = powers.map((power) => 10 ** power).filter(inside);
  return coarse.length > 0 ? coarse : [least, most];
}
