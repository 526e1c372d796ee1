// Gets a value of a map or inserts a new one, adds to a number in a map, and memoizes. Node.js 20 has no `getOrInsert`.

interface Values<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** The value of a key. A missing value is made and inserted. */
export function getOrInsert<Key, Value>(map: Values<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** Adds to the number of a key. A missing number counts as 0. */
export function addTo<Key>(map: Values<Key, number>, key: Key, by: number): void {
  map.set(key, (map.get(key) ?? 0) + by);
}

/** The function `compute` with a cache of its results. It must be called with only a few different texts. */
export function memoized<Value>(compute: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => getOrInsert(known, text, () => compute(text));
}
