// The errors a client may see, and their JSON body.

export interface ErrorDetails {
  /** Problems of no single parameter. */
  readonly formErrors: readonly string[];
  /** Messages per parameter; made without a prototype, so that any name is safe. */
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>;
}

/**
 * An expected refusal: the status and the very text the client receives (contract §7).
 *
 * The message is public: a cause never goes into it.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly details: ErrorDetails | undefined;
  /** When the same request may succeed; sent as `Retry-After` too. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, message: string, details?: ErrorDetails, retryAfterSeconds?: number) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** The body of contract §7: `error`, and what else there is to say. */
  toJSON(): { error: string; details?: ErrorDetails; retryAfterSeconds?: number } {
    const { message, details, status, retryAfterSeconds } = this;
    return {
      error: message,
      ...(details !== undefined && { details }),
      // The contract gives only the body of a 429 this field; a 503 says it in its header.
      ...(status === 429 && retryAfterSeconds !== undefined && { retryAfterSeconds }),
    };
  }
}

/** The 400 whose details name what is wrong with each parameter (contract §7.2). */
export const invalidParameters = (details: ErrorDetails): ApiError =>
  new ApiError(400, 'Invalid query parameters', details);

/** A request without a key (contract §5). */
export const missingKey = (): ApiError => new ApiError(401, 'Missing x-api-key header');

/** A key that is malformed, unknown, expired or revoked. The client is not told which (contract §5). */
export const invalidKey = (): ApiError => new ApiError(401, 'Invalid or revoked API key');

/** A limit is used up until then (contract §7.2). */
export const tooManyRequests = (retryAfterSeconds: number): ApiError =>
  new ApiError(429, 'Too many requests — please try again later', undefined, retryAfterSeconds);

/** No path of that name, or not with that method (rulings 2 and 18). */
export const notFound = (): ApiError => new ApiError(404, 'Endpoint does not exist');

/** Redis, the engine, a snapshot or room for one is missing for now (ruling 18). */
export const unavailable = (retryAfterSeconds = 1): ApiError =>
  new ApiError(503, 'Service temporarily unavailable — please try again later', undefined, retryAfterSeconds);
