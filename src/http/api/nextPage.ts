// Makes the query string of the next page, and the header `Link` that names the page.

export interface NextPage {
  readonly cursor: string;
  /** The query string of the page. A client that follows cursors will probably send exactly this text. */
  readonly query: string;
  readonly link: string;
}

/**
 * The page after an answer. It is stored in `identity`, the identity of the answer, so that it is made only once.
 *
 * @param path the path of the request, after the base path of the public address.
 * @param rawQuery the query string of the request.
 * @param cursor the cursor of the next page.
 */
export function nextPageOf(
  identity: { next: NextPage | null },
  path: string,
  rawQuery: string,
  cursor: string,
): NextPage {
  if (identity.next?.cursor === cursor) return identity.next;
  const query = withCursor(rawQuery, cursor);
  identity.next = { cursor, query, link: `<${percentEncoded(`${path}?${query}`)}>; rel="next"` };
  return identity.next;
}

/** The query string with this cursor in place of its own, or appended when it has none. */
export function withCursor(rawQuery: string, cursor: string): string {
  if (!MAY_HOLD_CURSOR.test(rawQuery)) return `${rawQuery}&cursor=${cursor}`;
  const query = ESCAPED_NAME.test(rawQuery) ? withPlainNames(rawQuery) : rawQuery;
  const replaced = query.replace(CURSOR, `$1cursor=${cursor}`);
  return replaced === query && !CURSOR.test(query) ? `${query}&cursor=${cursor}` : replaced;
}

const MAY_HOLD_CURSOR = /cursor=|%/;
const CURSOR = /(^|&)cursor=[^&]*/;
const ESCAPED_NAME = /(?:^|&)[^=&%]*%[^=&]*(?:=|&|$)/;

/** The query string with the parameter name `cursor` written without percent escapes. */
const withPlainNames = (rawQuery: string): string =>
  rawQuery
    .split('&')
    .map((part) => {
      const [name = ''] = part.split('=', 1);
      return decodeURIComponent(name) === 'cursor' ? `cursor${part.slice(name.length)}` : part;
    })
    .join('&');

/** The relative reference (RFC 8288), with every character percent-encoded that is not allowed in it. */
const percentEncoded = (reference: string): string =>
  reference.replace(
    /[^!#-;=?-~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
