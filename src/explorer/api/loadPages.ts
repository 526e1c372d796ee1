// Loads the pages of a query from the API, one after the other.

import type { Failure, Pairs } from './client.ts';
import type { Context } from './loadCountedSelection.ts';
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
 * @param mostPages the most pages to load; all pages when left out.
 * @returns the pages, or the first failure.
 */
export async function pagesOf<Body extends Page>(
  path: string,
  pairs: Pairs,
  context: Context,
  mostPages = Number.POSITIVE_INFINITY,
): Promise<Pages<Body> | Failure> {
  const firstPage: Pairs = [...pairs, ['limit', '1000']];
  const first = await context.ask<Body>(path, firstPage, context);
  if (first.kind !== 'ok') return first;
  const data: Body['data'][number][] = [...first.body.data];
  let { cursor } = first.body.pagination;
  for (let pages = 1; cursor !== null && pages < mostPages; pages++) {
    const next = await context.ask<Body>(path, [...firstPage, ['cursor', cursor]], context);
    if (next.kind !== 'ok') return next;
    data.push(...next.body.data);
    cursor = next.body.pagination.cursor;
  }
  return { first: first.body, data };
}
