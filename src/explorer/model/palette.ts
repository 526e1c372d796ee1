// Gives colours to series. No two series of a chart share one of the eight colours.
// Once these are taken, series are grey. The place of a name among all values of the dimension decides which colour is
// tried first, so that a series usually keeps its colour when filters change.

import type { Series } from './series.ts';

/** The number of colours in style.css: `--s1` to `--s8`. */
const COLOURS = 8;

/**
 * The number of each series' colour, from 1; null for a series that is grey because all colours are taken.
 *
 * @param names all values of the dimension. The place of a name among them determines which colour is tried first.
 */
export function colourNumbersByName(
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

/** The colour of a series in CSS; grey for a series without a number. */
export const colourOf = (colours: ReadonlyMap<string, number | null>, { name, kind }: Series): string => {
  const number = kind === 'other' ? null : colours.get(name);
  return number === null || number === undefined ? 'var(--grey)' : `var(--s${number})`;
};
