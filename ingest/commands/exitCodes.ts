// The exit codes of `npm run ingest`.

import { EXIT as SHARED } from '../../src/commandLine.ts';

/** Scripts of others rely on these. */
export const EXIT = { ...SHARED, unreadable: 3, wrong: 4, refused: 5, locked: 6 } as const;
