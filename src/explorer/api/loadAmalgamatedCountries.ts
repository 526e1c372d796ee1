// Loads the names of amalgamated countries. Rankings leave them out, and filters list them last.

import type { Failure, Pairs } from './client.ts';
import { pagesOf } from './loadPages.ts';
import { type Context, isFailure } from './loadCountedSelection.ts';
import type { ReferenceRows } from './responseTypes.ts';

/** The names of amalgamated countries, which are estimates for the rest of a region. */
export async function amalgamated(context: Context): Promise<string[] | Failure> {
  const pairs: Pairs = [
    ['dataset', 'country_reference'],
    ['country_type', 'Amalgamated'],
  ];
  const pages = await pagesOf<ReferenceRows>('/v1/reference', pairs, context);
  return isFailure(pages) ? pages : pages.data.map(({ country }) => country ?? '');
}
