// Finds the only value in a list, such as the only country of some rows.

/** The value, if all `values` are equal; null for an empty list, and for different values. */
export function onlyOf<Value>(values: Iterable<Value>): Value | null {
  const [only, ...others] = new Set(values);
  return only === undefined || others.length > 0 ? null : only;
}
