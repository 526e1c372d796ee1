// The request line's target, taken apart by hand: exact to the byte, where URL parsers tidy up.

import type { IncomingMessage } from 'node:http';

/** What stands before the first `?`. */
export const rawPath = ({ url = '' }: IncomingMessage): string => url.slice(0, queryStart(url));

/** What stands behind the first `?`, undecoded; '' without one. */
export const rawQuery = ({ url = '' }: IncomingMessage): string => url.slice(queryStart(url) + 1);

const queryStart = (url: string) => (url.includes('?') ? url.indexOf('?') : url.length);
