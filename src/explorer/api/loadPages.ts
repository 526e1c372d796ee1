// Loads the pages of a query from the API, one after the other.

import type { QueryPairs, RequestContext } from './client.ts';
import type { Failure } from './failure.ts';
import type { Pagination } from './responseTypes.ts';

interface Page {
  readonly data: readonly unknown[];
  readonly pagination: Pagination;
}

export interface Pages<Body extends Page> {
  readonly first: Body;
  /** The rows of all pages. */
  readonly data: readonly Body['data'][number][];
}

/**
 * Loads pages of 1,000 rows.
 *
 * @param maxPages the most pages to load; all pages when left out.
 * @returns the pages, or the first failure.
 */
export async function loadPages<Body extends Page>(
  path: string,
  pairs: QueryPairs,
  context: RequestContext,
  maxPages = Number.POSITIVE_INFINITY,
): Promise<Pages<Body> | Failure> {
  const firstPage: QueryPairs = [...pairs, ['limit', '1000']];
  const first = await context.ask<Body>(path, firstPage, context);
  if (first.kind !== 'ok') return first;
  const data: Body['data'][number][] = [...first.body.data];
  let { cursor } = first.body.pagination;
  for (let pages = 1; cursor !== null && pages < maxPages; pages++) {
    const next = await context.ask<Body>(path, [...firstPage, ['cursor', cursor]], context);
    if (next.kind !== 'ok') return next;
    data.push(...next.body.data);
    cursor = next.body.pagination.cursor;
  }
  return { first: first.body, data };
}
