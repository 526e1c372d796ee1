// Writes the report to the file of `--report`. After a dry run or a refusal, no other copy exists.

import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { snapshotDirectory } from '../../../src/catalog/dataDirectory.ts';
import { systemCode } from '../../../src/system/systemError.ts';
import { tryToWrite, writeWhole } from '../../../src/system/wholeFile.ts';
import { typedPath } from '../../../src/terminal/commandLine.ts';
import { UsageError } from '../../../src/terminal/usageError.ts';
import { formatOf } from '../../messages/fileFormats.ts';
import { reportHtml } from '../../report/reportHtml.ts';
import { reportJson } from '../../report/reportJson.ts';
import { REPORT_HTML } from '../../report/writeReport.ts';
import type { PublishResult } from './publishResult.ts';

/**
 * Checks before the sources are read that the report can be written. Otherwise it would be lost at the end of the run.
 *
 * @param asTyped The value of the option as the user typed it.
 * @returns The absolute path of the file.
 * @throws {UsageError} when the file cannot be written.
 */
export async function expectReportFile(asTyped: string, dataDir: string): Promise<string> {
  const file = typedPath('ingest', asTyped);
  // The report replaces the file to which a link leads.
  const target = await realpath(file).catch(() => file);
  const folder = await realpath(path.dirname(target)).catch(() => null);
  if (folder === null)
    throw new UsageError(
      `--report ${asTyped}: there is no folder ${path.dirname(file)}; make it, or name another`,
    );
  const snapshots = path.join(await realpath(dataDir).catch(() => dataDir), 'snapshots');
  if (`${folder}${path.sep}`.startsWith(`${snapshots}${path.sep}`))
    throw new UsageError(
      `--report ${asTyped}: a snapshot has its own report, and nothing else belongs there; name another folder`,
    );
  if (formatOf(file) !== null || formatOf(target) !== null)
    throw new UsageError(
      `--report ${asTyped} has the name of a source, which the report would replace; name it .html or .json`,
    );
  const found = await stat(target).catch(nullIfMissing(asTyped));
  if (found?.isFile() === false)
    throw new UsageError(`--report ${asTyped} is not a file; name one that ends in .html or .json`);
  await tryToWrite(folder).catch((error) => {
    throw new UsageError(
      `--report ${asTyped}: nothing can be written in ${folder} (${systemCode(error)}); name another folder`,
    );
  });
  return file;
}

/**
 * Handles the error of `stat`. Returns null for a file that does not exist yet, and throws a {@link UsageError} otherwise.
 */
const nullIfMissing =
  (asTyped: string) =>
  ({ code }: NodeJS.ErrnoException): null => {
    if (code === 'ENOENT') return null;
    const why = code === 'ENAMETOOLONG' ? 'the name is too long' : `the file cannot be written (${code})`;
    throw new UsageError(`--report ${asTyped}: ${why}; name another file`);
  };

export interface ReportLocation {
  /** The file with the report; null when there is none, because the requested file could not be written. */
  readonly file: string | null;
  /** Why the requested file could not be written; null when it was written, or none was requested. */
  readonly failure: string | null;
}

/**
 * Writes the report to the requested file, as JSON or HTML.
 *
 * @returns Where the report can be read; null when there is no report.
 */
export async function writeRequestedReport(
  { report, status, snapshot }: Pick<PublishResult, 'report' | 'status' | 'snapshot'>,
  requestedFile: string | null,
  dataDir: string,
): Promise<ReportLocation | null> {
  let failure: string | null = null;
  if (requestedFile !== null && report !== null) {
    try {
      await writeWhole(
        requestedFile,
        /\.json$/i.test(requestedFile) ? reportJson(report) : reportHtml(report),
      );
      return { file: requestedFile, failure };
    } catch (error) {
      failure = `${requestedFile} could not be written: ${systemCode(error) || error}`;
      // A published month also has its report in the snapshot.
      if (status !== 'published') return { file: null, failure };
    }
  }
  if (snapshot === null || status === 'checked') return null;
  const file = path.join(snapshotDirectory(dataDir, snapshot), REPORT_HTML);
  // Snapshots of older versions have no report.
  return (await stat(file).catch(() => null)) === null ? null : { file, failure };
}
