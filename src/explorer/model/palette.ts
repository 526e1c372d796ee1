// Gives colours to series, so that no two series of a chart share one.
//
// The place of a name among all values of the dimension decides which colour is tried first. So a series usually keeps
// its colour when filters change.

import type { Series } from './series.ts';

/** The numbers of the colours `--s1` to `--s8` in style.css, which people can tell apart best, counted from 0. */
const FIRST_COLOURS = [0, 1, 2, 3, 4, 5, 6, 7];
/** The numbers of `--s9` to `--s12`, for charts with more than eight series. */
const FURTHER_COLOURS = [8, 9, 10, 11];

/**
 * The number of each series' colour, from 1; null for a series that is grey because all twelve colours are taken.
 *
 * @param names all values of the dimension. The place of a name among them determines its colour.
 */
export function coloursOf(
  series: readonly Series[],
  names: readonly string[],
): ReadonlyMap<string, number | null> {
  const colours = new Map<string, number | null>();
  const taken = new Set<number>();
  for (const { name, kind } of series) {
    if (kind === 'other') continue;
    const first = kind === 'all' ? 0 : Math.max(0, names.indexOf(name)) % FIRST_COLOURS.length;
    const inTurn = [...FIRST_COLOURS.slice(first), ...FIRST_COLOURS.slice(0, first), ...FURTHER_COLOURS];
    const free = inTurn.find((colour) => !taken.has(colour));
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
