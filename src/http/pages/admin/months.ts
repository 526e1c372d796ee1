// Handles the routes of months: publications and rollbacks, reports, and the difference of two snapshots.

import path from 'node:path';
import { createLruCache } from '../../../cache/lruCache.ts';
import { currentId, isSnapshotId, snapshotDirectory, snapshotIds } from '../../../catalog/dataDirectory.ts';
import type { AnyManifest } from '../../../catalog/manifest.ts';
import { readHistory } from '../../../catalog/readHistory.ts';
import { readAnyManifest } from '../../../catalog/readManifest.ts';
import { readRegularFile } from '../../../catalog/regularFile.ts';
import { SnapshotRefused, SnapshotUnreadable } from '../../../catalog/snapshotRefused.ts';
import { manifestSignatureOf } from '../../../catalog/snapshotSignature.ts';
import { unavailable } from '../../../errors.ts';
import type { Reply } from '../reply.ts';
import { differencePage } from '../templates/differencePage.ts';
import { type MonthEvent, monthsPage } from '../templates/monthsPage.ts';
import { noSuch, ok, pageOfList, type Visit } from './teamVisit.ts';

/** The page of all months. */
export async function showMonths(visit: Visit): Promise<Reply> {
  const { dataDir } = visit.deps.settings;
  const [entries, { retained, current }] = await Promise.all([readHistory(dataDir), snapshotsIn(dataDir)]);
  const events = entries.filter(({ event }) => event !== 'pruned').reverse();
  const { part, ...paging } = pageOfList(events, visit.query);
  const shown: MonthEvent[] = [];
  // One after the other, because parsing a report of a megabyte keeps the event loop from other requests for some 10 ms.
  for (const entry of part) {
    const isRetained = retained.includes(entry.id);
    shown.push({ ...entry, isRetained, verdict: isRetained ? await verdictOf(dataDir, entry.id) : null });
  }
  return ok(monthsPage(visit, { events: shown, current, retained: [...retained].reverse(), paging }));
}

/**
 * The facts of a snapshot from its manifest and its report; null when the manifest is missing, damaged or unreadable now.
 */
async function verdictOf(dataDir: string, id: string): Promise<MonthEvent['verdict']> {
  const manifest = await manifestOf(dataDir, id).catch(() => null);
  if (manifest === null) return null;
  const report = await reportOf(dataDir, id);
  return {
    headline: report?.headline ?? null,
    warnings: report?.warnings ?? 0,
    isCompared: (report?.comparedWith ?? null) !== null,
    accepted: manifest.accepted,
    sources: manifest.sources,
    hasReport: report !== null,
  };
}

/**
 * The ids of the snapshots, and the id that `current` names.
 *
 * @throws {ApiError} 503 when `current` names a snapshot and there are none, because then the folder of snapshots cannot
 * be reached.
 */
async function snapshotsIn(dataDir: string) {
  const [retained, current] = await Promise.all([snapshotIds(dataDir), currentId(dataDir)]);
  if (retained.length === 0 && current !== null) throw unavailable();
  return { retained, current };
}

/**
 * The manifest of a snapshot; null when it is missing or damaged. Any version of the program may have written it.
 *
 * @throws {ApiError} as `snapshotsIn`, and 503 when it cannot be read now.
 */
async function manifestOf(dataDir: string, id: string): Promise<AnyManifest | null> {
  try {
    return await readAnyManifest(snapshotDirectory(dataDir, id));
  } catch (error) {
    if (error instanceof SnapshotUnreadable) throw unavailable(1, error);
    if (!(error instanceof SnapshotRefused)) throw error;
    await snapshotsIn(dataDir);
    return null;
  }
}

interface ReportFacts {
  readonly headline: string;
  readonly warnings: number;
  readonly comparedWith: string | null;
}

/** The facts of a snapshot's report; null when there is no report, or none that can be read now. */
async function reportOf(dataDir: string, id: string): Promise<ReportFacts | null> {
  const signature = `${dataDir} ${await manifestSignatureOf(dataDir, id)}`;
  const cached = reportFacts.get(signature);
  if (cached !== undefined) return cached;
  const facts = await readReport(dataDir, id);
  if (facts !== null) reportFacts.set(signature, facts, 2 * (signature.length + facts.headline.length));
  return facts;
}

/**
 * The facts by the signature of their snapshot, because a list of months needs those of every snapshot. There is room for
 * thousands of them.
 */
const reportFacts = createLruCache<ReportFacts>(2 ** 20);

async function readReport(dataDir: string, id: string): Promise<ReportFacts | null> {
  try {
    const file = path.join(snapshotDirectory(dataDir, id), 'report.json');
    const report = JSON.parse(await readRegularFile(file));
    const findings = report.checked.guards.flatMap(
      (guard: { findings: { severity: string }[] }) => guard.findings,
    );
    const warnings = findings.filter(({ severity }: { severity: string }) => severity === 'warn').length;
    return {
      headline: String(report.headline),
      warnings,
      comparedWith: report.comparedWith === null ? null : String(report.comparedWith),
    };
  } catch {
    return null;
  }
}

/** Shows the report of a snapshot. It runs in a sandbox, so that its script cannot reach the session. */
export async function showReport(visit: Visit, id: string): Promise<Reply> {
  const { dataDir } = visit.deps.settings;
  if (!isSnapshotId(id)) return noSuch(visit, 'month');
  const html = await reportPageOf(dataDir, id);
  if (html === null) return noSuch(visit, 'month');
  const policy = `${policyOf(html)}; sandbox allow-scripts allow-downloads`;
  return { status: 200, document: { body: Buffer.from(html), policy } };
}

/**
 * The report of a snapshot as a page; null when it does not exist.
 *
 * @throws {ApiError} as `snapshotsIn`.
 * @throws {Error} when the file cannot be read now.
 */
async function reportPageOf(dataDir: string, id: string): Promise<string | null> {
  try {
    return await readRegularFile(path.join(snapshotDirectory(dataDir, id), 'report.html'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await snapshotsIn(dataDir);
    return null;
  }
}

/** A policy that allows only the style and the script of the report, by the hashes that the report names. */
function policyOf(html: string): string {
  const hashes = (kind: string) =>
    new RegExp(`${kind}-src ('sha256-[A-Za-z0-9+/=]{44}')`).exec(html.slice(0, 2000))?.[1];
  const [style, script] = [hashes('style'), hashes('script')];
  return [
    "form-action 'none'",
    ...(style === undefined ? [] : [`style-src ${style}`]),
    ...(script === undefined ? [] : [`script-src ${script}`]),
  ].join('; ');
}

/**
 * Shows the difference of two snapshots by their manifests: the numbers of rows and missing values, the years, the added
 * and removed values, and the sources.
 */
export async function showDifference(visit: Visit): Promise<Reply> {
  const { dataDir } = visit.deps.settings;
  const [a, b] = [visit.query.get('a') ?? '', visit.query.get('b') ?? ''];
  if (!isSnapshotId(a) || !isSnapshotId(b)) return noSuch(visit, 'month');
  const [before, after] = await Promise.all([manifestOf(dataDir, a), manifestOf(dataDir, b)]);
  if (before === null || after === null) return noSuch(visit, 'month');
  const report = await reportOf(dataDir, after.id);
  const headline = report?.comparedWith === before.id ? report.headline : null;
  return ok(differencePage(visit, { before, after, headline }));
}
