// Removes a folder in which a process that was ended may still write.

import { rm } from 'node:fs/promises';

/** Removes a folder that exists or not. A Redis that was killed may have a child that still saves: then it tries again. */
export const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
