// POST /mcp: answers assistants that speak the Model Context Protocol (streamable HTTP, stateless).

import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { Observe } from '../../observations.ts';
import { disconnectSignalOf } from '../api/clientDisconnect.ts';
import type { Authenticator } from '../middleware/authenticator.ts';
import { NO_STORE, requestIdOf } from '../server/headers.ts';
import { readBody } from '../server/readBody.ts';
import { jsonContent, sendContent, sendEmpty } from '../server/send.ts';
import { callEndpoint } from './callEndpoint.ts';
import type { CallApi } from './tools.ts';

export interface McpDeps {
  readonly authenticator: Authenticator;
  /** The handlers of the API by path. They do not check keys. */
  readonly endpoints: Readonly<Record<string, RequestHandler>>;
  readonly observe: Observe;
}

/** The middleware and the handler of POST /mcp. */
export const mcp = ({ authenticator, endpoints, observe }: McpDeps): RequestHandler[] => [
  acceptBearer,
  authenticator.checkKey,
  async (request, response) => {
    const read = await readMessage(request);
    if ('refused' in read) return refuse(response, read.refused);
    // Only a call of a tool counts against the limits of the key.
    if (isToolCall(read.message)) await admitOrThrow(authenticator, request, response);
    const disconnectSignal = disconnectSignalOf(response);
    const key = String(request.headers['x-api-key'] ?? '');
    const callApi: CallApi = ({ path, query, headers }) => {
      const handler = endpoints[path];
      if (handler === undefined) throw new Error(`no endpoint ${path}`);
      return callEndpoint(
        handler,
        { path, query, headers: { ...headers, 'x-api-key': key } },
        disconnectSignal,
      );
    };
    // The protocol is loaded at the first message, so that a server without assistants never loads it.
    const { answerMessage } = await import('./protocol.ts');
    const noteFault = (error: unknown) =>
      observe({ event: 'request failed', requestId: requestIdOf(response), error });
    const { status, headers, body } = await answerMessage(read.message, request.headers, callApi, noteFault);
    if (body === '') return sendEmpty(response, status, [...NO_STORE]);
    sendContent(response, status, {
      headers: [...NO_STORE, ...headers, 'Content-Length', String(Buffer.byteLength(body))],
      body: Buffer.from(body),
    });
  },
];

/** Refuses GET and DELETE, because there is no stream to open and no session to end. */
export const mcpWithoutStream: RequestHandler = (_request, response) =>
  refuse(response, { status: 405, code: -32000, message: 'Method not allowed: send messages by POST' });

export const MCP_METHODS = 'POST, OPTIONS';

/** Accepts a key in `Authorization: Bearer`, because some assistants can send no other header. */
const acceptBearer: RequestHandler = ({ headers }, _response, next) => {
  const [, bearer] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
  if (!headers['x-api-key'] && bearer !== undefined) headers['x-api-key'] = bearer;
  next();
};

const admitOrThrow = (authenticator: Authenticator, request: Request, response: Response): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const passed = authenticator.admit(request, response, (error) => (error ? reject(error) : resolve(null)));
    Promise.resolve(passed).catch(reject);
  });

function refuse(response: Response, { status, code, message }: Refusal): void {
  const allow = status === 405 ? ['Allow', MCP_METHODS] : [];
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }));
  sendContent(response, status, jsonContent([...NO_STORE, ...allow], body));
}

/** Whether a message calls a tool. Only calls of tools count against the limits of the key. */
const isToolCall = (message: object): boolean => (message as { method?: unknown }).method === 'tools/call';

/** The most bytes of a body. Most messages are small, but a list of filter values may be long. */
const MAX_BYTES = 256 * 1024;

/** An error of JSON-RPC, with the status of the HTTP answer. */
interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

/** The message in the body of a request, or the refusal of a body that is not a message. */
async function readMessage(
  request: IncomingMessage,
): Promise<{ readonly message: object } | { readonly refused: Refusal }> {
  const body = await readBody(request, MAX_BYTES);
  if (body === null) {
    const message = 'Invalid Request: the body is larger than 256 KiB';
    return { refused: { status: 413, code: -32600, message } };
  }
  let message: unknown;
  try {
    message = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return { refused: { status: 400, code: -32700, message: 'Parse error: Invalid JSON' } };
  }
  if (Array.isArray(message)) {
    const text = 'Invalid Request: the protocol no longer has batches; send one message per request';
    return { refused: { status: 400, code: -32600, message: text } };
  }
  if (typeof message === 'object' && message !== null) return { message };
  return { refused: { status: 400, code: -32600, message: 'Invalid Request: a message must be an object' } };
}
