// Makes the next page of a walk while the client is still reading this one.

import type { ServerResponse } from 'node:http';
import type { Next } from './responseCache.ts';

/** For so many walks at once; pages beyond are made when they are asked for. */
const AT_ONCE = 4;

/** Begins once `response` has left. What fails here is told to whoever asks for the page. */
export type ReadAhead = (response: ServerResponse, next: Next) => void;

export function aheadOf(make: (question: string, zipped: boolean) => Promise<void>): ReadAhead {
  let making = 0;
  return (response, { question, zipped }) => {
    const begin = () => {
      if (making >= AT_ONCE) return;
      making += 1;
      const made = () => {
        making -= 1;
      };
      make(question, zipped).then(made, made);
    };
    // Whoever has asked meanwhile comes first.
    setImmediate(() => {
      if (response.writableFinished) begin();
      else response.once('finish', begin);
    });
  };
}
