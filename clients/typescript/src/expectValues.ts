// Refuses filters without values: the query string would not contain them, and the answer would have all rows.

/** The parameters that may be an empty list. It means the same as leaving them out. */
const MAY_BE_EMPTY: readonly string[] = ['by', 'change', 'dimension'];

/**
 * Returns the query when each of its filters has a value. A filter that is undefined or null is not sent, so it is allowed.
 *
 * @throws {TypeError} for `country: []`, `country: [undefined]` and `country: new Set(['Malta'])`. The server would answer
 *   them with every country.
 */
export function expectValues<Query extends object>(query: Query): Query {
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value) && value.length === 0 && !MAY_BE_EMPTY.includes(name))
      throw new TypeError(`${name}: [] has no value; name one, or leave the filter out to select all`);
    for (const one of Array.isArray(value) ? value : [value ?? ''])
      if (!SENT.includes(typeof one))
        throw new TypeError(`${name}: ${String(one)} is not a value; give a text, or a list of texts`);
  }
  return query;
}

/** The types of values that are sent. */
const SENT: readonly string[] = ['string', 'number', 'boolean', 'bigint'];
