// Removes a folder in which a process that is ending may still write.

import { rm } from 'node:fs/promises';

/** Removes a folder, if it exists. It is tried several times, because a child of a killed Redis may still save there. */
export const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
