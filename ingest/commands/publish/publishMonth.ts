// Publishes a month in these phases: read, check, write, compare, guard, report, publish. Checks and guards can stop it.

import { rm } from 'node:fs/promises';
import path from 'node:path';
import { currentId } from '../../../src/catalog/dataDirectory.ts';
import { UNFINISHED_FOLDER } from '../../../src/store/switchCurrent.ts';
import { makeFolders } from '../../../src/system/makeFolders.ts';
import type { AcceptedYears } from '../../checks/acceptedYears.ts';
import { compareWithCurrent } from '../../compare/compareWithCurrent.ts';
import type { Comparison } from '../../compare/comparisonTypes.ts';
import type { MatchedRows } from '../../compare/rows/matchedRows.ts';
import { type GuardOutcome, nothingCompared, runGuards } from '../../guards/runGuards.ts';
import { reportFromFiles } from '../../report/report.ts';
import type { Report } from '../../report/reportTypes.ts';
import { writeReport } from '../../report/writeReport.ts';
import type { Staging } from '../../staging/database/staging.ts';
import { nextRevision } from '../../store/publicationOrder.ts';
import { publish, recover } from '../../store/publish.ts';
import { joinStore, type SharedStore } from '../../store/sharedStore.ts';
import { type DraftManifest, draftManifest } from '../../store/writeDatasets.ts';
import type { Progress } from '../output/progress.ts';
import type { BackgroundWork } from './backgroundWork.ts';
import { sameAsCurrent } from './currentManifest.ts';
import { acceptedDamage, type DamageFinding } from './damageFinding.ts';
import { warnOfOlderRows } from './earlierMonths/olderRows.ts';
import { ResavedTables } from './earlierMonths/resavedTables.ts';
import { RestoredFigures } from './earlierMonths/restoredFigures.ts';
import type { Fingerprints } from './fingerprints.ts';
import { refuseChanged } from './monthSources.ts';
import { openMonth } from './monthStaging.ts';
import { noteMissingRates, noteUncompared, noteUnusedAcceptances } from './publishNotes.ts';
import type { PublishOptions } from './publishOptions.ts';
import {
  finishedResult,
  isStopped,
  listedProblems,
  type PublishResult,
  stoppedResult,
} from './publishResult.ts';
import { checkMonth, provenanceOf, type StagedMonth, stageMonth } from './stagedMonth.ts';

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
  { smallStaging, commit = () => {} }: PublishMonthOptions = {},
): Promise<PublishResult> {
  const { dataDir, strict, store } = options;
  await recover(dataDir);
  if (store !== null) progress.phase('joining');
  const shared = store && (await joinStore(dataDir, store));
  const workDir = path.join(dataDir, UNFINISHED_FOLDER);
  makeFolders(workDir);
  const directory = path.join(workDir, 'snapshot');
  const open = await openMonth(options, { workDir, directory }, smallStaging);
  try {
    const staged = await stageMonth(options, open.staging, workDir, progress);
    const background = await open.startBackground(staged);
    const acceptedYears = await checkMonth(options, staged, progress);
    if (isStopped(staged.problems, strict)) return stoppedResult(staged.problems, strict);
    return await publishChecked({
      options,
      progress,
      commit,
      staged,
      acceptedYears,
      background,
      workDir,
      directory,
      shared,
    });
  } finally {
    await open.close();
    // A failure to remove the folder must not replace the result, or the error that is being thrown.
    await rm(workDir, { recursive: true, force: true }).catch(() => {});
  }
}

interface CheckedMonth {
  readonly options: PublishOptions;
  readonly progress: Progress;
  readonly commit: () => void;
  readonly staged: StagedMonth;
  readonly acceptedYears: AcceptedYears;
  readonly background: BackgroundWork;
  readonly workDir: string;
  /** The folder to which the files of the month are written. */
  readonly directory: string;
  readonly shared: SharedStore | null;
}

async function publishChecked(checked: CheckedMonth): Promise<PublishResult> {
  const { options, progress, staged, acceptedYears, background, directory, shared } = checked;
  const { dataDir, month, strict } = options;
  const { problems } = staged;
  progress.phase('writing');
  const resavedTables = await ResavedTables.sample(staged);
  const fingerprints = await background.finishFiles();
  const damage = await background.damage();
  const draft = async () => draftManifest(provenanceOf(staged), await fingerprints.datasets());
  const mayBeSame = damage === null && fingerprints.mayAllBeSame;
  const same = mayBeSame ? await sameAsCurrent(options, draft, problems) : null;
  if (same !== null) {
    await refuseChanged(staged, options.directory, staged.namesBeforeReading);
    if (isStopped(problems, strict)) return stoppedResult(problems, strict);
    noteUnusedAcceptances(nothingCompared(options.accept), damage, options, problems);
    return finishedResult('unchanged', same, problems, { manifest: await draft() });
  }

  progress.phase('comparing');
  const judged = await compareAndGuard(checked, fingerprints, damage, resavedTables);
  const { comparison, guarded } = judged;
  const accepted = [...acceptedDamage(damage), ...acceptedYears.accepted, ...guarded.accepted];
  const manifest = { ...(await draft()), accepted };
  if (damage === null) await warnOfOlderRows(options, staged, manifest.datasets);
  if (comparison !== null) noteMissingRates(comparison, manifest.datasets, problems);
  const isRefused = damage !== null && damage.accepted === null;
  const stopped = isRefused || isStopped(problems, strict, guarded);
  const revision = await nextRevision(dataDir, month, shared?.usedIds);
  const id = `${month}.${revision}`;

  progress.phase('reporting');
  const report = await reportOnMonth(checked, judged, manifest, stopped ? null : id);
  const outcome = { manifest, comparison, findings: guarded.findings, currentDamage: damage, report };
  if (stopped) return stoppedResult(problems, strict, outcome);
  await refuseChanged(staged, options.directory, staged.namesBeforeReading);
  if (isStopped(problems, strict)) return stoppedResult(problems, strict);
  if (options.dryRun) return finishedResult('checked', id, problems, outcome);

  if (shared !== null) progress.phase('pushing');
  await writeReport(directory, report);
  const commit = () => {
    checked.commit();
    progress.phase('publishing');
  };
  await publish(dataDir, directory, { id, month, revision, ...manifest }, { at: options.at, shared, commit });
  return finishedResult('published', id, problems, outcome);
}

interface Judged {
  /** The comparison with the current snapshot; null when there is none, or it is damaged. */
  readonly comparison: Comparison | null;
  readonly guarded: GuardOutcome;
  /** The damage of the current snapshot; null when there is none. */
  readonly damage: DamageFinding | null;
}

/**
 * Compares the month with the current snapshot, and runs the guards on the changes. Notes datasets that could not be
 * compared.
 */
async function compareAndGuard(
  { options, staged, background, workDir, directory }: CheckedMonth,
  fingerprints: Fingerprints,
  damage: DamageFinding | null,
  resavedTables: ResavedTables,
): Promise<Judged> {
  const { problems } = staged;
  const { month, accept } = options;
  const engine = await background.engine;
  const current = damage === null ? await background.current() : null;
  const written = { month, directory, datasets: await fingerprints.datasetsToCompare() };
  const restored = new RestoredFigures();
  const onMatched = (matched: MatchedRows) => {
    resavedTables.onMatched(matched);
    restored.onMatched(matched);
  };
  const comparison = current && (await compareWithCurrent(engine, current, written, { workDir, onMatched }));
  if (comparison !== null) {
    const compared = { options, staged, workDir, written, current: comparison.before, engine };
    await resavedTables.warn(compared);
    await restored.warn(compared, () => fingerprints.datasets());
  }
  const guarded =
    comparison === null ? nothingCompared(accept) : runGuards(comparison, await background.limits(), accept);
  noteUncompared(comparison, problems);
  noteUnusedAcceptances(guarded, damage, options, problems);
  return { comparison, guarded, damage };
}

/**
 * Makes the report on the month.
 *
 * @param id The id of the snapshot that the month becomes; null when it is refused.
 */
async function reportOnMonth(
  { options, staged: { problems, reading }, background, directory }: CheckedMonth,
  { comparison, guarded, damage }: Judged,
  manifest: DraftManifest,
  id: string | null,
): Promise<Report> {
  return reportFromFiles(directory, await background.engine, {
    status: id === null ? 'refused' : options.dryRun ? 'checked' : 'published',
    snapshot: id,
    month: options.month,
    before: await currentId(options.dataDir),
    manifest,
    tables: reading.tables,
    ...listedProblems(problems, REPORTED_PROBLEMS),
    comparison,
    currentDamage: damage && { message: damage.message, accepted: damage.accepted },
    findings: guarded.findings,
  });
}

const REPORTED_PROBLEMS = 200;
