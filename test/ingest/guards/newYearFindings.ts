// Runs the guards on the first month that has the year 2024.

import { guarded } from '../../support/comparedSnapshots.ts';
import type { Row, Rows } from '../../support/snapshot.ts';

/** Whether a row is of the year that begins. */
export const isNew = ({ year }: Row): boolean => year === 2024;

/**
 * The guards' findings on these rows, compared with the same rows without 2024, as texts: severity, rule, dataset, message.
 */
export async function newYearFindings(after: Rows): Promise<string[]> {
  const before = Object.fromEntries(
    Object.entries(after).map(([name, rows]) => [name, rows?.filter((row: Row) => !isNew(row))]),
  );
  const months = { before: '2024-12.1', after: '2025-03.1' };
  const { findings } = await guarded(before, after, months);
  return findings.map(({ severity, rule, dataset, message }) => `${severity} ${rule} ${dataset}: ${message}`);
}
