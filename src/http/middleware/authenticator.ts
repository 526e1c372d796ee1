// Authenticates requests by their keys and applies the rate limits. Here the verdicts of the gate become errors.

import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { rateLimit } from 'express-rate-limit';
import { type Gate, nearestWindow } from '../../access/gate/gate.ts';
import type { Refusal, Verdict } from '../../access/gate/gateReply.ts';
import { isWellFormedKey } from '../../access/keys/keyText.ts';
import { hashOf } from '../../access/secret.ts';
import { type ApiError, type HelpTopic, invalidKey, missingKey, tooManyRequests } from '../../errors.ts';
import type { Observe } from '../../observations.ts';
import type { HeaderList } from '../server/headers.ts';
import { rawQuery } from '../server/requestUrl.ts';
import { rateLimitHeadersOf, setKeyId, setKeyWindows, setRateLimitHeaders } from '../server/responseFacts.ts';
import { type AddressCounts, clientAddressOf, createAddressCounts, networkOf } from './addressWindows.ts';
import { addressRateLimitHeaders, keyRateLimitHeaders } from './rateLimitHeaders.ts';

export interface Authenticator {
  /** Runs before every endpoint: fails with 401, 429 or 503, or passes the request on. */
  readonly admit: RequestHandler;
  /** Checks the key without counting the request: fails with 401, 429 or 503, or passes the request on. */
  readonly checkKey: RequestHandler;
  /**
   * Adds the rate-limit headers of the client's address to an answer that is not counted, such as a 404 (ruling 23).
   */
  showAddressLimits(request: Request, response: Response): void;
  /** The rate-limit headers of an address, for a connection without a valid request. */
  addressLimitHeaders(remoteAddress: string | undefined): HeaderList;
  addressesBytes(): number;
}

/** For servers without keys, in tests and benchmarks: admits every request and sends no rate-limit headers. */
export const admitEverybody: Authenticator = {
  admit: (_request, _response, next) => next(),
  checkKey: (_request, _response, next) => next(),
  showAddressLimits() {},
  addressLimitHeaders: () => [],
  addressesBytes: () => 0,
};

/** Makes the authenticator over a gate. It counts requests without a valid key by client address, in memory. */
export function createAuthenticator(gate: Gate, observe: Observe): Authenticator {
  const addresses = createAddressCounts(() => performance.now());
  const headersOf = (address: string) => addressRateLimitHeaders(addresses.window(address), Date.now());
  const countByAddress = addressCounter(addresses);

  /** Counts a request without a valid key, and gives the error that answers it. */
  async function refuse(request: Request, response: Response, error: ApiError): Promise<unknown> {
    const tooMany = await countByAddress(request, response);
    setRateLimitHeaders(response, headersOf(clientAddressOf(request)));
    return tooMany ?? error;
  }

  return {
    async admit(request, response, next) {
      const verdict: Verdict | NoKey = await verdictOn(gate.admit, request.headers['x-api-key']);
      observe({ event: 'key checked', outcome: verdict.outcome });
      if ('keyId' in verdict) setKeyId(response, verdict.keyId);
      if (verdict.outcome !== 'admitted' && verdict.outcome !== 'limited')
        return next(await refuse(request, response, KEY_ERRORS[verdict.outcome](request)));
      setRateLimitHeaders(response, keyRateLimitHeaders(verdict.windows));
      setKeyWindows(response, verdict.windows);
      if (verdict.outcome === 'admitted') return next();
      next(tooManyRequests(wholeSeconds(nearestWindow(verdict.windows).freesMs)));
    },
    async checkKey(request, response, next) {
      const checked = await verdictOn(gate.check, request.headers['x-api-key']);
      if ('keyId' in checked) setKeyId(response, checked.keyId);
      if (checked.outcome === 'active') return next();
      // A key that is let in is observed when a tool calls an endpoint with it.
      observe({ event: 'key checked', outcome: checked.outcome });
      next(await refuse(request, response, KEY_ERRORS[checked.outcome](request)));
    },
    showAddressLimits(request, response) {
      if (rateLimitHeadersOf(response).length === 0)
        setRateLimitHeaders(response, headersOf(clientAddressOf(request)));
    },
    addressLimitHeaders: (remoteAddress) => headersOf(networkOf(remoteAddress ?? '')),
    addressesBytes: () => addresses.bytes(),
  };
}

/**
 * Returns a function that counts a request without a valid key by its client address. It gives a 429 when the window of
 * the address is full.
 */
function addressCounter(
  addresses: AddressCounts,
): (request: Request, response: Response) => Promise<unknown> {
  const secondsUntilFree = (request: Request) =>
    wholeSeconds(addresses.window(clientAddressOf(request)).freesMs);
  const limitAddress = rateLimit({
    windowMs: 60_000,
    store: addresses,
    limit: addresses.limit,
    keyGenerator: clientAddressOf,
    // The headers of ruling 23 differ from those of the library.
    legacyHeaders: false,
    standardHeaders: false,
    // The library would check its options at every request.
    validate: false,
    handler: (request, _response, next) => next(tooManyRequests(secondsUntilFree(request), 'address-limit')),
  });
  return (request, response) =>
    new Promise((resolve) => void limitAddress(request, response, resolve as NextFunction));
}

/** The gate is not called for this request: the header has no key, or no well-formed one. */
interface NoKey {
  readonly outcome: 'missing' | 'malformed';
}

/** Asks the gate about a key. A key of the wrong form is refused without a call to Redis (ruling 20). */
function verdictOn<GateVerdict>(
  askGate: (keyHash: string) => Promise<GateVerdict>,
  key: string | readonly string[] | undefined,
): Promise<GateVerdict> | NoKey {
  if (key === undefined || key === '') return { outcome: 'missing' };
  // Node joins a repeated header with a comma, which no key contains.
  if (typeof key !== 'string' || !isWellFormedKey(key)) return { outcome: 'malformed' };
  return askGate(hashOf(key));
}

/** The errors of requests without a valid key (contract §5). The client does not learn why a key is invalid. */
const KEY_ERRORS: Readonly<Record<NoKey['outcome'] | Refusal, (request: Request) => ApiError>> = {
  missing: (request) => missingKey(topicOfMissing(request)),
  malformed: invalidKey,
  unknown: invalidKey,
  revoked: invalidKey,
  expired: invalidKey,
};

/** The help topic of a request without the header. It depends on where else the client has put its key. */
function topicOfMissing(request: Request): HelpTopic {
  if (request.headers.authorization !== undefined) return 'key-as-bearer';
  return /(?:^|&)(?:x-api-key|api[_-]?key|key|token)=/i.test(rawQuery(request))
    ? 'key-in-address'
    : 'key-missing';
}

/** A time in whole seconds, at least one, for `Retry-After`. */
const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));
