// Lets requests with a valid key pass, up to its limits, and answers the others: where a verdict becomes HTTP.

import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { type AugmentedRequest, rateLimit } from 'express-rate-limit';
import { Decision, type Gate, nearest, type Verdict } from '../../access/gate.ts';
import { hashKey, isWellFormedKey } from '../../access/keys.ts';
import { type ApiError, invalidKey, missingKey, tooManyRequests } from '../../errors.ts';
import { limitsOf, setLimits } from '../server/limitHeaders.ts';
import { addressOf, countAddresses } from './addressWindows.ts';
import { addressHeaders, keyHeaders } from './rateLimitHeaders.ts';

export interface Guard {
  /** Stands before every endpoint: 401, 429 or 503, or on to the next. */
  readonly admit: RequestHandler;
  /** Has an answer that takes no slot, such as a 404, show the window of the client's address (ruling 23). */
  show(request: Request, response: Response): void;
}

export function createGuard(gate: Gate): Guard {
  const addresses = countAddresses(() => performance.now());
  const showAddress = (request: Request, response: Response) =>
    setLimits(response, addressHeaders(addresses.window(addressOf(request)), Date.now()));

  const strangers = rateLimit({
    ...QUIET,
    store: addresses,
    limit: addresses.limit,
    keyGenerator: addressOf,
    handler(request, response, next) {
      showAddress(request, response);
      next(tooManyRequests(secondsOf(addresses.window(addressOf(request)).freesMs)));
    },
  });

  /** Refuses who has no valid key, counted by address: 401, and beyond that window's limit 429 (ruling 24). */
  function refuse(request: Request, response: Response, next: NextFunction, refusal: ApiError): void {
    void strangers(request, response, (error?: unknown) => {
      if (error === undefined) showAddress(request, response);
      next(error ?? refusal);
    });
  }

  const holders = rateLimit({
    ...QUIET,
    store: gate,
    limit: 1,
    keyGenerator: ({ headers }) => hashKey(String(headers[HEADER])),
    handler(request, response, next) {
      const verdict = verdictOf(request);
      if (!('windows' in verdict)) return refuse(request, response, next, invalidKey());
      setLimits(response, keyHeaders(verdict.windows));
      next(tooManyRequests(secondsOf(nearest(verdict.windows).freesMs)));
    },
  });

  return {
    admit(request, response, next) {
      const key = request.headers[HEADER];
      if (key === undefined || key === '') return refuse(request, response, next, missingKey());
      // Sent twice it comes as one text with a comma, which no key has.
      if (typeof key !== 'string' || !isWellFormedKey(key))
        return refuse(request, response, next, invalidKey());
      void holders(request, response, (error?: unknown) => {
        if (error !== undefined) return next(error);
        const verdict = verdictOf(request);
        if (verdict.outcome !== 'admitted') return next(invalidKey());
        setLimits(response, keyHeaders(verdict.windows));
        next();
      });
    },
    show(request, response) {
      if (limitsOf(response).length === 0) showAddress(request, response);
    },
  };
}

/** What the gate said of a request that went through it. */
function verdictOf(request: Request): Verdict {
  const decision = (request as AugmentedRequest).rateLimit?.resetTime;
  if (!(decision instanceof Decision)) throw new Error('nothing was decided for this request');
  return decision.verdict;
}

const HEADER = 'x-api-key';

/** Headers are ours: those of ruling 23 speak of two windows. */
const QUIET = {
  windowMs: 60_000,
  legacyHeaders: false,
  standardHeaders: false,
  // They look for mistakes of a set-up, at every request; the tests have looked.
  validate: false,
} as const;

/** Whole seconds after which a request will be admitted. */
const secondsOf = (ms: number) => Math.max(1, Math.ceil(ms / 1000));
