// Computes a checksum for each column of a Parquet file, so that the damaged column of a damaged file can be named.

import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { literal } from '../../src/duckdb.ts';

/** SHA-256 by column, over its chunks in the order of the row groups; nothing for a file without rows. */
export async function columnSha256(
  connection: DuckDBConnection,
  file: string,
): Promise<Record<string, string>> {
  const chunks = await connection.runAndReadAll(
    `SELECT path_in_schema, coalesce(dictionary_page_offset, data_page_offset)::DOUBLE, total_compressed_size::DOUBLE
     FROM parquet_metadata(${literal(file)}) ORDER BY column_id, row_group_id`,
  );
  const hashes = new Map<string, ReturnType<typeof createHash>>();
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    for (const [column, start, length] of chunks.getRowsJS()) {
      const name = String(column);
      const hash = hashes.get(name) ?? createHash('sha256');
      hashes.set(name, hash);
      // A damaged footer may name offsets outside the file.
      const [from, to] = [Math.max(0, Number(start)), Math.min(size, Number(start) + Number(length))];
      for (let at = from; at < to; at += PIECE_BYTES) {
        const piece = Buffer.alloc(Math.min(PIECE_BYTES, to - at));
        await handle.read(piece, 0, piece.length, at);
        hash.update(piece);
      }
    }
  } finally {
    await handle.close();
  }
  return Object.fromEntries([...hashes].map(([name, hash]) => [name, hash.digest('hex')]));
}

const PIECE_BYTES = 1 << 20;
