// A typed client of the gambling data API: `const api = gamblingData({ url, key })`, then `api.GET('/v1/totals', …)`.

import createClient, { type Client, createQuerySerializer } from 'openapi-fetch';
import { expectValues } from './expectValues.ts';
import { patientFetch } from './patientFetch.ts';
import type { components, operations, paths } from './schema.ts';

export type { components, operations, paths };

/** A fact: its dimensions and values by name. */
export type Row = components['schemas']['FinancialsPage']['data'][number];

export interface Options {
  /** The server's address, such as `https://data.example`. */
  readonly url: string;
  /** The key of a claimed invite. It is sent as `x-api-key` and nowhere else. */
  readonly key: string;
  /** How long the server may take to begin an answer; 30 when left out. */
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

/** The server refused a request, or could not answer it. */
export class DataApiError extends Error {
  readonly status: number;
  /** The page that explains this very case; null when the server names none. */
  readonly help: string | null;

  constructor(message: string, response: Response) {
    super(message);
    this.name = 'DataApiError';
    this.status = response.status;
    this.help = /<([^>]+)>; rel="help"/.exec(response.headers.get('link') ?? '')?.[1] ?? null;
  }
}

/** What `/v1/financials` takes, without the paging. */
export type Question = Omit<Page, 'cursor' | 'limit'>;

type Page = operations['getFinancials']['parameters']['query'];

/**
 * Every row that a question selects, page by page. All pages are of the snapshot that the first one named.
 *
 * @throws {DataApiError} when the server refuses a page; rows given before stay valid.
 */
export async function* rows(api: Client<paths, 'application/json'>, question: Question): AsyncGenerator<Row> {
  let cursor: string | null = null;
  do {
    const query: Page = { ...question, limit: 1000, ...(cursor !== null && { cursor }) };
    const { data, error, response } = await api.GET('/v1/financials', { params: { query } });
    if (data === undefined) throw new DataApiError(error?.error ?? response.statusText, response);
    yield* data.data;
    ({ cursor } = data.pagination);
  } while (cursor !== null);
}
