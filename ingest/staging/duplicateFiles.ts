// Finds and reports sources with the same bytes as another one. Each of their rows would be a duplicate.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { groupBy } from '../../src/basics/lists.ts';
import { wholeFile } from '../messages/place.ts';
import type { SourceFile } from '../sources/folder.ts';
import type { ReadingRun } from './reading.ts';

/** A source and its size. */
export type SizedFile = SourceFile & { readonly bytes: number };

/** A source with the same bytes as another source. Both are of the same dataset, or neither is named after one. */
export interface DuplicateFile {
  readonly name: string;
  /** The name of the source with the same bytes: the shortest one. */
  readonly original: string;
}

/** Parts the sources into those that are read, and copies of them. */
export async function separateDuplicates(
  sources: readonly SizedFile[],
): Promise<{ readonly originals: readonly SizedFile[]; readonly duplicates: readonly DuplicateFile[] }> {
  const copies = new Map<SizedFile, DuplicateFile>();
  const ofOneSize = groupBy(sources, ({ dataset, bytes }) => `${dataset} ${bytes}`);
  for (const alike of ofOneSize.values()) {
    if (alike.length < 2 || alike[0].bytes === 0) continue;
    const originals = new Map<string, SizedFile>();
    for (const file of alike.toSorted((a, b) => a.name.length - b.name.length)) {
      const hash = await hashOf(file.path);
      if (hash === null) continue;
      const original = originals.get(hash);
      if (original === undefined) originals.set(hash, file);
      else copies.set(file, { name: file.name, original: original.name });
    }
  }
  return { originals: sources.filter((file) => !copies.has(file)), duplicates: [...copies.values()] };
}

/** Reports copies of files that have rows, after the sources have been read. Copies of an empty template do no harm. */
export function reportDuplicates(
  duplicates: readonly DuplicateFile[],
  { reading, problems }: ReadingRun,
): void {
  for (const { name, original } of duplicates)
    if (reading.tables.some(({ file, rows }) => file === original && rows > 0))
      problems.add('error', wholeFile(name), {
        problem: `has the same content as ${original}`,
        remedy: 'move one of the two away',
      });
}

/** The hash of a file; null for one that cannot be read, which its reader reports. */
async function hashOf(path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path), hash);
    return hash.digest('hex');
  } catch {
    return null;
  }
}
