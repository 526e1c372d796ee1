// The colours of series: a series keeps its colour whatever is filtered, and none is given twice in one chart.

import type { Series } from './series.ts';

/** As many as the style sheet has: `--s1` to `--s8`. */
export const COLOURS = 8;

/** A colour number from 1 for each series by its name; null for those that are drawn in grey. */
export function coloursOf(series: readonly Series[]): ReadonlyMap<string, number | null> {
  const colours = new Map<string, number | null>();
  const taken = new Set<number>();
  for (const { name, kind } of series) {
    if (kind === 'other') continue;
    const first = kind === 'all' ? 0 : hash(name) % COLOURS;
    const free = Array.from({ length: COLOURS }, (_, i) => (first + i) % COLOURS).find((i) => !taken.has(i));
    if (free !== undefined) taken.add(free);
    colours.set(name, free === undefined ? null : free + 1);
  }
  return colours;
}

/** FNV-1a: the same name gets the same number everywhere. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return value >>> 0;
}

/** As CSS; grey for what has no colour of its own. */
export const colourOf = (colours: ReadonlyMap<string, number | null>, { name, kind }: Series): string => {
  const number = kind === 'other' ? null : colours.get(name);
  return number === null || number === undefined ? 'var(--grey)' : `var(--s${number})`;
};
