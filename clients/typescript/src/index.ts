// A typed client of the gambling data API: `const api = gamblingData({ url, key })`, then `api.GET('/v1/totals', …)`.

import createClient, { type Client, createQuerySerializer } from 'openapi-fetch';
import { DataApiError } from './dataApiError.ts';
import { expectValues } from './expectValues.ts';
import { patientFetch } from './patientFetch.ts';
import type { components, operations, paths } from './schema.ts';

export { DataApiError, type Refusal } from './dataApiError.ts';
export type { components, operations, paths };

type Schemas = components['schemas'];

/** The type of a row, for each metric. */
export interface RowsOf {
  readonly ggr: Schemas['GgrRow'];
  readonly turnover: Schemas['TurnoverRow'];
  readonly fx: Schemas['FxRow'];
  readonly country: Schemas['CountryRow'];
}

export type Metric = keyof RowsOf;

/** A row of any metric: its dimensions and its values, by name. */
export type Row = RowsOf[Metric];

export interface Options {
  /** The server's address, such as `https://data.example`. */
  readonly url: string;
  /** The key of a claimed invite. It is sent as `x-api-key` and nowhere else. */
  readonly key: string;
  /** The longest wait for the beginning of an answer, and for each next part unless it is a file; 30 when left out. */
  readonly answerSeconds?: number;
  /** How long one request waits in all after answers 429 and 503; 120 when left out. */
  readonly maxWaitSeconds?: number;
}

/**
 * Makes a client. The compiler checks the paths, parameters and answers of its requests. An answer has `data` or `error`,
 * and the `response` with its headers.
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

/** Writes several values of a parameter as `country=Malta&country=Italy`. */
const serialized = createQuerySerializer({ array: { style: 'form', explode: true } });

/** The parameters of `/v1/financials` without `cursor` and `limit`. */
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
 * Yields every row of a question, page by page. All pages come from the snapshot of the first page.
 *
 * @throws {DataApiError} when the server refuses a page. Rows that were yielded before stay valid.
 */
export async function* rows<Of extends Metric>(
  api: Client<paths, 'application/json'>,
  question: Question<Of>,
  { snapshot, signal }: Walk = {},
): AsyncGenerator<RowsOf[Of]> {
  let cursor: string | null = null;
  do {
    const query: Page = { ...question, limit: 1000, ...(cursor !== null && { cursor }) };
    // The cursor names the snapshot. `X-Snapshot` is not repeated, because a month may mean another snapshot by now.
    const header: PageHeaders = snapshot !== undefined && cursor === null ? { 'X-Snapshot': snapshot } : {};
    const { data, error, response } = await api.GET('/v1/financials', {
      params: { query, header },
      ...(signal && { signal }),
    });
    if (data === undefined) throw new DataApiError(error, response);
    // The server answers with rows of the requested metric.
    yield* data.data as RowsOf[Of][];
    ({ cursor } = data.pagination);
  } while (cursor !== null);
}
