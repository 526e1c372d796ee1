// The colours of series: a series keeps its colour whatever is filtered, and none is given twice in one chart.

import type { Series } from './series.ts';

/** As many as the style sheet has: `--s1` to `--s8`. */
export const COLOURS = 8;

/**
 * A colour number from 1 for each series; null for those that are drawn in grey.
 *
 * @param names all values of the dimension: the place among them gives the colour, so that a filter changes none
 */
export function coloursOf(
  series: readonly Series[],
  names: readonly string[],
): ReadonlyMap<string, number | null> {
  const colours = new Map<string, number | null>();
  const taken = new Set<number>();
  for (const { name, kind } of series) {
    if (kind === 'other') continue;
    const first = kind === 'all' ? 0 : Math.max(0, names.indexOf(name)) % COLOURS;
    const free = Array.from({ length: COLOURS }, (_, i) => (first + i) % COLOURS).find((i) => !taken.has(i));
    if (free !== undefined) taken.add(free);
    colours.set(name, free === undefined ? null : free + 1);
  }
  return colours;
}

/** As CSS; grey for what has no colour of its own. */
export const colourOf = (colours: ReadonlyMap<string, number | null>, { name, kind }: Series): string => {
  const number = kind === 'other' ? null : colours.get(name);
  return number === null || number === undefined ? 'var(--grey)' : `var(--s${number})`;
};
