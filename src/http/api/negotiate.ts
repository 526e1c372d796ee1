// What a request wants of an answer's form: its representation and its encoding (RFC 9110 §12.5).

import type { IncomingMessage } from 'node:http';
import type { Encoding } from '../../cache/responseCache.ts';
import type { Representation } from '../../query/render.ts';
import { JSON_REPRESENTATION } from '../../query/renderJson.ts';

/** The representation that the client prefers. There is only JSON, so every `Accept` gets it. */
export const representationOf = (_request: IncomingMessage): Representation => JSON_REPRESENTATION;

/** `gzip` when the client says that it takes gzip; `*` says so too. */
export function encodingOf({ headers }: Pick<IncomingMessage, 'headers'>): Encoding {
  const given = headers['accept-encoding'];
  if (given === undefined) return 'identity';
  const weights = new Map(
    given.split(',').map((part): [string, number] => {
      const [coding = '', ...parameters] = part.trim().toLowerCase().split(';');
      const weight = parameters
        .map((text) => /^\s*q=([\d.]+)\s*$/.exec(text)?.[1])
        .find((q) => q !== undefined);
      return [coding.trim(), Number(weight ?? 1)];
    }),
  );
  const weight = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  return weight > 0 ? 'gzip' : 'identity';
}
