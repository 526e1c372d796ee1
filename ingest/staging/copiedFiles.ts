// Refuses a source with the same bytes as another one, because each of its rows would be a duplicate.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { groupBy } from '../../src/groupBy.ts';
import { wholeFile } from '../messages/place.ts';
import type { Problems } from '../messages/problems.ts';
import type { SourceFile } from '../sources/folder.ts';

type SizedFile = SourceFile & { readonly bytes: number };

/**
 * The sources without copies. A copy is named after the same dataset as another source, or after none as well, and has the
 * same bytes. It is an error. The source with the shortest name counts as the original.
 */
export async function withoutCopies<File extends SizedFile>(
  sources: readonly File[],
  problems: Problems,
): Promise<readonly File[]> {
  const copies = new Set<File>();
  const ofOneSize = groupBy(sources, ({ dataset, bytes }) => `${dataset} ${bytes}`);
  for (const alike of ofOneSize.values()) {
    if (alike.length < 2 || alike[0].bytes === 0) continue;
    const originals = new Map<string, File>();
    for (const file of alike.toSorted((a, b) => a.name.length - b.name.length)) {
      const hash = await hashOf(file.path);
      if (hash === null) continue;
      const original = originals.get(hash);
      if (original === undefined) {
        originals.set(hash, file);
        continue;
      }
      copies.add(file);
      problems.add('error', wholeFile(file.name), {
        problem: `has the same content as ${original.name}`,
        remedy: 'move one of the two away',
      });
    }
  }
  return sources.filter((file) => !copies.has(file));
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
