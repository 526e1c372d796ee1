// Reads the sources of a month and checks their rows: the part of publishing that writes no snapshot.

import type { Manifest } from '../../../src/catalog/manifest.ts';
import { AcceptedYears } from '../../checks/acceptedYears.ts';
import { checkRows } from '../../checks/checks.ts';
import { Problems } from '../../messages/problems.ts';
import { Intake } from '../../sources/intake.ts';
import type { Staging } from '../../staging/database/staging.ts';
import { nothingRead, type ReadingRun } from '../../staging/reading.ts';
import type { SnapshotContent } from '../../store/files.ts';
import type { Progress } from '../output/progress.ts';
import { warnOfRepeatedFiles } from './earlierMonths/repeatedFiles.ts';
import { knownValues, noteUnusedYears, warnOfMonth } from './monthBefore.ts';
import { namesIn, readMonth, refuseChanged, requireEveryDataset } from './monthSources.ts';
import type { PublishOptions } from './publishOptions.ts';

export interface StagedMonth extends ReadingRun {
  /** The recipe as the manifest records it; null without one. */
  readonly recipe: Manifest['recipe'];
  /** The names of the files that the folder had before it was read. */
  readonly listed: ReadonlySet<string>;
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
    intake: new Intake(workDir),
    options: options.reading,
    known: await knownValues(options.dataDir),
  };
  const listed = await namesIn(options.directory);
  const recipe = await readMonth(options, run, workDir, progress);
  await staging.finish();
  await refuseChanged(run, options.directory, listed);
  return { ...run, recipe, listed };
}

/** The part of the manifest about how a month was read: its sources, its recipe and the options used. */
export const recordOf = ({ reading, recipe, options }: StagedMonth): Omit<SnapshotContent, 'datasets'> => ({
  sources: reading.files,
  recipe,
  reading: [...options.recorded, ...reading.recorded],
  accepted: [],
});

/** Checks the rows of a staged month, and adds the mistakes to its problems. Returns the far years that a person accepts. */
export async function checkMonth(
  options: PublishOptions,
  staged: StagedMonth,
  progress: Progress,
): Promise<AcceptedYears> {
  const { staging, problems, reading, known } = staged;
  progress.phase('checking');
  await requireEveryDataset(options, reading, problems);
  const present = new Set([...reading.facts].flatMap(([name, facts]) => (facts > 0 ? [name] : [])));
  const { incomplete } = reading;
  const carried = new Set(options.carry);
  const acceptedYears = new AcceptedYears(options.acceptYears);
  const { month } = options;
  await checkRows({
    staging,
    present,
    incomplete,
    publishedValues: known,
    carried,
    acceptedYears,
    month,
    problems,
  });
  await warnOfMonth(options, problems);
  await warnOfRepeatedFiles(options, staged);
  noteUnusedYears(acceptedYears, problems);
  return acceptedYears;
}
