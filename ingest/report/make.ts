// Makes the report of a written month: what it holds is read back from its files, the rest is known already.

import { Engine, threadsFor } from '../compare/engine.ts';
import { heldIn } from './content.ts';
import { type ReportInput, reportOf } from './report.ts';
import type { Report } from './types.ts';

/** @param spillDir Made when it is needed; whoever names it removes it. */
export async function reportOn(
  directory: string,
  spillDir: string,
  known: Omit<ReportInput, 'held'>,
): Promise<Report> {
  const rows = Object.values(known.manifest.datasets).reduce((sum, one) => sum + one.rows, 0);
  const engine = await Engine.open(spillDir, threadsFor(rows));
  try {
    return reportOf({ ...known, held: await heldIn(engine, directory, known.comparison !== null) });
  } finally {
    engine.close();
  }
}
