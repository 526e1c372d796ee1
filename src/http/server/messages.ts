// Request and response classes that already have Express's prototypes, so that Express does not change each instance.

import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** The classes that node's server instantiates. */
export interface Messages {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
}

/**
 * Classes whose instances have the prototypes of the app's requests and responses. Changing the prototype of an object
 * makes V8 discard its optimisations, which costs more than everything else that Express does. Apps that share these
 * prototypes share the classes.
 */
export function messagesOf(app: Express): Messages {
  const made = MADE.get(app.request);
  if (made !== undefined) return made;
  class AppRequest extends IncomingMessage {}
  class AppResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  app.request = Object.setPrototypeOf(AppRequest.prototype, app.request);
  app.response = Object.setPrototypeOf(AppResponse.prototype, app.response);
  const messages = { IncomingMessage: AppRequest, ServerResponse: AppResponse };
  MADE.set(app.request, messages);
  return messages;
}

/** The prototype of an app's requests → the classes made for it. */
const MADE = new WeakMap<object, Messages>();
