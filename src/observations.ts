// Every event that can be observed in a running server, as one type. The log consumes it today, metrics can tomorrow.

/** An event, reported once, where it happens. `log.ts` decides which events become log lines. */
export type Observation =
  | RequestAnswered
  | { readonly event: 'request failed'; readonly requestId: string; readonly error: unknown }
  | { readonly event: 'connection refused'; readonly status: number; readonly code: string | undefined }
  | { readonly event: 'connection not accepted'; readonly error: Error }
  | { readonly event: 'key checked'; readonly outcome: string }
  | { readonly event: 'keys cannot be checked'; readonly reason: string }
  | { readonly event: 'snapshot served'; readonly snapshot: string }
  | { readonly event: 'snapshot refused'; readonly snapshot: string; readonly reason: string }
  | { readonly event: 'snapshots cannot be followed'; readonly error: unknown }
  | { readonly event: 'no snapshot'; readonly dataDir: string }
  | { readonly event: 'redis up' }
  | { readonly event: 'redis down' }
  | { readonly event: 'redis not reached'; readonly reason: string }
  | { readonly event: 'redis not started'; readonly reason: string }
  | { readonly event: 'redis failed a page'; readonly reason: string }
  | { readonly event: 'redis awaited' }
  | { readonly event: 'few threads'; readonly advice: string }
  | { readonly event: 'links lead here only'; readonly publicUrl: string; readonly host: string }
  | { readonly event: 'no claim link'; readonly error: unknown }
  | DrainBegun
  | DrainWaits
  | DrainEnded
  | WorkerDied;

/** A consumer of observations: it must return at once and never throw. */
export type Observe = (observation: Observation) => void;

export interface RequestAnswered {
  readonly event: 'request answered';
  readonly requestId: string;
  readonly method: string | undefined;
  /** Without the query string and without tokens (ruling 26). */
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  /** The client closed the connection before it received the whole answer. */
  readonly isCutShort: boolean;
}

/** A signal asked the server to end. */
export interface DrainBegun {
  readonly event: 'drain begun';
  /** Idle connections, which are closed at once. */
  readonly closed: number;
  /** Connections that wait for an answer or still read one. */
  readonly waitsFor: number;
}

/** Reported every second while a drain lasts. */
export interface DrainWaits {
  readonly event: 'drain waits';
  /** Connections whose answer is not complete. */
  readonly unanswered: number;
  /** Connections whose answer is complete but not fully read. */
  readonly unread: number;
}

export interface DrainEnded {
  readonly event: 'drain ended';
  readonly durationMs: number;
  /** Connections cut at the deadline. */
  readonly cut: number;
}

/** A worker process ended although no signal asked it to. */
export interface WorkerDied {
  readonly event: 'worker died';
  readonly pid: number | undefined;
  readonly code: number | null;
  readonly signal: string | null;
}
