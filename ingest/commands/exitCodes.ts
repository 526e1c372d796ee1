// The exit codes of `npm run ingest`.

import { EXIT as SHARED } from '../../src/terminal/commandLine.ts';

/** The codes must stay the same, because scripts of users test them. */
export const EXIT = { ...SHARED, unreadable: 3, wrong: 4, refused: 5, locked: 6 } as const;
