// The errors that clients see, and their JSON body.

export interface ErrorDetails {
  /** Problems that belong to no single parameter. */
  readonly formErrors: readonly string[];
  /** Messages by parameter. The object has no prototype, so any parameter name is safe. */
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>;
}

/**
 * An expected refusal: its status and the exact message that the client receives (contract §7).
 *
 * The message is public, so it never contains a cause.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly details: ErrorDetails | undefined;
  /** When the same request may succeed; also sent as `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, message: string, details?: ErrorDetails, retryAfterSeconds?: number) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
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
export const invalidParameters = (details: ErrorDetails): ApiError =>
  new ApiError(400, 'Invalid query parameters', details);

/** A request without a key (contract §5). */
export const missingKey = (): ApiError => new ApiError(401, 'Missing x-api-key header');

/** A key that is malformed, unknown, expired or revoked. The client does not learn which (contract §5). */
export const invalidKey = (): ApiError => new ApiError(401, 'Invalid or revoked API key');

/** A rate limit is used up (contract §7.2). */
export const tooManyRequests = (retryAfterSeconds: number): ApiError =>
  new ApiError(429, 'Too many requests — please try again later', undefined, retryAfterSeconds);

/** The path does not exist, or does not support the method (rulings 2 and 18). */
export const notFound = (): ApiError => new ApiError(404, 'Endpoint does not exist');

/** Redis, the engine, a snapshot or memory for one is temporarily unavailable (ruling 18). */
export const unavailable = (retryAfterSeconds = 1): ApiError =>
  new ApiError(503, 'Service temporarily unavailable — please try again later', undefined, retryAfterSeconds);
