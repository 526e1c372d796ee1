// Learns from the reports of earlier months which changes are usual.
// It raises the limits of warnings, never those of refusals.

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { groupBy } from '../../src/basics/lists.ts';
import { lowerMedian } from '../../src/basics/medians.ts';
import { idParts, snapshotDirectory } from '../../src/catalog/dataDirectory.ts';
import { byDataset, DATASET_NAMES, type DatasetName } from '../../src/catalog/datasets.ts';
import { publishedOneOnAnother } from '../../src/catalog/publications.ts';
import type { Band, GuardLimits } from './guard.ts';

/** The fewest months from which limits are learned. Fewer do not show what is usual. */
const FEWEST_MONTHS = 3;

/** The most months from which limits are learned, the newest ones. Older ones say little about today's sources. */
const MOST_MONTHS = 6;

/** Moves become a warning from this many times the usual month's largest move on. */
const UNUSUAL_FACTOR = 1.5;

/** The limits of each dataset. If too few months are known, they are those of the settings. */
export type LearnedLimits = Readonly<Record<DatasetName, GuardLimits>>;

/**
 * Learns the limits of each dataset. A limit for warnings becomes 1.5 times the median of the largest moves of the earlier
 * months, if that is more than its setting. It is never more than the limit for refusals. Because of the median, one month
 * with large moves that somebody accepted does not raise the limits of the next months.
 *
 * Of the revisions of a month, the last one that was compared with another month counts. Snapshots that were rolled back do
 * not count. Reports that are missing, damaged or from another version of the program are ignored.
 *
 * @param until An existing snapshot. Only the snapshots before its publication are learned from. Null learns from all.
 */
export async function learnedLimits(
  dataDir: string,
  limits: GuardLimits,
  until: string | null = null,
): Promise<LearnedLimits> {
  const revisions = groupBy(await publishedOneOnAnother(dataDir, until), monthOf);
  const read = await Promise.all(
    [...revisions.values()].slice(-MOST_MONTHS).map((ids) => movesOfMonth(dataDir, ids)),
  );
  const months = read.filter((month) => month !== null);
  return byDataset((name) =>
    raisedLimits(
      limits,
      months.flatMap((month) => month[name] ?? []),
    ),
  );
}

const monthOf = (id: string): string | null => idParts(id)?.[0] ?? null;

/** For each limit, the largest move of a month that the limit applies to, as a share; null if nothing could move. */
interface Moves {
  readonly rows: number | null;
  readonly totals: number | null;
  readonly closedYears: number | null;
  readonly country: number | null;
}

function raisedLimits(limits: GuardLimits, months: readonly Moves[]): GuardLimits {
  const band = (name: keyof Moves): Band => {
    const moves = months.flatMap((month) => month[name] ?? []);
    const usual = moves.length < FEWEST_MONTHS ? 0 : lowerMedian(moves);
    const { warn, refuse } = limits[name];
    return { warn: Math.max(warn, Math.min(UNUSUAL_FACTOR * usual, refuse)), refuse };
  };
  return {
    ...limits,
    rows: band('rows'),
    totals: band('totals'),
    closedYears: band('closedYears'),
    country: band('country'),
  };
}

const totalSchema = z.looseObject({
  forecast: z.boolean(),
  closed: z.boolean(),
  relative: z.number().nullable(),
  countries: z.number(),
});

/** The parts of `report.json` from which limits are learned. */
const reportSchema = z.looseObject({
  format: z.literal(1),
  comparedWith: z.string(),
  datasets: z.record(
    z.string(),
    z.looseObject({
      same: z.boolean(),
      rows: z.looseObject({ before: z.number().nullable(), after: z.number() }),
      totals: z.looseObject({ shown: z.array(totalSchema) }),
    }),
  ),
});

type ReportedDataset = z.infer<typeof reportSchema>['datasets'][string];

type MovesOfMonth = Partial<Record<DatasetName, Moves>>;

/** The largest moves of each dataset that changed in a month with these revisions; null when no report has them. */
async function movesOfMonth(dataDir: string, revisions: readonly string[]): Promise<MovesOfMonth | null> {
  for (const id of revisions.toReversed()) {
    const moves = await movesOf(dataDir, id);
    if (moves !== null) return moves;
  }
  return null;
}

/** The largest moves since another month; null when the report has none, is missing or unreadable. */
async function movesOf(dataDir: string, id: string): Promise<MovesOfMonth | null> {
  const file = path.join(snapshotDirectory(dataDir, id), 'report.json');
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return null;
  const parsed = reportSchema.safeParse(parsedJson(text));
  if (!parsed.success || monthOf(parsed.data.comparedWith) === monthOf(id)) return null;
  return Object.fromEntries(
    DATASET_NAMES.flatMap((name) => {
      const dataset = parsed.data.datasets[name];
      return dataset === undefined || dataset.same ? [] : [[name, movesIn(dataset)]];
    }),
  );
}

function movesIn({ rows, totals }: ReportedDataset): Moves {
  const reported = totals.shown.filter(({ forecast }) => !forecast);
  const largest = (changes: typeof reported) => {
    const sizes = changes.flatMap(({ relative }) => (relative === null ? [] : [Math.abs(relative)]));
    return sizes.length === 0 ? null : Math.max(...sizes);
  };
  const ofSeveral = reported.filter(({ countries }) => countries > 1);
  return {
    rows: rows.before === null || rows.before === 0 ? null : Math.abs(rows.after / rows.before - 1),
    totals: largest(ofSeveral),
    closedYears: largest(ofSeveral.filter(({ closed }) => closed)),
    country: largest(reported.filter(({ closed, countries }) => closed && countries === 1)),
  };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
