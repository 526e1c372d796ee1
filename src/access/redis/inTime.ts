// Gives Redis a deadline, so that a client gets its 503 within 300 ms (ruling 25).

import { unavailable } from '../../errors.ts';

const REPLY_MS = 250;

/** Redis's answer. Throws the 503 when Redis fails or does not answer in time. */
export function inTime<Value>(asked: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    // Gives up one turn later, so that a reply that arrived while the event loop was busy is read first.
    const timer = setTimeout(() => setImmediate(reject, unavailable()), REPLY_MS);
    asked.then(resolve, () => reject(unavailable())).finally(() => clearTimeout(timer));
  });
}
