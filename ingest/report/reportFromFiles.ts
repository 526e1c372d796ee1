// Makes the report of a month from the Parquet files that were written of it.

import type { Engine } from '../compare/engine.ts';
import { contentsOf } from './content.ts';
import { type ReportInput, reportOf } from './report.ts';
import type { Report } from './types.ts';

/**
 * The report of a month.
 *
 * @param directory The folder of the written files.
 * @param known What the report shows besides their contents.
 */
export async function reportFromFiles(
  directory: string,
  engine: Engine,
  known: Omit<ReportInput, 'contents'>,
): Promise<Report> {
  return reportOf({ ...known, contents: await contentsOf(engine, directory, known.comparison !== null) });
}
