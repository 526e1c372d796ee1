// Finds files below a folder by a pattern of `**`, `*` and `?`.

import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * The files below a folder as paths with `/`, in the order of their names. Dotfiles, files in dot folders and the lock files of
 * spreadsheet programs (`~$…`) are left out.
 */
export async function filesBelow(directory: string): Promise<string[]> {
  const entries = (await readdir(directory, { recursive: true })).map((entry) =>
    entry.split(path.sep).join('/'),
  );
  const visible = entries.filter((entry) => !/(?:^|\/)(?:\.|~\$)/.test(entry));
  const isFile = await Promise.all(
    visible.map(
      async (entry) => (await stat(path.join(directory, entry)).catch(() => null))?.isFile() ?? false,
    ),
  );
  return visible.filter((_, i) => isFile[i]).sort();
}

/**
 * A function that tests whether a whole path matches a pattern. `**` matches any number of folders, `*` any number of
 * characters except `/`, and `?` one such character. Every other character matches only itself, in the same case.
 */
export function matcher(pattern: string): (file: string) => boolean {
  const source = pattern
    .normalize('NFC')
    .replace(
      /\*\*\/|\*\*|\*|\?|[^*?]+/g,
      (part) => WILDCARDS[part] ?? part.replace(/[\\^$.|+()[\]{}]/g, '\\$&'),
    );
  const expression = new RegExp(`^${source}$`, 's');
  return (file) => expression.test(file.normalize('NFC'));
}

const WILDCARDS: Readonly<Record<string, string>> = {
  '**/': '(?:[^/]+/)*',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
};
