// The errors that clients see, and their JSON body.

/** The member `details` of a 400 (contract §7.2). */
export interface ErrorDetails {
  /** Problems that do not belong to one parameter. */
  readonly formErrors: readonly string[];
  /** Messages by parameter. The object has no prototype, so that parameters can have any name. */
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>;
}

/** The name of a section of the documentation that explains one cause of an error. `http/docs/help/` has the texts. */
export type HelpTopic =
  // 400: parameters
  | 'metric-missing'
  | 'dataset-missing'
  | 'unknown-metric'
  | 'unknown-dataset'
  | 'reference-as-metric'
  | 'financial-as-reference'
  | 'misspelt-parameter'
  | 'dimension-of-another-dataset'
  | 'no-parameters'
  | 'given-twice'
  | 'period-format'
  | 'period-day'
  | 'period-turned-round'
  | 'limit'
  | 'year'
  | 'unknown-value'
  | 'broken-encoding'
  | 'invalid-cursor'
  | 'unknown-snapshot'
  | 'snapshot-day'
  | 'since-missing'
  | 'unknown-change'
  | 'sum-refused'
  | 'sum-too-large'
  | 'nothing-to-sum'
  | 'dimension-named-twice'
  | 'workbook-too-long'
  | 'malformed-request'
  // 401
  | 'key-missing'
  | 'key-as-bearer'
  | 'key-in-address'
  | 'key-refused'
  // 404
  | 'unknown-path'
  | 'path-without-version'
  | 'path-spelling'
  | 'method'
  | 'unknown-name'
  // 429
  | 'rate-limit'
  | 'address-limit';

/** The parts of an error besides its status and message. */
export interface ErrorExtras {
  readonly details?: ErrorDetails;
  readonly retryAfterSeconds?: number;
  readonly help?: readonly HelpTopic[];
  readonly preferenceApplied?: string;
  readonly cause?: unknown;
}

/**
 * An error that a client sees: a status and the exact message (contract §7).
 *
 * The message must not contain the text of a cause, because it is public.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly details: ErrorDetails | undefined;
  /**
   * After how many seconds the same request may succeed, also sent as `Retry-After`; undefined when waiting does not help.
   */
  readonly retryAfterSeconds: number | undefined;
  /** The sections that explain the error, sent as `Link` headers. Every 400, 401, 404 and 429 has at least one. */
  readonly help: readonly HelpTopic[];
  /**
   * The preference of the request that made this an error, such as `handling=strict`. It is sent as `Preference-Applied`.
   */
  readonly preferenceApplied: string | undefined;

  constructor(
    status: number,
    message: string,
    { details, retryAfterSeconds, help = [], preferenceApplied, cause }: ErrorExtras = {},
  ) {
    super(message, { cause });
    this.name = 'ApiError';
    this.status = status;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
    this.help = help;
    this.preferenceApplied = preferenceApplied;
  }

  /** The body of contract §7. */
  toJSON(): { error: string; details?: ErrorDetails; retryAfterSeconds?: number } {
    const { message, details, status, retryAfterSeconds } = this;
    return {
      error: message,
      ...(details !== undefined && { details }),
      // By contract only the body of a 429 has this field. A 503 has it in its header.
      ...(status === 429 && retryAfterSeconds !== undefined && { retryAfterSeconds }),
    };
  }
}

/** The 400 whose details name the problems of each parameter (contract §7.2). */
export const invalidParameters = (
  details: ErrorDetails,
  help: Iterable<HelpTopic>,
  extras: Pick<ErrorExtras, 'preferenceApplied'> = {},
): ApiError =>
  new ApiError(400, 'Invalid query parameters', { details, help: [...new Set(help)], ...extras });

/** The request has no key (contract §5). */
export const missingKey = (topic: HelpTopic = 'key-missing'): ApiError =>
  new ApiError(401, 'Missing x-api-key header', { help: [topic] });

/** The key is malformed, unknown, expired or revoked. The client does not learn which of these (contract §5). */
export const invalidKey = (): ApiError =>
  new ApiError(401, 'Invalid or revoked API key', { help: ['key-refused'] });

/** A rate limit is used up (contract §7.2). */
export const tooManyRequests = (retryAfterSeconds: number, topic: HelpTopic = 'rate-limit'): ApiError =>
  new ApiError(429, 'Too many requests — please try again later', { retryAfterSeconds, help: [topic] });

/** The path does not exist, or does not support the method (rulings 2 and 18). */
export const notFound = (topic: HelpTopic = 'unknown-path'): ApiError =>
  new ApiError(404, 'Endpoint does not exist', { help: [topic] });

/**
 * Redis, the engine, a snapshot, or memory for a snapshot is unavailable now (ruling 18).
 *
 * @param retryAfterSeconds after how many seconds a client may try again.
 * @param cause the cause, for a caller that goes on without the unavailable part. Clients do not see it.
 */
export const unavailable = (retryAfterSeconds = 1, cause?: unknown): ApiError =>
  new ApiError(503, 'Service temporarily unavailable — please try again later', {
    retryAfterSeconds,
    cause,
  });
