// Loads the names of amalgamated countries. Rankings leave them out, and filters list them last.

import type { QueryPairs, RequestContext } from './client.ts';
import { type Failure, isFailure } from './failure.ts';
import { loadPages } from './loadPages.ts';
import type { ReferenceRows } from './responseTypes.ts';

/** The names of amalgamated countries, which are estimates for the rest of a region. */
export async function loadAmalgamatedCountries(context: RequestContext): Promise<string[] | Failure> {
  const pairs: QueryPairs = [
    ['dataset', 'country_reference'],
    ['country_type', 'Amalgamated'],
  ];
  const pages = await loadPages<ReferenceRows>('/v1/reference', pairs, context);
  return isFailure(pages) ? pages : pages.data.map(({ country }) => country ?? '');
}
