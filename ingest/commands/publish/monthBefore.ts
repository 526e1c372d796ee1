// Examines the current snapshot for a publication: its values, its month, its damage, and whether the new content is the same.

import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { currentId, snapshotDirectory } from '../../../src/catalog/dataDirectory.ts';
import { DATASET_NAMES, datasetOf } from '../../../src/catalog/datasets.ts';
import { HISTORY_FILE, history } from '../../../src/catalog/history.ts';
import type { AnyManifest } from '../../../src/catalog/manifest.ts';
import { manifestIfReadable, readAnyManifest } from '../../../src/catalog/readManifest.ts';
import type { AcceptedYears } from '../../checks/acceptedYears.ts';
import type { Comparison } from '../../compare/comparisonTypes.ts';
import type { GuardOutcome } from '../../guards/runGuards.ts';
import { count } from '../../messages/numbers.ts';
import { wholeFile } from '../../messages/place.ts';
import type { Problems } from '../../messages/problems.ts';
import { KnownValues } from '../../staging/knownValues.ts';
import { CURRENT_DAMAGED, currentDamage } from '../../store/currentDamage.ts';
import type { DraftManifest } from '../../store/files.ts';
import { verify } from '../../store/verify.ts';
import { uncomparedText } from '../output/comparison.ts';
import type { PublishOptions } from './publishOptions.ts';
import type { DamageFinding } from './publishResult.ts';

/** The manifest of the current snapshot; null when there is none, or it cannot be read. */
export async function currentManifest(dataDir: string): Promise<AnyManifest | null> {
  const id = await currentId(dataDir);
  return id === null ? null : await manifestIfReadable(snapshotDirectory(dataDir, id));
}

/** The values of the current snapshot; null when there is none, or its manifest cannot be read. */
export async function knownValues(dataDir: string): Promise<KnownValues | null> {
  const manifest = await currentManifest(dataDir);
  return manifest && new KnownValues(manifest);
}

/** Warns of a month that may be mistyped, and of a clock that is or was wrong. */
export async function warnOfMonth(options: PublishOptions, problems: Problems): Promise<void> {
  warnOfOtherFolder(options, problems);
  await warnOfOddMonth(options, problems);
  await warnOfWrongClock(options, problems);
}

/** Warns when the folder of the sources is named after another month. Either the files or `--month` may be wrong. */
function warnOfOtherFolder({ directory, month }: PublishOptions, problems: Problems): void {
  const folder = path.basename(path.resolve(directory));
  if (!/^\d{4}-\d{2}$/.test(folder) || folder === month) return;
  problems.add('warning', wholeFile(month), {
    problem: `is published from a folder that is named ${folder}`,
    remedy: 'check both: these may be the files of another month',
  });
}

/**
 * Warns when the month is before the current snapshot's, or more than a year after it. An older month may be a correction,
 * but it would replace newer data as `current`. A much later month may be a typing error. Once it is published, every real month
 * counts as older.
 */
async function warnOfOddMonth(options: PublishOptions, problems: Problems): Promise<void> {
  const current = await currentId(options.dataDir);
  if (current === null) return;
  const monthsAfter = monthNumber(options.month) - monthNumber(current);
  if (monthsAfter < 0)
    problems.add('warning', wholeFile(options.month), {
      problem: `is before the current snapshot ${current} and would replace it as current`,
      remedy: `check the month; after the correction of an older month, make the newer one current again with \`ingest rollback ${current}\``,
    });
  if (monthsAfter > 12)
    problems.add('warning', wholeFile(options.month), {
      problem: `is ${count(monthsAfter)} months after the current snapshot ${current}`,
      remedy:
        'check the month: once it is current, every month before it is taken for a correction of an older one',
    });
}

/**
 * Warns when the history has a time after the present one: the clock is wrong now, or was wrong then. The times of the history must
 * ascend, so this publication is recorded with the later time. Until that time, a day in X-Snapshot means an older snapshot.
 */
async function warnOfWrongClock({ dataDir, month, at }: PublishOptions, problems: Problems): Promise<void> {
  const dated = (await history(dataDir)).findLast(
    (one) => Date.parse(one.at) > at.getTime() + CLOCKS_DIFFER_MS,
  );
  if (dated === undefined) return;
  problems.add('warning', wholeFile(month), {
    problem: `the clock says ${minute(at.toISOString())} UTC, and ${dated.id} was ${dated.event} later, at ${minute(dated.at)}`,
    remedy: `correct the clock, or that time in ${HISTORY_FILE}: until then a day in X-Snapshot means an older snapshot`,
  });
}

/** The clocks of two publishers may differ by so much without a warning. */
const CLOCKS_DIFFER_MS = 60 * 60 * 1000;

const minute = (time: string): string => time.slice(0, 16).replace('T', ' ');

/**
 * A number for a month. Successive months have successive numbers.
 *
 * @param text A month or the id of a snapshot.
 */
function monthNumber(text: string): number {
  const [year = 0, month = 0] = text.split(/[-.]/).map(Number);
  return year * 12 + month;
}

/** The damage that prevents a comparison with the current snapshot; null when it is whole, or there is none. */
export async function damageFinding({
  dataDir,
  acceptDamagedCurrent,
}: PublishOptions): Promise<DamageFinding | null> {
  const damage = await currentDamage(dataDir);
  if (damage === null) return null;
  return {
    rule: CURRENT_DAMAGED,
    dataset: null,
    severity: 'refuse',
    message: `${damage}; make a whole snapshot current with rollback, so that guards can look`,
    accept: `--accept ${CURRENT_DAMAGED} --reason "…"`,
    accepted: acceptDamagedCurrent,
  };
}

/**
 * The id of the current snapshot when it is of this month, undamaged, has the same content and was read with the same options;
 * else null. Its rows are verified last, because that takes longest.
 */
export async function sameAsCurrent(
  { dataDir, month }: PublishOptions,
  draft: () => Promise<DraftManifest>,
  problems: Problems,
): Promise<string | null> {
  const current = await currentId(dataDir);
  if (current === null || !current.startsWith(`${month}.`)) return null;
  const { fingerprint, reading } = await readAnyManifest(snapshotDirectory(dataDir, current));
  const now = await draft();
  if (fingerprint !== now.fingerprint || !isDeepStrictEqual(reading, now.reading)) return null;
  if ((await verify(dataDir, current)).length === 0) return current;
  problems.add('note', wholeFile(current), {
    problem: 'the current snapshot is damaged; its month is published again',
    remedy: null,
  });
  return null;
}

/** Notes each dataset that was not compared, because the current snapshot was published by another version of the program. */
export function noteUncompared(comparison: Comparison | null, problems: Problems): void {
  for (const one of comparison?.uncompared ?? [])
    problems.add('note', wholeFile(one.dataset), {
      problem: uncomparedText(one, comparison?.before.id ?? null, null),
      remedy: null,
    });
}

/**
 * Notes once for each dataset that its new years have no rates in fx. Nothing is noted if a year that the dataset already
 * had has none either: then fx is expected to end earlier, such as before the forecasts.
 */
export function noteMissingRates(
  comparison: Comparison,
  datasets: DraftManifest['datasets'],
  problems: Problems,
): void {
  const rated = new Set(datasets.fx.years);
  for (const name of DATASET_NAMES.filter((one) => datasetOf(one).dimensions.includes('fx'))) {
    const years = comparison.datasets[name].dimensions.find(({ dimension }) => dimension === 'year');
    const appeared = new Set(years?.appeared.map(({ value }) => Number(value)));
    const without = datasets[name].years.filter((year) => !rated.has(year));
    if (without.length === 0 || without.some((year) => !appeared.has(year))) continue;
    problems.add('note', wholeFile(name), {
      problem: `${without.join(', ')} ${without.length === 1 ? 'is new and has' : 'are new and have'} no exchange rates in fx`,
      remedy: null,
    });
  }
}

/**
 * Notes each acceptance that matches no finding, because it may be a mistake. If the current snapshot is damaged, also
 * notes that no guard examined the month.
 */
export function noteUnused(
  { unused }: GuardOutcome,
  damage: DamageFinding | null,
  { month, acceptDamagedCurrent }: PublishOptions,
  problems: Problems,
): void {
  for (const { rule, dataset, country = null } of unused)
    noteNothingToAccept([rule, dataset, country].filter((part) => part !== null).join(':'), problems);
  if (damage !== null)
    problems.add('note', wholeFile(month), {
      problem: 'nothing was compared with the current snapshot, and no guard examined it',
      remedy: null,
    });
  else if (acceptDamagedCurrent !== null) noteNothingToAccept(CURRENT_DAMAGED, problems);
}

/** Notes each acceptance of far years that accepted none. */
export function noteUnusedYears({ unused }: AcceptedYears, problems: Problems): void {
  for (const name of unused) noteNothingToAccept(name, problems);
}

const noteNothingToAccept = (name: string, problems: Problems) =>
  problems.add('note', wholeFile(`--accept ${name}`), {
    problem: 'there was nothing of the kind to accept',
    remedy: null,
  });
