// A typed client of the gambling data API: `const api = gamblingData({ url, key })`, then `api.GET('/v1/totals', …)`.

import createClient, { type Client, createQuerySerializer } from 'openapi-fetch';
import { DataApiError } from './dataApiError.ts';
import { expectValues } from './expectValues.ts';
import { patientFetch } from './patientFetch.ts';
import type { components, operations, paths } from './schema.ts';

export { DataApiError, type Refusal } from './dataApiError.ts';
export type { components, operations, paths };

type Schemas = components['schemas'];

/** The rows of each metric. */
export interface RowsOf {
  readonly ggr: Schemas['GgrRow'];
  readonly turnover: Schemas['TurnoverRow'];
  readonly fx: Schemas['FxRow'];
  readonly country: Schemas['CountryRow'];
}

export type Metric = keyof RowsOf;

/** A fact: its dimensions and values by name. */
export type Row = RowsOf[Metric];

export interface Options {
  /** The server's address, such as `https://data.example`. */
  readonly url: string;
  /** The key of a claimed invite. It is sent as `x-api-key` and nowhere else. */
  readonly key: string;
  /** How long the server may take to begin an answer, and may pause within one that is not a file; 30 when left out. */
  readonly answerSeconds?: number;
  /** How long one request may wait in total for answers 429 and 503 to pass; 120 when left out. */
  readonly maxWaitSeconds?: number;
}

/**
 * Requests whose paths, parameters and answers are checked by the compiler. An answer has `data` or `error`, and the
 * `response` with its headers.
 */
export function gamblingData({
  url,
  key,
  answerSeconds = 30,
  maxWaitSeconds = 120,
}: Options): Client<paths, 'application/json'> {
  return createClient<paths, 'application/json'>({
    baseUrl: url.replace(/\/+$/, ''),
    fetch: patientFetch({ answerSeconds, maxWaitSeconds }),
    headers: { 'x-api-key': key },
    querySerializer: (query) => serialized(expectValues(query)),
  });
}

/** Several values of a parameter are sent as country=Malta&country=Italy. */
const serialized = createQuerySerializer({ array: { style: 'form', explode: true } });

/** What `/v1/financials` takes, without the paging. */
export type Question<Of extends Metric = Metric> = Omit<Page, 'cursor' | 'limit' | 'metric'> & {
  readonly metric: Of;
};

type Page = operations['getFinancials']['parameters']['query'];
type PageHeaders = NonNullable<operations['getFinancials']['parameters']['header']>;

export interface Walk {
  /** The snapshot that answers: its id, a month or a day; the current one when left out. */
  readonly snapshot?: string;
  /** Ends the walk. */
  readonly signal?: AbortSignal;
}

/**
 * Every row that a question selects, page by page. All pages are of the snapshot that the first one named.
 *
 * @throws {DataApiError} when the server refuses a page; rows given before stay valid.
 */
export async function* rows<Of extends Metric>(
  api: Client<paths, 'application/json'>,
  question: Question<Of>,
  { snapshot, signal }: Walk = {},
): AsyncGenerator<RowsOf[Of]> {
  let cursor: string | null = null;
  do {
    const query: Page = { ...question, limit: 1000, ...(cursor !== null && { cursor }) };
    // A cursor names its snapshot. A month may mean another one by now.
    const header: PageHeaders = snapshot !== undefined && cursor === null ? { 'X-Snapshot': snapshot } : {};
    const { data, error, response } = await api.GET('/v1/financials', {
      params: { query, header },
      ...(signal && { signal }),
    });
    if (data === undefined) throw new DataApiError(error, response);
    // The page has the rows of the metric that was asked for.
    yield* data.data as RowsOf[Of][];
    ({ cursor } = data.pagination);
  } while (cursor !== null);
}
