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

  constructor(status: number, message: string, details?: ErrorDetails) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.details = details;
  }

  /** The body of contract §7: `error`, and `details` where there are any. */
  toJSON(): { error: string; details?: ErrorDetails } {
    return this.details === undefined
      ? { error: this.message }
      : { error: this.message, details: this.details };
  }
}

/** The 400 whose details name what is wrong with each parameter (contract §7.2). */
export const invalidParameters = (details: ErrorDetails): ApiError =>
  new ApiError(400, 'Invalid query parameters', details);

/** No path of that name, or not with that method (rulings 2 and 18). */
export const notFound = (): ApiError => new ApiError(404, 'Endpoint does not exist');

/** Redis, the engine or a snapshot is missing for now (ruling 18); sent with `Retry-After: 1`. */
export const unavailable = (): ApiError =>
  new ApiError(503, 'Service temporarily unavailable — please try again later');
