// Makes the report of a month, and reads what it needs from the written Parquet files.

import type { Engine } from '../compare/engine.ts';
import { contentsOf } from './content.ts';
import { type ReportInput, reportOf } from './report.ts';
import type { Report } from './types.ts';

/**
 * The report of a month.
 *
 * @param directory The folder of the written files.
 * @param known What the report shows besides the contents of the files.
 */
export async function reportFromFiles(
  directory: string,
  engine: Engine,
  known: Omit<ReportInput, 'contents'>,
): Promise<Report> {
  return reportOf({ ...known, contents: await contentsOf(engine, directory, known.comparison !== null) });
}
