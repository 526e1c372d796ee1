// Publishes a month in these phases: read, check, write, compare, guard, report, publish. Checks and guards can stop it.

import { currentId } from '../../../src/catalog/dataDirectory.ts';
import { compareWithCurrent } from '../../compare/compareWithCurrent.ts';
import type { Comparison } from '../../compare/comparisonTypes.ts';
import type { MatchedRows } from '../../compare/rows/matchedRows.ts';
import { nothingCompared, runGuards } from '../../guards/runGuards.ts';
import { reportFromFiles } from '../../report/report.ts';
import { writeReport } from '../../report/writeReport.ts';
import type { Staging } from '../../staging/database/staging.ts';
import { nextRevision } from '../../store/publicationOrder.ts';
import { publish, recover } from '../../store/publish.ts';
import { joinStore } from '../../store/sharedStore.ts';
import { draftManifest } from '../../store/writeDatasets.ts';
import type { Progress } from '../output/progress.ts';
import { startBackgroundWork, type WrittenFiles } from './backgroundWork.ts';
import { sameAsCurrent } from './currentManifest.ts';
import { acceptedDamage } from './damageFinding.ts';
import { warnOfOlderRows } from './earlierMonths/olderRows.ts';
import { ResavedTables } from './earlierMonths/resavedTables.ts';
import { RestoredFigures } from './earlierMonths/restoredFigures.ts';
import { refuseChanged } from './monthSources.ts';
import { openMonth } from './openMonth.ts';
import { noteMissingRates, noteUncompared, noteUnusedAcceptances } from './publishNotes.ts';
import type { PublishOptions } from './publishOptions.ts';
import {
  finishedResult,
  isStopped,
  listedProblems,
  type PublishResult,
  stoppedResult,
} from './publishResult.ts';
import { Scope } from './scope.ts';
import { checkMonth, provenanceOf, type StagedMonth, stageMonth } from './stagedMonth.ts';
import { makeWorkplace, type Workplace } from './workplace.ts';

/** What a command that holds the lock may provide for a publication. */
export interface PublishMonthOptions {
  /** The result of `openSmallStaging`, which the command began before it had the lock. `publishMonth` closes it. */
  readonly smallStaging?: Promise<Staging | null>;
  /**
   * Called right before the last phase, `publishing`, which nothing may interrupt. When it throws, nothing is published.
   */
  readonly commit?: () => void;
}

/**
 * Turns a folder of sources into the current snapshot, or reports everything that prevents it. Readers see no change before
 * the last phase, `publishing`.
 */
export async function publishMonth(
  options: PublishOptions,
  progress: Progress,
  provided: PublishMonthOptions = {},
): Promise<PublishResult> {
  const scope = new Scope();
  try {
    return await publishIn(scope, options, progress, provided);
  } finally {
    await scope.end();
  }
}

async function publishIn(
  scope: Scope,
  options: PublishOptions,
  progress: Progress,
  { smallStaging, commit = () => {} }: PublishMonthOptions,
): Promise<PublishResult> {
  const { dataDir, month, strict, store } = options;
  await recover(dataDir);
  if (store !== null) progress.phase('joining');
  const shared = store && (await joinStore(dataDir, store));
  const work = makeWorkplace(dataDir, scope);
  const { directory } = work;
  const { staging, currentReading } = await openMonth(options, work, smallStaging);

  const staged = await stageMonth(options, staging, work.workDir, progress);
  const { problems } = staged;
  const finishFiles = startBackgroundWork(staged, options, work, currentReading);

  const acceptedYears = await checkMonth(options, staged, progress);
  if (isStopped(problems, strict)) return stoppedResult(problems, strict);

  progress.phase('writing');
  const resavedTables = await ResavedTables.sample(staged);
  const files = await finishFiles();
  const { fingerprints } = files;
  const damage = await files.damage;
  const draft = async () => draftManifest(provenanceOf(staged), await fingerprints.datasets());
  const mayBeSame = damage === null && fingerprints.mayAllBeSame;
  const same = mayBeSame ? await sameAsCurrent(options, draft, problems) : null;
  if (same !== null) {
    await refuseChanged(staged, options.directory);
    if (isStopped(problems, strict)) return stoppedResult(problems, strict);
    noteUnusedAcceptances(nothingCompared(options.accept), damage, options, problems);
    return finishedResult('unchanged', same, problems, { manifest: await draft() });
  }

  progress.phase('comparing');
  const comparison = damage === null ? await compareMonth(options, staged, work, files, resavedTables) : null;
  const guarded =
    comparison === null
      ? nothingCompared(options.accept)
      : runGuards(comparison, await files.limits, options.accept);
  noteUncompared(comparison, problems);
  noteUnusedAcceptances(guarded, damage, options, problems);
  const accepted = [...acceptedDamage(damage), ...acceptedYears.accepted, ...guarded.accepted];
  const manifest = { ...(await draft()), accepted };
  if (damage === null) await warnOfOlderRows(options, staged, manifest.datasets);
  if (comparison !== null) noteMissingRates(comparison, manifest.datasets, problems);
  const isRefused = damage !== null && damage.accepted === null;
  const stopped = isRefused || isStopped(problems, strict, guarded);
  const revision = await nextRevision(dataDir, month, shared?.usedIds);
  const id = `${month}.${revision}`;

  progress.phase('reporting');
  const report = await reportFromFiles(directory, await files.engine, {
    status: stopped ? 'refused' : options.dryRun ? 'checked' : 'published',
    snapshot: stopped ? null : id,
    month,
    before: await currentId(dataDir),
    manifest,
    tables: staged.reading.tables,
    ...listedProblems(problems, REPORTED_PROBLEMS),
    comparison,
    currentDamage: damage && { message: damage.message, accepted: damage.accepted },
    findings: guarded.findings,
  });
  const outcome = { manifest, comparison, findings: guarded.findings, currentDamage: damage, report };
  if (stopped) return stoppedResult(problems, strict, outcome);
  await refuseChanged(staged, options.directory);
  if (isStopped(problems, strict)) return stoppedResult(problems, strict);
  if (options.dryRun) return finishedResult('checked', id, problems, outcome);

  if (shared !== null) progress.phase('pushing');
  await writeReport(directory, report);
  const commitToPublishing = () => {
    commit();
    progress.phase('publishing');
  };
  const publication = { at: options.at, shared, commit: commitToPublishing };
  await publish(dataDir, directory, { id, month, revision, ...manifest }, publication);
  return finishedResult('published', id, problems, outcome);
}

const REPORTED_PROBLEMS = 200;

/**
 * Compares the month with the current snapshot; null when there is none. Warns of tables and figures that are those of
 * earlier months.
 */
async function compareMonth(
  options: PublishOptions,
  staged: StagedMonth,
  { workDir, directory }: Workplace,
  { fingerprints, engine: opening, current: reading }: WrittenFiles,
  resavedTables: ResavedTables,
): Promise<Comparison | null> {
  const current = await reading;
  if (current === null) return null;
  const engine = await opening;
  const written = { month: options.month, directory, datasets: await fingerprints.datasetsToCompare() };
  const searches = [resavedTables, new RestoredFigures()];
  const onMatched = (matched: MatchedRows) => {
    for (const search of searches) search.onMatched(matched);
  };
  const comparison = await compareWithCurrent(engine, current, written, { workDir, onMatched });
  const compared = { options, staged, workDir, written, current: comparison.before, engine, fingerprints };
  for (const search of searches) await search.warn(compared);
  return comparison;
}
