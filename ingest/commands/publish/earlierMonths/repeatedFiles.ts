// Warns of a source that equals a file of the month before byte by byte, although a new file was expected.

import { byDataset, DATASET_NAMES, type DatasetName } from '../../../../src/catalog/datasets.ts';
import type { AnyManifest } from '../../../../src/catalog/manifest.ts';
import { wholeFile } from '../../../messages/place.ts';
import type { Problems } from '../../../messages/problems.ts';
import type { Reading } from '../../../staging/reading.ts';
import type { PublishOptions } from '../publishOptions.ts';
import { earlierMonths, MONTHS_CHANGED } from './earlierMonths.ts';

interface ReadMonth {
  readonly reading: Reading;
  /** The recipe of the month; null when it has none. */
  readonly recipe: object | null;
  readonly problems: Problems;
}

/** The files of a month: for each dataset, a checksum for each file name. */
type ChecksumsByDataset = Readonly<Record<DatasetName, ReadonlyMap<string, string>>>;

/**
 * Warns of a file of a dataset that equals one of the month before, when other files of the dataset changed, or when the
 * file changed in each of the months before. A file that repeated in an earlier month may repeat again without a warning:
 * quarterly files would cause one nearly every month. The files of a recipe are not checked, because statistical offices
 * publish at irregular times.
 */
export async function warnOfRepeatedFiles(
  { dataDir, month }: PublishOptions,
  { reading, recipe, problems }: ReadMonth,
): Promise<void> {
  if (recipe !== null) return;
  const [monthBefore] = await earlierMonths(dataDir, month, 1);
  if (monthBefore === undefined) return;
  const last = publishedChecksums(monthBefore.manifest);
  const now = checksumsByDataset(reading.files, (dataset) => reading.sources.get(dataset) ?? []);
  const same = DATASET_NAMES.flatMap((dataset) =>
    [...now[dataset]]
      .filter(([, sha256]) => hasChecksum(last, dataset, sha256))
      .map(([file, sha256]) => ({ dataset, file, sha256 })),
  );
  const isNew = (dataset: DatasetName) =>
    [...now[dataset].values()].some((sha256) => !hasChecksum(last, dataset, sha256));
  // A month without any new file repeats the month before on purpose.
  if (same.length === 0 || !DATASET_NAMES.some(isNew)) return;
  const history = (await earlierMonths(dataDir, month)).map(({ manifest }) => publishedChecksums(manifest));
  const reported = new Set<string>();
  for (const { dataset, file, sha256 } of same) {
    const changes = successiveChanges(history, dataset, { file, sha256 });
    const others = isNew(dataset);
    if (changes === null || !(others || changes >= MONTHS_CHANGED)) continue;
    // A workbook with several datasets appears in the list once for each of them.
    if (reported.has(file)) continue;
    reported.add(file);
    problems.add('warning', wholeFile(file), {
      problem: `is the file of ${monthBefore.id}, byte by byte, although ${others ? `other files of ${dataset} are new` : `a new one came in each of the ${changes} months before`}`,
      remedy: "put this month's file in its place, unless nothing in it changed",
      kind: 'is the file of an earlier month, byte by byte',
    });
  }
}

const publishedChecksums = (manifest: AnyManifest): ChecksumsByDataset =>
  checksumsByDataset(manifest.sources, (dataset) => manifest.datasets[dataset]?.sources ?? []);

function checksumsByDataset(
  all: AnyManifest['sources'],
  namesOf: (dataset: DatasetName) => readonly string[],
): ChecksumsByDataset {
  const checksums = new Map(all.map(({ file, sha256 }) => [file, sha256]));
  return byDataset(
    (dataset) =>
      new Map(
        namesOf(dataset).flatMap((file): [string, string][] => {
          const sha256 = checksums.get(file);
          return sha256 === undefined ? [] : [[file, sha256]];
        }),
      ),
  );
}

const hasChecksum = (files: ChecksumsByDataset, dataset: DatasetName, sha256: string) =>
  [...files[dataset].values()].includes(sha256);

/**
 * The number of successive months in which the file was new; null when it equals the file of the month before in one of
 * them.
 */
function successiveChanges(
  history: readonly ChecksumsByDataset[],
  dataset: DatasetName,
  { file, sha256 }: { file: string; sha256: string },
): number | null {
  let changes = 0;
  for (const [i, files] of history.slice(0, -1).entries()) {
    const then = checksumOfSameName(files, dataset, file) ?? (i === 0 ? sha256 : undefined);
    if (then === undefined) break;
    const before = history[i + 1];
    if (before !== undefined && hasChecksum(before, dataset, then)) return null;
    changes += 1;
  }
  return changes;
}

/** The checksum of the file with the same name, apart from digits, which may name the month. */
function checksumOfSameName(
  files: ChecksumsByDataset,
  dataset: DatasetName,
  file: string,
): string | undefined {
  const plain = (name: string) => name.replace(/\d+/g, '');
  return [...files[dataset]].find(([name]) => plain(name) === plain(file))?.[1];
}
