// Warns of files that an earlier month had replaced already, and of datasets that have the rows of an earlier month again.

import { DATASET_NAMES, type DatasetName } from '../../../../src/catalog/datasets.ts';
import type { Manifest } from '../../../../src/catalog/manifest.ts';
import { wholeFile } from '../../../messages/place.ts';
import type { PublishOptions } from '../publishOptions.ts';
import type { StagedMonth } from '../stagedMonth.ts';
import { type EarlierMonth, earlierMonths, MONTHS_CHANGED } from './earlierMonths.ts';

interface MonthWithChecksums extends EarlierMonth {
  /** The checksums of the source files of the month. */
  readonly checksums: ReadonlySet<string>;
}

/**
 * Compares the files and the fingerprints of a month with those of the months before. Carried datasets are left out,
 * because they repeat on purpose. A month with a recipe is left out, because statistical offices publish at irregular
 * times. `repeatedFiles.ts` warns of files that equal a file of the last month byte by byte.
 */
export async function warnOfOlderRows(
  { dataDir, month }: PublishOptions,
  { recipe, reading, problems }: StagedMonth,
  datasets: Manifest['datasets'],
): Promise<void> {
  if (recipe !== null) return;
  const history = (await earlierMonths(dataDir, month)).map(
    (one): MonthWithChecksums => ({
      ...one,
      checksums: new Set(one.manifest.sources.map(({ sha256 }) => sha256)),
    }),
  );
  const [last] = history;
  if (last === undefined) return;
  const isNew = (name: DatasetName) => datasets[name].fingerprint !== fingerprintOf(last, name);
  const checksums = new Map(reading.files.map(({ file, sha256 }) => [file, sha256]));
  const replaced = filesThatWereReplaced(
    { reading, problems },
    history,
    (name) => isNew(name) && (last.manifest.datasets[name]?.carried ?? null) === null,
  );
  for (const name of DATASET_NAMES.filter(
    (one) => datasets[one].rows > 0 && datasets[one].carried === null,
  )) {
    const files = reading.sources.get(name) ?? [];
    const at = history.findIndex((one) => fingerprintOf(one, name) === datasets[name].fingerprint);
    const older = history[at];
    if (older === undefined || files.every((file) => older.checksums.has(checksums.get(file) ?? '')))
      continue;
    if (files.some((file) => replaced.has(file))) continue;
    const changes = successiveChanges(history, name);
    if (at === 0 && !(changes >= MONTHS_CHANGED && DATASET_NAMES.some(isNew))) continue;
    problems.add('warning', wholeFile(files[0] ?? name), {
      problem: `has all rows of ${name} of ${older.id}, ${at === 0 ? `although they were new in each of the ${changes} months before` : `which ${history[at - 1]?.id} had replaced`}`,
      remedy: "put this month's file in its place, unless these figures are meant",
      kind: 'has the rows of an earlier month',
    });
  }
}

/**
 * Warns of files that equal a file of an older month byte by byte, when the last month had a newer file in its place.
 *
 * @param isNew Whether a dataset has other rows than in the last month, and the last month did not carry it.
 */
function filesThatWereReplaced(
  { reading, problems }: Pick<StagedMonth, 'reading' | 'problems'>,
  [last, ...others]: readonly MonthWithChecksums[],
  isNew: (name: DatasetName) => boolean,
): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { file, sha256 } of reading.files) {
    const older = others.find(({ checksums }) => checksums.has(sha256));
    if (older === undefined || last === undefined || last.checksums.has(sha256)) continue;
    if (!DATASET_NAMES.some((name) => reading.sources.get(name)?.includes(file) === true && isNew(name)))
      continue;
    found.add(file);
    problems.add('warning', wholeFile(file), {
      problem: `is the file of ${older.id}, byte by byte, which ${last.id} had replaced`,
      remedy: "put this month's file in its place, unless these figures are meant",
      kind: 'is the file of an earlier month, byte by byte',
    });
  }
  return found;
}

const fingerprintOf = ({ manifest }: MonthWithChecksums, name: DatasetName): string | undefined =>
  manifest.datasets[name]?.fingerprint;

/** The number of successive months, up to the last one, in which a dataset changed; 0 when it repeated in one of them. */
function successiveChanges(history: readonly MonthWithChecksums[], name: DatasetName): number {
  const repeats = history
    .slice(1)
    .some((one, i) => fingerprintOf(one, name) === fingerprintOf(history[i] as MonthWithChecksums, name));
  return repeats ? 0 : history.length - 1;
}
