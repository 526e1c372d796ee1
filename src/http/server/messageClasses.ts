// Makes classes of requests and responses with Express's prototypes, so that Express need not change each instance.

import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** The classes that node's server instantiates. */
export interface MessageClasses {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
}

/**
 * The classes for an app. Their instances already have the prototypes of the app's requests and responses. Otherwise
 * Express would change the prototype of each instance, which makes V8 discard optimisations and takes more time than
 * everything else that Express does. Apps with the same prototypes share the classes.
 */
export function messageClassesOf(app: Express): MessageClasses {
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

/** The classes, by the prototype of the requests of their app. */
const MADE = new WeakMap<object, MessageClasses>();
