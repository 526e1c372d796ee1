// Where a publication works: its temporary folders, and the scope in which its engines are open.

import { rm } from 'node:fs/promises';
import path from 'node:path';
import { UNFINISHED_FOLDER } from '../../../src/store/switchCurrent.ts';
import { makeFolders } from '../../../src/system/makeFolders.ts';
import type { Scope } from './scope.ts';

export interface Workplace {
  readonly scope: Scope;
  /** The folder for temporary files. */
  readonly workDir: string;
  /** The folder inside `workDir` to which the files of the month are written. */
  readonly directory: string;
}

/** Makes the temporary folder of a publication. It is removed when the scope ends. */
export function makeWorkplace(dataDir: string, scope: Scope): Workplace {
  const workDir = path.join(dataDir, UNFINISHED_FOLDER);
  makeFolders(workDir);
  // A failure to remove the folder must not replace the result, or the error that is being thrown.
  scope.defer(() => rm(workDir, { recursive: true, force: true }).catch(() => {}));
  return { scope, workDir, directory: path.join(workDir, 'snapshot') };
}
