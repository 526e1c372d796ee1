// Searches the list of keys by label, last characters and id, and by words of the list itself, such as `revoked`.

import { folded, type IndexedKey } from '../../../access/keys/keyIndex.ts';
import type { KeyInfo } from '../../../access/keys/keyRecords.ts';
import { memoized } from '../../../basics/maps.ts';

/**
 * Returns a function that tells whether a key matches a search. A key matches by a part of its label or of its last
 * four characters, or by its id. Words that the list shows are filters: `acme revoked` finds the revoked keys of Acme.
 */
export function matchOf(search: string): (key: IndexedKey) => boolean {
  const words = folded(search)
    .split(' ')
    .filter((word) => word !== '');
  if (words.length === 0) return () => true;
  const whole = words.join(' ');
  // The facts of ten thousand keys are only a few different texts.
  const withoutFilters = memoized((facts: string) => {
    const filters = facts.split(' ');
    return words.filter((word) => !filters.includes(word)).join(' ');
  });
  return (key) => {
    if (key.foldedLabel.includes(whole)) return true;
    const rest = withoutFilters(factsOf(key));
    return (
      (rest !== whole && key.foldedLabel.includes(rest)) ||
      key.last4.toLowerCase().includes(rest) ||
      key.id.toLowerCase() === rest
    );
  };
}

/** The words that describe a key in the list: its state, and whether it was ever used. */
const factsOf = ({ state, expiresMs, usedMs }: KeyInfo): string =>
  `${state}${state === 'active' && expiresMs !== null ? ' ending' : ''}${usedMs === null ? ' never unused' : ''}`;
