// Refuses filters without values: in a query string they would be no filters.

/** The parameters for which no value means the same as leaving them out. */
const MAY_BE_EMPTY: readonly string[] = ['by', 'change', 'dimension'];

/**
 * Gives the query back when each of its filters has a value.
 *
 * @throws {TypeError} for `country: []`, which the server would answer with every country.
 */
export function expectValues<Query extends object>(query: Query): Query {
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value) && value.length === 0 && !MAY_BE_EMPTY.includes(name))
      throw new TypeError(`${name}: [] has no value; name one, or leave the filter out to select all`);
  }
  return query;
}
