// Reports hidden files that stand for a source: placeholders of files in a cloud, unfinished copies, and locks of programs.

import type { Diagnostic } from '../messages/fault.ts';
import { wholeFile } from '../messages/place.ts';
import type { Problems } from '../messages/problems.ts';
import { isSpreadsheetLike } from '../sources/readers/openFile.ts';

/** The names of hidden files that stand for a source. `lacking` makes the warning when the source is not in the folder. */
const STAND_INS: readonly { readonly name: RegExp; readonly lacking: (source: string) => Diagnostic }[] = [
  {
    // iCloud.
    name: /^\.(.+)\.icloud$/i,
    lacking: onlyInCloud,
  },
  {
    // Excel, and LibreOffice.
    name: /^~\$(.+)$|^\.~lock\.(.+)#$/,
    lacking: (source) => ({
      problem: `${source} is open in a program, and not in the folder`,
      remedy: 'save it here, or remove the lock file',
    }),
  },
  {
    // Syncthing, Nextcloud, rsync, and programs that hide their unfinished files.
    name: /^\.syncthing\.(.+)\.tmp$|^\.(.+)\.~[0-9a-f]+$|^\.(.+)\.(?:[0-9A-Za-z]{6}|part|tmp|crdownload)$/,
    lacking: (source) => ({
      problem: `an unfinished copy of ${source}, which was not read`,
      remedy: 'wait until it is complete, or copy it again',
    }),
  },
];

/** The warning about the placeholder of a file of which only the name is on this machine. */
export function onlyInCloud(source: string): Diagnostic {
  return {
    problem: `a placeholder of ${source}, which is only in the cloud and was not read`,
    remedy: 'download it into the folder',
  };
}

/**
 * Warns of each hidden file whose source is not in the folder. A lock file beside its source is noted, because a program
 * may have unsaved changes of the source. All other hidden files are ignored.
 *
 * @param hidden The names of files that begin with a dot or with `~$`.
 * @param files The names of all other files.
 */
export function reportHiddenFiles(
  hidden: readonly string[],
  files: readonly string[],
  problems: Problems,
): void {
  const present = new Set(files.map((name) => name.toLowerCase()));
  for (const file of hidden) {
    const found = sourceOf(file);
    if (found === null) continue;
    const { source, lacking, isLock } = found;
    if (!present.has(source.toLowerCase())) problems.add('warning', wholeFile(file), lacking(source));
    else if (isLock)
      problems.add('note', wholeFile(source), {
        problem: 'is open in a program, whose unsaved changes were not read',
        remedy: 'save it and publish again if they count',
      });
  }
}

/** The source for which a hidden file stands; null for any other file. */
function sourceOf(file: string) {
  for (const { name, lacking } of STAND_INS) {
    const source = name.exec(file)?.slice(1).find(Boolean);
    if (source !== undefined && isSpreadsheetLike(source))
      return { source, lacking, isLock: /^~\$|#$/.test(file) };
  }
  return null;
}
