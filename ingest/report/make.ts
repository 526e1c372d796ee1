// Makes the report of a written month: reads its contents back from its files, and takes the rest from the caller.

import { Engine, threadsFor } from '../compare/engine.ts';
import { contentsOf } from './content.ts';
import { type ReportInput, reportOf } from './report.ts';
import type { Report } from './types.ts';

/** @param spillDir The engine creates this folder when it needs it; the caller removes it. */
export async function reportOn(
  directory: string,
  spillDir: string,
  known: Omit<ReportInput, 'contents'>,
): Promise<Report> {
  const rows = Object.values(known.manifest.datasets).reduce((sum, one) => sum + one.rows, 0);
  const engine = await Engine.open(spillDir, threadsFor(rows));
  try {
    return reportOf({ ...known, contents: await contentsOf(engine, directory, known.comparison !== null) });
  } finally {
    engine.close();
  }
}
