// Searches the list of keys: by label, last characters, id, and the words that the list itself shows.

import { folded, type IndexedKey } from '../../../access/keys/keyIndex.ts';
import type { KeyInfo } from '../../../access/keys/keys.ts';

/**
 * Whether a key matches a search: by a part of its label or of its last four characters, or by its id. Words of the list
 * itself, such as `revoked`, are filters: `acme revoked` finds Acme's revoked keys.
 */
export function matchOf(search: string): (key: IndexedKey) => boolean {
  const words = folded(search)
    .split(' ')
    .filter((word) => word !== '');
  if (words.length === 0) return () => true;
  const whole = words.join(' ');
  const wordsBeside = memoized((facts: string) => {
    const taken = facts.split(' ');
    return words.filter((word) => !taken.includes(word)).join(' ');
  });
  return (key) => {
    if (key.text.includes(whole)) return true;
    const rest = wordsBeside(factsOf(key));
    return (
      (rest !== whole && key.text.includes(rest)) ||
      key.last4.toLowerCase().includes(rest) ||
      key.id.toLowerCase() === rest
    );
  };
}

/** The words of the list itself that describe a key. */
const factsOf = ({ state, expires, used }: KeyInfo): string =>
  `${state}${state === 'active' && expires !== null ? ' ending' : ''}${used === null ? ' never unused' : ''}`;

/** Caches results: ten thousand keys share a few different texts of facts. */
function memoized(of: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const value = of(text);
    known.set(text, value);
    return value;
  };
}
