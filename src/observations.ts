// Everything that can be observed of a running server, as one type. The log is its one consumer; metrics can be another.

/** Something that happened, told once where it happens. What is worth a log line, `log.ts` decides. */
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
  /** The client closed the connection before it had the whole answer. */
  readonly isCutShort: boolean;
}

/** The server was asked to end. */
export interface DrainBegun {
  readonly event: 'drain begun';
  /** Connections without an unfinished answer, closed at once. */
  readonly closed: number;
  /** Connections that still wait for an answer, or have not read theirs. */
  readonly waitsFor: number;
}

/** Told every second while a drain lasts. */
export interface DrainWaits {
  readonly event: 'drain waits';
  /** Connections whose answer is being made. */
  readonly unanswered: number;
  /** Connections whose answer is complete and which have not read it to its end. */
  readonly unread: number;
}

export interface DrainEnded {
  readonly event: 'drain ended';
  readonly durationMs: number;
  /** Connections cut at the deadline. */
  readonly cut: number;
}

/** One of several processes ended without being asked to. */
export interface WorkerDied {
  readonly event: 'worker died';
  readonly pid: number | undefined;
  readonly code: number | null;
  readonly signal: string | null;
}
