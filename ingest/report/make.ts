// Makes the report of a written month: reads its contents back from its files, and takes the rest from the caller.

import type { Engine } from '../compare/engine.ts';
import { contentsOf } from './content.ts';
import { type ReportInput, reportOf } from './report.ts';
import type { Report } from './types.ts';

export async function reportOn(
  directory: string,
  engine: Engine,
  known: Omit<ReportInput, 'contents'>,
): Promise<Report> {
  return reportOf({ ...known, contents: await contentsOf(engine, directory, known.comparison !== null) });
}
