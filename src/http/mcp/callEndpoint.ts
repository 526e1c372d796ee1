// Calls an endpoint of the API within this process, through the handler of its HTTP requests.

import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Request, RequestHandler, Response } from 'express';
import { unavailable } from '../../errors.ts';
import type { HeaderList } from '../server/headers.ts';

/** An answer of an endpoint with status 200. */
export interface EndpointAnswer {
  readonly snapshotId: string;
  // biome-ignore lint/suspicious/noExplicitAny: each tool knows the body of its endpoint.
  readonly body: any;
}

export interface EndpointCall {
  readonly path: string;
  /** The encoded query string, without `?`. */
  readonly query: string;
  /** The headers of the request. Their names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The JSON answer of an endpoint. The handler does not check the key, so the caller must have checked it.
 *
 * @param disconnectSignal aborts when the client leaves.
 * @throws {ApiError} the refusal of the endpoint; 503 when the client has already left.
 */
export async function callEndpoint(
  handler: RequestHandler,
  { path, query, headers }: EndpointCall,
  disconnectSignal: AbortSignal,
): Promise<EndpointAnswer> {
  // An aborted signal sends no further event, so the endpoint would not notice that the client has left.
  if (disconnectSignal.aborted) throw unavailable();
  const request = new IncomingMessage(new Socket());
  request.method = 'GET';
  request.url = query === '' ? path : `${path}?${query}`;
  // Node gives each byte of a header as one character, and the handlers expect that.
  for (const [name, text] of Object.entries(headers))
    request.headers[name] = Buffer.from(text).toString('latin1');
  const response = new CapturedResponse(request);
  const leave = () => {
    // `disconnectSignalOf` may be called later. It then reads this flag.
    response.destroyed = true;
    response.emit('close');
  };
  disconnectSignal.addEventListener('abort', leave, { once: true });
  try {
    await new Promise((resolve, reject) => {
      const done = handler(request as Request, response as unknown as Response, (error) =>
        error ? reject(error) : resolve(null),
      );
      Promise.resolve(done).then(resolve, reject);
    });
  } finally {
    disconnectSignal.removeEventListener('abort', leave);
  }
  if (response.body === null) throw unavailable();
  return { snapshotId: response.headerOf('x-snapshot'), body: JSON.parse(response.body.toString()) };
}

/**
 * A response that stores the answer and does not send it. It never finishes, so that the next page is not prefetched.
 */
class CapturedResponse extends ServerResponse {
  body: Buffer | null = null;
  #headers: HeaderList = [];

  override writeHead(_status: number, headers?: unknown): this {
    if (Array.isArray(headers)) this.#headers = headers;
    return this;
  }

  override end(body?: unknown): this {
    // The body is copied, because its buffer may belong to a pool.
    this.body = Buffer.isBuffer(body) ? Buffer.from(body) : null;
    return this;
  }

  headerOf(name: string): string {
    const index = this.#headers.findIndex((text, i) => i % 2 === 0 && text.toLowerCase() === name);
    return index < 0 ? '' : (this.#headers[index + 1] ?? '');
  }
}
