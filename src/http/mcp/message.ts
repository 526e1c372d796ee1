// Parses the body of POST /mcp as one message of JSON-RPC.

import type { IncomingMessage } from 'node:http';
import { readBody } from '../server/readBody.ts';

/** Whether a message calls a tool. Only calls of tools count against the limits of the key. */
export const isToolCall = (message: object): boolean =>
  (message as { method?: unknown }).method === 'tools/call';

/** The most bytes of a body. Most messages are small, but a list of filter values may be long. */
const MAX_BYTES = 256 * 1024;

/** An error of JSON-RPC, with the status of the HTTP answer. */
export interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

/** The message in the body of a request, or the refusal of a body that is not a message. */
export async function readMessage(
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
