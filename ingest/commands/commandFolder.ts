// The temporary folders that commands make outside DATA_DIR, in the temporary folder of the system.

import os from 'node:os';
import path from 'node:path';
import { makeTemporaryFolder } from '../../src/system/temporaryFolder.ts';

const NAME = 'data-api-ingest-';

/** Makes a temporary folder, which the caller must remove. */
export const makeCommandFolder = (): Promise<string> => makeTemporaryFolder(os.tmpdir(), NAME);

/** Whether an error message names a temporary folder of a command. The message may be one of DuckDB. */
export const isOfTemporaryFolder = (message: string): boolean =>
  message.includes(path.join(os.tmpdir(), NAME));
