// The temporary folders that commands make outside DATA_DIR, in the temporary folder of the system.

import os from 'node:os';
import path from 'node:path';
import { makeTemporaryFolder } from '../../src/temporaryFolder.ts';

const NAME = 'data-api-ingest-';

/** Makes a temporary folder, which the caller must remove. */
export const makeCommandFolder = (): Promise<string> => makeTemporaryFolder(os.tmpdir(), NAME);

/** Whether an error message of the system or of DuckDB names such a folder. */
export const isOfTemporaryFolder = (message: string): boolean =>
  message.includes(path.join(os.tmpdir(), NAME));
