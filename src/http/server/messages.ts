// Requests and responses that are Express's own from their birth: it would else change the prototype of each.

import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** What node's server makes of a connection's bytes, and of the answer to them. */
export interface Messages {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
}

/**
 * The classes whose instances have the prototypes that the app gives every request and response. V8 gives up what it
 * knows of an object when its prototype is changed, which costs more than all else that Express does.
 */
export function messagesOf(app: Express): Messages {
  class AppRequest extends IncomingMessage {}
  class AppResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  app.request = Object.setPrototypeOf(AppRequest.prototype, app.request);
  app.response = Object.setPrototypeOf(AppResponse.prototype, app.response);
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}
