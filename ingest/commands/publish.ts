// Publishes a month: read → check → write → compare → guard → report → publish. Only what passes checks and guards gets through.

import { mkdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { currentId } from '../../src/catalog/dataDirectory.ts';
import { TEMPORARY } from '../../src/store/switchCurrent.ts';
import { compareWithCurrent } from '../compare/current.ts';
import { withoutLines } from '../guards/finding.ts';
import { guard, nothingToGuard } from '../guards/guards.ts';
import { reportOn } from '../report/make.ts';
import { writeReport } from '../report/write.ts';
import { listSources } from '../sources/folder.ts';
import { Staging } from '../staging/staging.ts';
import { writtenOf } from '../store/files.ts';
import { publish, recover } from '../store/publish.ts';
import { joinStore } from '../store/sharedStore.ts';
import { nextRevision } from '../store/succession.ts';
import { type Ahead, workAhead } from './aheadOfChecks.ts';
import { damageFinding, noteDamage, noteIdle, noteUncompared, sameAsCurrent } from './monthBefore.ts';
import { refuseChanged } from './monthSources.ts';
import type { Progress } from './output/progress.ts';
import type { PublishOptions } from './publishOptions.ts';
import { acceptedDamage, done, isStopped, listed, type PublishResult, rejected } from './publishResult.ts';
import { checkMonth, recordOf, stageMonth } from './stagedMonth.ts';

/** How many problems of a severity the report shows. */
const REPORTED_PROBLEMS = 200;

/** Files of so many bytes have some 100,000 rows, which take 10 MB of memory. */
const FEW_BYTES = 4 * 1024 * 1024;

/**
 * Opens a staging database in memory for a month of small files; gives null for a larger month, which needs a file. The
 * caller can acquire the lock meanwhile. Nothing of the database remains when the process ends.
 */
export async function openedFor(options: PublishOptions): Promise<Staging | null> {
  const { dataDir, directory, recipe, carry } = options;
  if (recipe !== null || carry.length > 0) return null;
  // Reading the files reports the errors of files that cannot be listed here.
  const { files } = await listSources(directory).catch(() => ({ files: [] }));
  const sizes = await Promise.all(
    files.map((file) =>
      stat(file.path).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  if (sizes.reduce((sum, size) => sum + size, 0) > FEW_BYTES) return null;
  return await Staging.openInMemory(path.join(dataDir, TEMPORARY));
}

/**
 * Turns a folder of sources into the current snapshot, or says everything that stands in the way. Only the last phase,
 * `publishing`, changes what readers see.
 */
export async function publishMonth(
  options: PublishOptions,
  progress: Progress,
  opened = openedFor(options),
): Promise<PublishResult> {
  const { dataDir, month, strict, store = null } = options;
  await recover(dataDir);
  if (store !== null) progress.phase('joining');
  const shared = store && (await joinStore(dataDir, store));
  const workDir = path.join(dataDir, TEMPORARY);
  await mkdir(workDir, { recursive: true });
  const staging = (await opened) ?? (await Staging.open(workDir));
  const directory = path.join(workDir, 'snapshot');
  let ahead: Ahead | undefined;
  try {
    const staged = await stageMonth(options, staging, workDir, progress);
    const { problems, reading } = staged;
    ahead = workAhead(staged, options, workDir, directory);
    await checkMonth(options, staged, progress);
    if (isStopped(problems, strict)) return rejected(problems, strict);

    progress.phase('writing');
    const [fingerprints, damage] = await Promise.all([ahead.fingerprints(), damageFinding(options)]);
    if (!fingerprints.needsConnection) staging.close();
    const written = async () => writtenOf(recordOf(staged), await fingerprints.all());
    const same = damage === null ? await sameAsCurrent(options, written, problems) : null;
    if (same !== null) return done('unchanged', same, problems, await written());

    progress.phase('comparing');
    const engine = await ahead.engine;
    const compared = async () => ({ month, directory, datasets: await fingerprints.compared() });
    const current = damage === null ? await ahead.current() : null;
    const comparison = current && (await compareWithCurrent(engine, current, workDir, await compared()));
    const guarded =
      comparison === null
        ? nothingToGuard(options.accept)
        : guard(comparison, await ahead.limits(), options.accept);
    noteUncompared(comparison, problems);
    noteIdle(guarded, problems);
    noteDamage(damage, options, problems);
    const manifest = { ...(await written()), accepted: [...acceptedDamage(damage), ...guarded.accepted] };
    const isRefused = damage !== null && damage.accepted === null;
    const stopped = isRefused || isStopped(problems, strict, guarded);
    const revision = await nextRevision(dataDir, month, shared?.usedIds);
    const id = `${month}.${revision}`;

    progress.phase('reporting');
    const report = await reportOn(directory, engine, {
      status: stopped ? 'refused' : options.dryRun ? 'checked' : 'published',
      snapshot: stopped ? null : id,
      month,
      before: await currentId(dataDir),
      manifest,
      tables: reading.tables,
      ...listed(problems, REPORTED_PROBLEMS),
      comparison,
      findings: guarded.findings.map(withoutLines),
    });
    const found = { manifest, comparison, findings: guarded.findings, currentDamage: damage, report };
    if (stopped) return rejected(problems, strict, found);
    await refuseChanged(staged);
    if (isStopped(problems, strict)) return rejected(problems, strict);
    if (options.dryRun) return done('checked', id, problems, manifest, found);

    if (shared !== null) progress.phase('pushing');
    await writeReport(directory, report);
    const commit = () => progress.phase('publishing');
    await publish(dataDir, directory, { id, month, revision, ...manifest }, options.at, { shared, commit });
    return done('published', id, problems, manifest, found);
  } finally {
    await ahead?.close();
    staging.close();
    await rm(workDir, { recursive: true, force: true });
  }
}
