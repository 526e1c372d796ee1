// The command `diff <a> <b>`: shows the differences of two retained snapshots.

import { rm } from 'node:fs/promises';
import path from 'node:path';
import { snapshotIds } from '../../src/catalog/dataDirectory.ts';
import type { Outcome } from '../../src/terminal/commandLine.ts';
import { withCommonDatasets } from '../compare/commonDatasets.ts';
import { compare } from '../compare/compare.ts';
import { MOST_LISTED } from '../compare/compareWithCurrent.ts';
import type { Comparison } from '../compare/comparisonTypes.ts';
import { snapshotSide } from '../compare/side.ts';
import { withoutLines } from '../guards/finding.ts';
import type { GuardLimits } from '../guards/guard.ts';
import { learnedLimits } from '../guards/learnedLimits.ts';
import { runGuards } from '../guards/runGuards.ts';
import { makeCommandFolder } from './commandFolder.ts';
import { EXIT } from './exitCodes.ts';
import { missingSnapshotError } from './missingSnapshot.ts';
import { comparisonJson } from './output/comparisonJson.ts';
import { printedComparison } from './output/printedComparison.ts';
import { printedGuardVerdicts } from './output/printedFindings.ts';

/**
 * Compares an earlier snapshot with a later one, and runs the guards on the comparison. Snapshots do not change, so the
 * command takes no lock.
 *
 * @param limit How many totals, revisions and rows of each dataset are shown.
 * @throws {SnapshotRefused} when one of the snapshots is damaged.
 */
export async function diff(
  { dataDir, guards }: { readonly dataDir: string; readonly guards: GuardLimits },
  [earlier, later]: readonly [earlier: string, later: string],
  limit: number,
): Promise<Outcome> {
  const known = await snapshotIds(dataDir);
  for (const id of [earlier, later]) {
    if (!known.includes(id)) throw missingSnapshotError(id, known);
  }
  const folder = await makeCommandFolder();
  try {
    const sides = await withCommonDatasets(
      await snapshotSide(dataDir, earlier),
      await snapshotSide(dataDir, later),
      folder,
    );
    const { before, after, uncompared } = sides;
    // The text lists series, and one series may have many rows.
    const listedRows = { limit: Math.max(limit, MOST_LISTED) };
    const compared = await compare(before, after, { spillDir: path.join(folder, 'spill'), ...listedRows });
    const comparison = { ...compared, uncompared };
    const { findings } = runGuards(comparison, await learnedLimits(dataDir, guards, later), []);
    const status = isSame(comparison) ? 'same' : 'different';
    const json = { status, ...comparisonJson(comparison, limit), findings: findings.map(withoutLines) };
    const width = process.stdout.isTTY ? process.stdout.columns : undefined;
    const parts = [printedComparison(comparison, width, limit), printedGuardVerdicts(findings, width)];
    return { exitCode: EXIT.done, json, text: parts.filter((part) => part !== '').join('\n') };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const isSame = ({ datasets, uncompared = [] }: Comparison) =>
  uncompared.every(({ lackedBy }) => lackedBy === 'both') &&
  Object.values(datasets).every(({ same }) => same);
