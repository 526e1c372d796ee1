// Defines the events that can be observed in a running server. The log and the metrics are made from them.

/** An event. It is reported once, where it happens. `log.ts` defines the log line of each event. */
export type Observation =
  | RequestAnswered
  | { readonly event: 'request failed'; readonly requestId: string; readonly error: unknown }
  | {
      readonly event: 'connection refused';
      readonly status: number;
      readonly code: string | undefined;
      /** The address at the other end of the connection. Behind a proxy, it is that of the proxy. */
      readonly address: string | undefined;
    }
  | { readonly event: 'connection not accepted'; readonly error: Error }
  | { readonly event: 'key checked'; readonly outcome: string }
  | { readonly event: 'gate answered'; readonly durationMs: number }
  | { readonly event: 'rows selected'; readonly path: SelectionPath }
  | { readonly event: 'export begun' }
  | { readonly event: 'export refused' }
  | ExportEnded
  | { readonly event: 'keys cannot be checked'; readonly reason: string }
  | { readonly event: 'snapshot served'; readonly snapshot: string }
  | { readonly event: 'snapshot refused'; readonly snapshot: string; readonly reason: string }
  | { readonly event: 'snapshots cannot be followed'; readonly error: unknown }
  | { readonly event: 'history read hangs'; readonly file: string }
  | { readonly event: 'store up'; readonly address: string }
  | { readonly event: 'store failed'; readonly reason: string }
  | SnapshotFetched
  | { readonly event: 'snapshot not fetched'; readonly snapshot: string; readonly reason: string }
  | { readonly event: 'no snapshot'; readonly dataDir: string }
  | { readonly event: 'redis up' }
  | { readonly event: 'redis down' }
  /** Redis accepts connections, but serves no commands until it has read its data from disk. */
  | { readonly event: 'redis loading' }
  | { readonly event: 'redis refuses writes'; readonly reason: string }
  | { readonly event: 'redis takes writes' }
  | { readonly event: 'redis may evict'; readonly policy: string }
  | { readonly event: 'redis too old'; readonly version: string }
  /** A library has written to the console. */
  | { readonly event: 'library warned'; readonly warning: string }
  | { readonly event: 'redis not reached'; readonly reason: string; readonly remedy?: string | undefined }
  | { readonly event: 'redis not started'; readonly reason: string }
  /** The private Redis has started without data that it had before. */
  | { readonly event: 'redis lost data'; readonly reason: string }
  /** Files of the private Redis were deleted. If their folder still exists, Redis writes them anew from its memory. */
  | { readonly event: 'redis files gone'; readonly reason: string; readonly isWrittenAnew: boolean }
  | { readonly event: 'redis failed a page'; readonly reason: string }
  | { readonly event: 'redis awaited' }
  /** A person could not sign in through the identity provider. */
  | { readonly event: 'sign-in failed'; readonly reason: string; readonly remedy?: string | undefined }
  | { readonly event: 'few threads'; readonly advice: string }
  /** A setting is allowed, but probably a mistake. */
  | { readonly event: 'setting doubted'; readonly advice: string }
  | { readonly event: 'links lead here only'; readonly publicUrl: string; readonly host: string }
  | { readonly event: 'no claim link'; readonly error: unknown }
  | DrainBegun
  | DrainWaits
  | DrainEnded
  /** The process ends although reads of files have not returned. */
  | { readonly event: 'reads hang' }
  | WorkerDied;

/** A consumer of observations. It must return at once, and must not throw. */
export type Observe = (observation: Observation) => void;

/** The answer to a request has ended, complete or not. */
export interface RequestAnswered {
  readonly event: 'request answered';
  /** The path as `app.ts` declares it; `pages` for the pages for people, `none` for a path without a route. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  /** The bytes that were sent for this answer, its head included. */
  readonly bytes: number;
  /** Whether the client closed the connection before it had received the whole answer. */
  readonly isCutShort: boolean;
  /** Computes the facts that only the access log needs. A consumer must call it before it returns, or not at all. */
  details(): RequestDetails;
}

/** The facts about an answered request that only the access log needs. */
export interface RequestDetails {
  readonly requestId: string;
  readonly method: string | undefined;
  /** The path without the query string and without tokens (ruling 26). */
  readonly path: string;
  /**
   * The address of the client: from `X-Forwarded-For` if `TRUST_PROXY_HOPS` trusts proxies, else that of the connection.
   */
  readonly address: string | undefined;
  /** The id of the key, which is not the key itself; null without a known key. */
  readonly keyId: string | null;
  /** The id of the snapshot that the answer comes from; null when it comes from none. */
  readonly snapshot: string | null;
}

/** A snapshot was downloaded from the store, and all its checksums were right. */
export interface SnapshotFetched {
  readonly event: 'snapshot fetched';
  readonly snapshot: string;
  readonly bytes: number;
  readonly durationMs: number;
}

/** How the rows of a page were found. `known` means without a search: they were cached, or were all rows or none. */
export type SelectionPath = 'known' | 'scan' | 'engine';

/** An export that was not refused has ended. */
export interface ExportEnded {
  readonly event: 'export ended';
  readonly format: string;
  /** Whether the client received the whole file. */
  readonly isComplete: boolean;
}

/** A signal has asked the server to end. */
export interface DrainBegun {
  readonly event: 'drain begun';
  /** The number of idle connections, which are closed at once. */
  readonly closed: number;
  /** The number of connections that wait for an answer or are reading one. */
  readonly waitsFor: number;
}

/** A drain is not over yet. This is reported every second. */
export interface DrainWaits {
  readonly event: 'drain waits';
  /** The number of connections whose answer is not complete. */
  readonly unanswered: number;
  /** The number of connections whose client has not read the whole answer yet. */
  readonly unread: number;
}

/** The drain is over, and the server ends. */
export interface DrainEnded {
  readonly event: 'drain ended';
  readonly durationMs: number;
  /** The number of connections that were cut at the deadline. */
  readonly cut: number;
}

/** A worker process has ended although nobody asked it to. */
export interface WorkerDied {
  readonly event: 'worker died';
  readonly pid: number | undefined;
  readonly code: number | null;
  readonly signal: string | null;
}
