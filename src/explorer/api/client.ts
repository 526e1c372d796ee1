// Asks the API with the person's key. Every outcome is a value, and no answer is asked for twice.

export type Pairs = readonly (readonly [string, string])[];

export interface AskOptions {
  readonly signal?: AbortSignal;
  /** What `X-Snapshot` names; left out, the current snapshot answers. */
  readonly snapshot?: string;
  /** Refuse filter values that the dataset does not have. */
  readonly isStrict?: boolean;
}

export type Reply<Body> = { readonly kind: 'ok'; readonly body: Body } | Failure;

export type Failure =
  | { readonly kind: 'refused'; readonly error: string; readonly fields: Fields }
  | { readonly kind: 'unauthorised' }
  /** `limited`: the key's requests are used up. `away`: the service or the network does not answer. */
  | { readonly kind: 'limited' | 'away'; readonly waitSeconds: number }
  | { readonly kind: 'cancelled' };

/** The problems of a refused request, by parameter. */
export type Fields = Readonly<Record<string, readonly string[]>>;

export interface Limits {
  /** Requests that are left, by window: `minute`, `day`. */
  readonly left: Readonly<Record<string, number>>;
}

export type Ask = <Body>(path: string, pairs: Pairs, options?: AskOptions) => Promise<Reply<Body>>;

export interface Client {
  readonly ask: Ask;
  /** The answer as it came, for a download. */
  fetch(path: string, pairs: Pairs, options?: AskOptions): Promise<Reply<Response>>;
}

export interface ClientOptions {
  /** Ends with a slash. */
  readonly root: string;
  readonly key: string;
  readonly onLimits: (limits: Limits) => void;
}

export function createClient({ root, key, onLimits }: ClientOptions): Client {
  const answers = new Map<string, unknown>();

  async function fetchOne(path: string, pairs: Pairs, options: AskOptions = {}): Promise<Reply<Response>> {
    try {
      const { signal } = options;
      const headers = headersOf(key, options);
      const response = await fetch(root + addressOf(path, pairs), { headers, ...(signal && { signal }) });
      const limits = limitsOf(response.headers.get('ratelimit'));
      if (limits !== null) onLimits(limits);
      return response.ok ? { kind: 'ok', body: response } : await failureOf(response);
    } catch {
      return options.signal?.aborted ? { kind: 'cancelled' } : AWAY;
    }
  }

  async function ask<Body>(path: string, pairs: Pairs, options: AskOptions = {}): Promise<Reply<Body>> {
    const id = `${options.snapshot ?? ''} ${options.isStrict ?? false} ${addressOf(path, pairs)}`;
    if (answers.has(id)) return { kind: 'ok', body: answers.get(id) as Body };
    const reply = await fetchOne(path, pairs, options);
    if (reply.kind !== 'ok') return reply;
    try {
      const body = (await reply.body.json()) as Body;
      // Only the answers of a named snapshot never change.
      if (options.snapshot !== undefined) remember(answers, id, body);
      return { kind: 'ok', body };
    } catch {
      return options.signal?.aborted ? { kind: 'cancelled' } : AWAY;
    }
  }

  return { ask, fetch: fetchOne };
}

const addressOf = (path: string, pairs: Pairs): string => {
  const search = new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString();
  return `${path.replace(/^\//, '')}${search && `?${search}`}`;
};

const headersOf = (key: string, { snapshot, isStrict }: AskOptions): Record<string, string> => ({
  'x-api-key': key,
  ...(snapshot !== undefined && { 'x-snapshot': headerText(snapshot) }),
  ...(isStrict && { prefer: 'handling=strict' }),
});

/** A header holds no other characters; the API calls the result an unknown snapshot, as it should. */
const headerText = (text: string): string => text.replace(/[^\x21-\x7e]/g, '?').slice(0, 100) || '?';

const AWAY = { kind: 'away', waitSeconds: 5 } as const satisfies Failure;

async function failureOf(response: Response): Promise<Failure> {
  const { status } = response;
  const waitSeconds = Math.max(1, Number(response.headers.get('retry-after')) || AWAY.waitSeconds);
  if (status === 401) return { kind: 'unauthorised' };
  if (status === 429) return { kind: 'limited', waitSeconds };
  if (status >= 500) return { kind: 'away', waitSeconds };
  const { error, details } = (await response.json().catch(() => ({}))) as Refusal;
  return { kind: 'refused', error: error ?? `Status ${status}`, fields: details?.fieldErrors ?? {} };
}

interface Refusal {
  readonly error?: string;
  readonly details?: { readonly fieldErrors?: Fields };
}

/** `"minute";r=91;t=33, "day";r=9991;t=86373` */
function limitsOf(header: string | null): Limits | null {
  const windows = [...(header ?? '').matchAll(/"(\w+)";r=(\d+)/g)];
  if (windows.length === 0) return null;
  return { left: Object.fromEntries(windows.map(([, name = '', left]) => [name, Number(left)])) };
}

const CAPACITY = 300;

function remember(answers: Map<string, unknown>, id: string, body: unknown): void {
  const oldest = answers.size >= CAPACITY ? answers.keys().next().value : undefined;
  if (oldest !== undefined) answers.delete(oldest);
  answers.set(id, body);
}
