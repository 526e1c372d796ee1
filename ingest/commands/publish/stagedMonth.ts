// Reads the sources of a month and checks their rows: the part of publishing that writes no snapshot.

import type { Manifest } from '../../../src/catalog/manifest.ts';
import { usableBytes } from '../../../src/system/machine.ts';
import { AcceptedYears } from '../../checks/acceptedYears.ts';
import { checkRows } from '../../checks/checks.ts';
import { Problems } from '../../messages/problems.ts';
import { SourceCopies } from '../../sources/sourceCopies.ts';
import type { Staging } from '../../staging/database/staging.ts';
import { raiseMemoryLimit } from '../../staging/database/stagingEngine.ts';
import { nothingRead, type ReadingRun } from '../../staging/reading.ts';
import type { SnapshotProvenance } from '../../store/writeDatasets.ts';
import type { Progress } from '../output/progress.ts';
import { knownValues } from './currentManifest.ts';
import { warnOfRepeatedFiles } from './earlierMonths/repeatedFiles.ts';
import { readMonth, refuseChanged, requireEveryDataset, sourceNamesIn } from './monthSources.ts';
import { warnOfMonth } from './monthWarnings.ts';
import { noteUnusedYearAcceptances } from './publishNotes.ts';
import type { PublishOptions } from './publishOptions.ts';

export interface StagedMonth extends ReadingRun {
  /** The recipe as the manifest records it; null without one. */
  readonly recipe: Manifest['recipe'];
  /** The names of the files that the folder had before it was read. */
  readonly namesBeforeReading: ReadonlySet<string>;
}

/** Stages the sources of a month. The result has the problems of everything that could not be read. */
export async function stageMonth(
  options: PublishOptions,
  staging: Staging,
  workDir: string,
  progress: Progress,
): Promise<StagedMonth> {
  progress.phase('reading');
  const run = {
    staging,
    problems: new Problems(),
    reading: nothingRead(),
    sourceCopies: new SourceCopies(workDir),
    options: options.reading,
    known: await knownValues(options.dataDir),
  };
  const namesBeforeReading = await sourceNamesIn(options.directory);
  const recipe = await readMonth(options, run, workDir, progress);
  await staging.finish();
  await raiseMemoryLimit(staging.connection, Math.max(...run.reading.facts.values()), usableBytes());
  const staged = { ...run, recipe, namesBeforeReading };
  await refuseChanged(staged, options.directory);
  return staged;
}

/** The part of the manifest about how a month was read: its sources, its recipe and the options used. */
export const provenanceOf = ({ reading, recipe, options }: StagedMonth): SnapshotProvenance => ({
  sources: reading.files,
  recipe,
  reading: [...options.recorded, ...reading.recorded],
});

/**
 * Checks the rows of a staged month, and adds what it finds to its problems. Returns the far years that a person accepts.
 */
export async function checkMonth(
  options: PublishOptions,
  staged: StagedMonth,
  progress: Progress,
): Promise<AcceptedYears> {
  const { staging, problems, reading, known } = staged;
  progress.phase('checking');
  await requireEveryDataset(options, reading, problems);
  const acceptedYears = new AcceptedYears(options.acceptYears);
  await checkRows({
    staging,
    present: new Set([...reading.facts].flatMap(([name, facts]) => (facts > 0 ? [name] : []))),
    incomplete: reading.incomplete,
    publishedValues: known,
    carried: new Set(options.carry),
    acceptedYears,
    month: options.month,
    problems,
  });
  await warnOfMonth(options, problems);
  await warnOfRepeatedFiles(options, staged);
  noteUnusedYearAcceptances(acceptedYears, problems);
  return acceptedYears;
}
