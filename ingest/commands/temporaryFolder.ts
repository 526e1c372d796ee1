// The folder of a command's own files outside DATA_DIR, in the temporary folder of the system.

import os from 'node:os';
import path from 'node:path';
import { makeTemporaryFolder } from '../../src/temporaryFolder.ts';

const NAME = 'data-api-ingest-';

/** Makes a folder, which the caller removes. */
export const makeCommandFolder = (): Promise<string> => makeTemporaryFolder(os.tmpdir(), NAME);

/** Whether a message of the system or the engine is about such a folder. */
export const isOfTemporaryFolder = (message: string): boolean =>
  message.includes(path.join(os.tmpdir(), NAME));
