// Computes a checksum for each column of a Parquet file. The checksums show which columns of a damaged file are damaged.

import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import path from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { getOrInsert } from '../../src/basics/maps.ts';
import { literal, queryRows } from '../../src/duckdb.ts';

/**
 * The `sha256ByColumn` of several files, from their `columnChunks`. The names of the files, without folders, must differ.
 */
export async function sha256ByColumnOfEach(
  files: readonly string[],
  chunks: ColumnChunks,
): Promise<Record<string, string>[]> {
  const found: Record<string, string>[] = [];
  for (const file of files) {
    const own = chunks.filter(([chunkFile]) => path.basename(String(chunkFile)) === path.basename(file));
    found.push(await sha256ByColumn(file, own));
  }
  return found;
}

/** The file, the column, the offset and the number of bytes of each column in each row group. */
type ColumnChunks = Awaited<ReturnType<typeof columnChunks>>;

/** Reads where the bytes of each column are in the files. */
export function columnChunks(connection: DuckDBConnection, files: readonly string[]) {
  return queryRows(
    connection,
    `SELECT file_name, path_in_schema, coalesce(dictionary_page_offset, data_page_offset)::DOUBLE, total_compressed_size::DOUBLE
     FROM parquet_metadata([${files.map(literal).join(', ')}]) ORDER BY file_name, column_id, row_group_id`,
  );
}

/** The SHA-256 of the bytes of each column, one row group after the other; `{}` for a file without rows. */
export async function sha256ByColumn(file: string, chunks: ColumnChunks): Promise<Record<string, string>> {
  const hashes = new Map<string, ReturnType<typeof createHash>>();
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    for (const [, column, start, length] of chunks) {
      const name = String(column);
      const hash = getOrInsert(hashes, name, () => createHash('sha256'));
      // A damaged footer may name offsets outside the file.
      const [from, to] = [Math.max(0, Number(start)), Math.min(size, Number(start) + Number(length))];
      const piece = Buffer.allocUnsafe(Math.max(0, Math.min(PIECE_BYTES, to - from)));
      for (let at = from; at < to; ) {
        // A read may return fewer bytes than it asks for.
        const { bytesRead } = await handle.read(piece, 0, Math.min(piece.length, to - at), at);
        if (bytesRead === 0) break;
        hash.update(piece.subarray(0, bytesRead));
        at += bytesRead;
      }
    }
  } finally {
    await handle.close();
  }
  return Object.fromEntries([...hashes].map(([name, hash]) => [name, hash.digest('hex')]));
}

/** How many bytes are read at a time. */
const PIECE_BYTES = 1 << 20;
