// Writes the report where a person asked for it: that of a dry run or a refused month lies nowhere else.

import { realpath, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { snapshotDirectory } from '../../src/catalog/dataDirectory.ts';
import { UsageError } from '../../src/usageError.ts';
import { reportJson } from '../report/json.ts';
import { reportHtml } from '../report/render.ts';
import { REPORT_HTML } from '../report/write.ts';
import type { PublishResult } from './publishResult.ts';

/**
 * Refuses a file that cannot be a report, before anything is read: it would be missed when the month is refused.
 *
 * @param said As it was given, for the message.
 * @throws {UsageError}
 */
export async function checkReportFile(file: string, said: string, dataDir: string): Promise<void> {
  const folder = await realpath(path.dirname(file)).catch(() => null);
  if (folder === null) throw new UsageError(`--report ${said}: there is no folder ${path.dirname(file)}`);
  const snapshots = path.join(await realpath(dataDir).catch(() => dataDir), 'snapshots');
  if (`${folder}${path.sep}`.startsWith(`${snapshots}${path.sep}`))
    throw new UsageError(
      `--report ${said}: a snapshot has its own report, and nothing else belongs there; name another folder`,
    );
  const found = await stat(file).catch(() => null);
  if (found !== null && !found.isFile()) throw new UsageError(`--report ${said} is not a file`);
}

export interface Readable {
  /** Where the report can be read. */
  readonly file: string;
  /** Why it is not where it was asked for; the month may be published all the same. */
  readonly failure: string | null;
}

/** Where the report can be read, written there when it was asked for, as JSON or a page; null when there is none. */
export async function reportWritten(
  { report, status, snapshot }: Pick<PublishResult, 'report' | 'status' | 'snapshot'>,
  asked: string | null,
  dataDir: string,
): Promise<Readable | null> {
  let failure: string | null = null;
  if (asked !== null && report !== null) {
    try {
      await writeFile(asked, /\.json$/i.test(asked) ? reportJson(report) : reportHtml(report));
      return { file: asked, failure };
    } catch (error) {
      // What was published is published; without a snapshot the report was all there is to have.
      if (status !== 'published') throw error;
      failure = `${asked} could not be written: ${(error as NodeJS.ErrnoException).code ?? error}`;
    }
  }
  if (snapshot === null || status === 'checked') return null;
  const file = path.join(snapshotDirectory(dataDir, snapshot), REPORT_HTML);
  // Snapshots that are older than reports have none.
  return (await stat(file).catch(() => null)) === null ? null : { file, failure };
}
