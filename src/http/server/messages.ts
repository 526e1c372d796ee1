// Request and response classes with Express's prototypes: Express would otherwise change the prototype of each.

import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** The classes of which node's server makes requests and responses. */
export interface Messages {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
}

/**
 * Classes whose instances have the prototypes that the app gives every request and response. V8 discards its
 * optimisations for an object whose prototype changes, which costs more than everything else that Express does.
 */
export function messagesOf(app: Express): Messages {
  class AppRequest extends IncomingMessage {}
  class AppResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  app.request = Object.setPrototypeOf(AppRequest.prototype, app.request);
  app.response = Object.setPrototypeOf(AppResponse.prototype, app.response);
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}
