// Reads the header `Prefer`: with `handling=strict` (RFC 7240), unknown filter values are an error.

import type { IncomingMessage } from 'node:http';
import { STRICT_HANDLING } from '../../query/strictHandling.ts';
import { partsOf } from './quotedParts.ts';

/** Whether the client prefers strict handling. The first of several `handling` preferences counts. */
export function isStrict({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const header = headers.prefer;
  if (header === undefined) return false;
  for (const preference of partsOf(String(header), ',')) {
    const [, name = '', quoted, token] =
      /^([^\s=;]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]*)))?/.exec(preference.trim()) ?? [];
    if (name.toLowerCase() === 'handling') return (quoted ?? token ?? '') === 'strict';
  }
  return false;
}

/** The header that tells a client that `handling=strict` was applied. */
export const STRICT_APPLIED = ['Preference-Applied', STRICT_HANDLING] as const;
