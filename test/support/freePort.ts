// Finds a TCP port that no other test of the run gets: `const PORT = await freePort()`.

import { service } from './services.ts';

/** A port that is free now, as text for a setting. */
export const freePort = async (): Promise<string> => String((await service('port')).port);
