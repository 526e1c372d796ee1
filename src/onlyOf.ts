// Tells whether all items have one value, such as one country.

/** The value that all items have; null when they have none, or several. */
export function onlyOf<Value>(values: Iterable<Value>): Value | null {
  const [only, ...others] = new Set(values);
  return only === undefined || others.length > 0 ? null : only;
}
