// Reads files in a separate process, each into its own staging database, so that a month of files uses all cores.

import path from 'node:path';
import { Problems } from '../messages/problems.ts';
import type { SourceFile } from '../sources/folder.ts';
import { Intake } from '../sources/intake.ts';
import { Staging } from './database/staging.ts';
import { type KnownSnapshot, KnownValues } from './knownValues.ts';
import { readFile } from './readFile.ts';
import { nothingRead } from './reading.ts';
import type { ReadingOptions } from './readingOptions.ts';
import type { StagedFile } from './stagedFile.ts';

/** What the ingest process sends: a file to read. */
export interface ReadRequest {
  readonly source: SourceFile;
  /** A folder for this file alone. It exists, and the ingest process removes it. */
  readonly workDir: string;
  readonly options: ReadingOptions;
  readonly known: KnownSnapshot | null;
}

/** What the ingest process receives. */
export type ReadReport = { readonly fraction: number } | { readonly staged: StagedFile };

/** The smallest progress that is reported, as a share of the file. To report each batch would take longer than to read it. */
const LEAST_PROGRESS = 0.01;

const report = (message: ReadReport) => process.send?.(message);

async function stagedFile({ source, workDir, options, known }: ReadRequest): Promise<StagedFile> {
  const staging = await Staging.open(workDir);
  try {
    const to = {
      staging,
      problems: new Problems(),
      reading: nothingRead(),
      intake: new Intake(workDir),
      options,
      known: known && new KnownValues(known),
    };
    let reported = 0;
    await readFile(source, to, (fraction) => {
      if (Math.abs(fraction - reported) < LEAST_PROGRESS) return;
      reported = fraction;
      report({ fraction });
    });
    return {
      database: path.join(workDir, Staging.FILE),
      texts: await staging.seal(),
      origins: staging.origins,
      problems: to.problems.stored,
      reading: to.reading,
      versions: to.intake.versions,
    };
  } finally {
    staging.close();
  }
}

// When the ingest process has ended, nobody needs the result. An orderly exit would wait for the engine.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', (request: ReadRequest) => {
  // Without a report, the ingest process reads the file itself and finds the same failure.
  void stagedFile(request).then(
    (staged) => report({ staged }),
    () => process.disconnect(),
  );
});
