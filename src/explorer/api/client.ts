// The client of the API. It sends the key, returns failures as values, and caches answers of named snapshots.

import type { Failure, FieldErrors } from './failure.ts';
import { createRequestsLeftReader, type RequestsLeft } from './requestsLeft.ts';

export type QueryPairs = readonly (readonly [string, string])[];

export interface AskOptions {
  readonly signal?: AbortSignal;
  /** The value of `X-Snapshot`; left out for the current snapshot. */
  readonly snapshot?: string;
  /** Whether the API must refuse filter values that the dataset does not have. */
  readonly isStrict?: boolean;
  /** Whether the browser must ask the server before it answers from its cache. */
  readonly isFresh?: boolean;
}

/**
 * An answer or a failure. `snapshot` is the id of the snapshot that the answer comes from; empty if the answer has
 * none.
 */
export type Reply<Body> = { readonly kind: 'ok'; readonly body: Body; readonly snapshot: string } | Failure;

export type Ask = <Body>(path: string, pairs: QueryPairs, options?: AskOptions) => Promise<Reply<Body>>;

/** What every request for an answer needs: the same snapshot, and the signal that cancels them all. */
export interface RequestContext {
  readonly ask: Ask;
  readonly snapshot: string;
  readonly signal: AbortSignal;
}

export interface Client {
  readonly ask: Ask;
  /** Gives the response without reading its body, for a download. */
  fetch(path: string, pairs: QueryPairs, options?: AskOptions): Promise<Reply<Response>>;
}

export interface ClientOptions {
  /** The address of the service, with a slash at the end. */
  readonly root: string;
  readonly key: string;
  readonly onRequestsLeft: (limits: RequestsLeft) => void;
  /** Is called whenever the API refuses the key. */
  readonly onKeyRefused: () => void;
  /** How long an answer may take before it counts as none; MAX_ANSWER_MS when left out. */
  readonly maxAnswerMs?: number;
}

/** A client for one key. Each client has its own cache, so no key gets answers that the API gave to another key. */
export function createClient({
  root,
  key,
  onRequestsLeft,
  onKeyRefused,
  maxAnswerMs = MAX_ANSWER_MS,
}: ClientOptions): Client {
  const expectAnswer = createRequestsLeftReader();
  const cachedAnswers = new Map<string, { readonly body: unknown; readonly snapshot: string }>();

  async function fetchOne(
    path: string,
    pairs: QueryPairs,
    options: AskOptions = {},
  ): Promise<Reply<Response>> {
    try {
      const { signal } = options;
      const headers = headersOf(key, options);
      const cache = options.isFresh ? 'no-cache' : 'default';
      const readRequestsLeft = expectAnswer();
      // Node's types, with which the tests are compiled, do not have `cache` among the options of `fetch`.
      const request = { headers, cache, ...(signal && { signal }) } as const;
      const response = await fetch(root + pathAndQuery(path, pairs), request);
      const requestsLeft = readRequestsLeft(response.headers);
      if (requestsLeft !== null) onRequestsLeft(requestsLeft);
      if (response.status === 401) onKeyRefused();
      const snapshot = response.headers.get('x-snapshot') ?? '';
      return response.ok ? { kind: 'ok', body: response, snapshot } : await failureOf(response);
    } catch {
      return options.signal?.aborted ? { kind: 'cancelled' } : AWAY;
    }
  }

  async function ask<Body>(path: string, pairs: QueryPairs, options: AskOptions = {}): Promise<Reply<Body>> {
    const id = `${options.snapshot ?? ''} ${options.isStrict ?? false} ${pathAndQuery(path, pairs)}`;
    const known = cachedAnswers.get(id);
    if (known !== undefined) return { kind: 'ok', body: known.body as Body, snapshot: known.snapshot };
    const limited = limitedSignal(options.signal, maxAnswerMs);
    try {
      const reply = await fetchOne(path, pairs, { ...options, signal: limited.signal });
      if (reply.kind === 'cancelled' && options.signal?.aborted !== true) return AWAY;
      if (reply.kind !== 'ok') return reply;
      const body = (await reply.body.json()) as Body;
      const { snapshot } = reply;
      // Only answers of a snapshot that is named by its id are cached, because a month or a day may mean another
      // snapshot later.
      if (options.snapshot === snapshot) cacheAnswer(cachedAnswers, id, { body, snapshot });
      return { kind: 'ok', body, snapshot };
    } catch {
      return options.signal?.aborted ? { kind: 'cancelled' } : AWAY;
    } finally {
      limited.end();
    }
  }

  return { ask, fetch: fetchOne };
}

/** A signal that also aborts when an answer takes too long. `end` must be called when the answer is complete. */
function limitedSignal(
  signal: AbortSignal | undefined,
  maxAnswerMs: number,
): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, maxAnswerMs);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    },
  };
}

/**
 * How long an answer may take. The service takes seconds and slow lines half a minute, but a connection that was lost
 * without a word, for example by a VPN, would be waited for in vain.
 */
const MAX_ANSWER_MS = 60_000;

const pathAndQuery = (path: string, pairs: QueryPairs): string => {
  const query = queryString(pairs);
  return `${path.replace(/^\//, '')}${query && `?${query}`}`;
};

/** The query string of a request, in ASCII. */
export const queryString = (pairs: QueryPairs): string =>
  new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString();

const headersOf = (key: string, { snapshot, isStrict }: AskOptions): Record<string, string> => ({
  'x-api-key': key,
  ...(snapshot !== undefined && { 'x-snapshot': headerText(snapshot) }),
  ...(isStrict && { prefer: 'handling=strict' }),
});

/**
 * The name of a snapshot as the value of a header, in printable ASCII. No snapshot has a name with other characters, so
 * the API refuses the changed name as unknown, as it would refuse the original.
 */
const headerText = (text: string): string => text.replace(/[^\x21-\x7e]/g, '?').slice(0, 100) || '?';

/** The failure when there was no answer, or only a part of one. */
const AWAY = { kind: 'away', waitSeconds: 5 } as const satisfies Failure;

async function failureOf(response: Response): Promise<Failure> {
  const { status } = response;
  const waitSeconds = Math.max(1, Number(response.headers.get('retry-after')) || AWAY.waitSeconds);
  if (status === 401) return { kind: 'unauthorised' };
  if (status === 429) return { kind: 'limited', waitSeconds };
  if (status >= 500) return { kind: 'away', waitSeconds };
  const topic = /#unknown-snapshot>/.test(response.headers.get('link') ?? '') ? 'unknown-snapshot' : 'other';
  const { error, details } = (await response.json().catch(() => ({}))) as RefusalBody;
  return {
    kind: 'refused',
    error: error ?? `Status ${status}`,
    fieldErrors: details?.fieldErrors ?? {},
    topic,
  };
}

interface RefusalBody {
  readonly error?: string;
  readonly details?: { readonly fieldErrors?: FieldErrors };
}

/** How many answers are cached. A new one replaces the oldest. */
const MAX_CACHED_ANSWERS = 300;

function cacheAnswer(answers: Map<string, unknown>, id: string, body: unknown): void {
  const oldest = answers.size >= MAX_CACHED_ANSWERS ? answers.keys().next().value : undefined;
  if (oldest !== undefined) answers.delete(oldest);
  answers.set(id, body);
}
