// Reads files for the ingest process in another process, each into its own staging database, to use more cores.

import path from 'node:path';
import { Problems } from '../messages/problems.ts';
import type { SourceFile } from '../sources/folder.ts';
import { SourceCopies } from '../sources/sourceCopies.ts';
import { Staging } from './database/staging.ts';
import { type KnownSnapshot, KnownValues } from './knownValues.ts';
import { readFile } from './readFile.ts';
import { nothingRead } from './reading.ts';
import type { ReadingOptions } from './readingOptions.ts';
import type { StagedFile } from './stagedFile.ts';

/** The message of the ingest process: a file to read. */
export interface ReadRequest {
  readonly source: SourceFile;
  /** An existing folder for this file alone. The ingest process removes it. */
  readonly workDir: string;
  readonly options: ReadingOptions;
  readonly known: KnownSnapshot | null;
}

/** The messages to the ingest process: the share of the file that was read, and finally the result. */
export type ReadReport = { readonly fraction: number } | { readonly staged: StagedFile };

/**
 * The smallest progress that is reported, as a share of the file. Reporting every batch would take longer than reading it.
 */
const LEAST_PROGRESS = 0.01;

const report = (message: ReadReport) => process.send?.(message);

async function stagedFile({ source, workDir, options, known }: ReadRequest): Promise<StagedFile> {
  const staging = await Staging.open(workDir);
  try {
    const run = {
      staging,
      problems: new Problems(),
      reading: nothingRead(),
      sourceCopies: new SourceCopies(workDir),
      options,
      known: known && new KnownValues(known),
    };
    let reported = 0;
    await readFile(source, run, (fraction) => {
      if (Math.abs(fraction - reported) < LEAST_PROGRESS) return;
      reported = fraction;
      report({ fraction });
    });
    return {
      database: path.join(workDir, Staging.FILE),
      texts: await staging.seal(),
      origins: staging.origins,
      problems: run.problems.stored,
      reading: run.reading,
      versions: run.sourceCopies.versions,
    };
  } finally {
    staging.close();
  }
}

// After the end of the ingest process, nobody needs the result. An orderly exit would wait for the engine, so this process
// kills itself.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', (request: ReadRequest) => {
  // After a failure this process ends. The ingest process then reads the file itself, and reports the failure.
  void stagedFile(request).then(
    (staged) => report({ staged }),
    () => process.disconnect(),
  );
});
