// Groups, sorts and reduces lists.

/**
 * The items of each key, in their order. Keys are in the order in which they first occur. Node.js 20 and browsers of 2023
 * have no `Map.groupBy`.
 */
export function groupBy<Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): Map<Key, [Item, ...Item[]]> {
  const groups = new Map<Key, [Item, ...Item[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** The numbers in ascending order, each once. */
export const ascending = (numbers: Iterable<number>): number[] => [...new Set(numbers)].sort((a, b) => a - b);

/** The value, if all `values` are equal; null for an empty list, and for different values. */
export function onlyOf<Value>(values: Iterable<Value>): Value | null {
  const [only, ...others] = new Set(values);
  return only === undefined || others.length > 0 ? null : only;
}
