// Opens a text file as a table of one row, with the whole text in its column `text`.

import { readFile, stat } from 'node:fs/promises';
import { unreadableFile } from '../../messages/fault.ts';
import { NO_FINDINGS, type RawFile } from './rawFile.ts';
import { megabytes, OVER_LIMIT } from './sourceLimits.ts';

/** The number of the row that names the column. */
export const TEXT_HEADER_ROW = 0;

/** The most bytes of the file. Its text becomes one value in DuckDB, which must fit into memory several times. */
const LARGEST_BYTES = 64 * 1024 * 1024;

/**
 * Opens a text file.
 *
 * @throws {UnreadableError} when the file is empty, too large or not UTF-8.
 */
export async function openText(path: string, name: string): Promise<RawFile> {
  const { size } = await stat(path);
  if (size === 0) throw unreadableFile(name, 'is empty (0 bytes)', 'copy it again');
  if (size > LARGEST_BYTES) {
    const problem = `has ${megabytes(size)}, more than the limit of ${megabytes(LARGEST_BYTES)} for text that is read whole`;
    throw unreadableFile(name, problem, 'split it', OVER_LIMIT);
  }
  const text = decoded(await readFile(path), name);
  return {
    name,
    format: 'csv',
    tables: [
      {
        name: null,
        hidden: false,
        async *rows() {
          yield [
            { row: TEXT_HEADER_ROW, cells: ['text'] },
            { row: 1, cells: [text] },
          ];
        },
        findings: async () => NO_FINDINGS,
      },
    ],
    progress: () => 0,
    close: async () => {},
  };
}

function decoded(bytes: Buffer, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unreadableFile(name, 'is not UTF-8 text', 'save it as UTF-8');
  }
}
