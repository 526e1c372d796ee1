// Authenticates requests by key and applies the rate limits: the one place where a verdict becomes an error.

import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { rateLimit } from 'express-rate-limit';
import { type Gate, nearest, type Verdict } from '../../access/gate.ts';
import { hashKey, isWellFormedKey } from '../../access/keys.ts';
import { type ApiError, invalidKey, missingKey, tooManyRequests } from '../../errors.ts';
import type { Observe } from '../../observations.ts';
import type { HeaderList } from '../server/headers.ts';
import { limitsOf, setLimits } from '../server/limitHeaders.ts';
import { addressOf, countAddresses, networkOf } from './addressWindows.ts';
import { addressHeaders, keyHeaders } from './rateLimitHeaders.ts';

export interface Guard {
  /** Stands before every endpoint: answers 401, 429 or 503, or passes the request on. */
  readonly admit: RequestHandler;
  /** Puts the window of the client's address on an answer that takes no slot, such as a 404 (ruling 23). */
  showAddressWindow(request: Request, response: Response): void;
  /** The same headers for a connection whose bytes never became a request. */
  addressWindowOf(remoteAddress: string | undefined): HeaderList;
}

/** For servers without keys, such as those of tests and benchmarks: every request passes and no limit is shown. */
export const admitEverybody: Guard = {
  admit: (_request, _response, next) => next(),
  showAddressWindow() {},
  addressWindowOf: () => [],
};

export function createGuard(gate: Gate, observe: Observe): Guard {
  const addresses = countAddresses(() => performance.now());
  const windowOf = (address: string) => addressHeaders(addresses.window(address), Date.now());

  const limitAddress = rateLimit({
    windowMs: 60_000,
    store: addresses,
    limit: addresses.limit,
    keyGenerator: addressOf,
    // The headers of ruling 23 are our own.
    legacyHeaders: false,
    standardHeaders: false,
    // The library's checks of its own configuration run at every request; the tests cover them.
    validate: false,
    handler: (request, _response, next) => next(tooManyRequests(secondsUntilFree(request))),
  });
  const secondsUntilFree = (request: Request) => wholeSeconds(addresses.window(addressOf(request)).freesMs);

  /** Counts a request without a valid key by its client address; gives the 429 when that window is full. */
  const countStranger = (request: Request, response: Response) =>
    new Promise<unknown>((resolve) => void limitAddress(request, response, resolve as NextFunction));

  return {
    async admit(request, response, next) {
      const decision = await decide(gate, request.headers['x-api-key']);
      observe({ event: 'key checked', outcome: decision.outcome });
      const error = ERRORS[decision.outcome](decision);
      if ('windows' in decision) {
        setLimits(response, keyHeaders(decision.windows));
        return error === null ? next() : next(error);
      }
      const tooMany = await countStranger(request, response);
      setLimits(response, windowOf(addressOf(request)));
      next(tooMany ?? error);
    },
    showAddressWindow(request, response) {
      if (limitsOf(response).length === 0) setLimits(response, windowOf(addressOf(request)));
    },
    addressWindowOf: (remoteAddress) => windowOf(networkOf(remoteAddress ?? '')),
  };
}

/** What is decided about a request: by the form of its header alone, or else by the gate. */
type Decision = Verdict | { readonly outcome: 'missing' | 'malformed' };

/** A key of the wrong form is refused without asking Redis (ruling 20). */
async function decide(gate: Gate, key: string | readonly string[] | undefined): Promise<Decision> {
  if (key === undefined || key === '') return { outcome: 'missing' };
  // A header sent twice arrives as one text with a comma, which no key contains.
  if (typeof key !== 'string' || !isWellFormedKey(key)) return { outcome: 'malformed' };
  return gate.admit(hashKey(key));
}

/** Outcome → error (contract §5 and §7.2). Which of the reasons made a key invalid is not told. */
const ERRORS: Readonly<Record<Decision['outcome'], (decision: Decision) => ApiError | null>> = {
  admitted: () => null,
  limited: (decision) =>
    tooManyRequests('windows' in decision ? wholeSeconds(nearest(decision.windows).freesMs) : 1),
  missing: missingKey,
  malformed: invalidKey,
  unknown: invalidKey,
  revoked: invalidKey,
  expired: invalidKey,
};

/** The whole seconds after which a request will be admitted: at least one. */
const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));
