// The outcome of reading a mutant: rows, a clear refusal, or a fault of the reader.

import { writeFile } from 'node:fs/promises';
import { UnreadableError } from '../../../ingest/messages/fault.ts';
import { openFile } from '../../../ingest/sources/readers/openFile.ts';
import { type RawRow, rangeName } from '../../../ingest/sources/readers/rawFile.ts';

export type Read = readonly {
  readonly name: string | null;
  readonly hidden: boolean;
  readonly rows: readonly RawRow[];
}[];

export type Verdict =
  | { readonly outcome: 'rows'; readonly read: Read; readonly merged: readonly (readonly string[])[] }
  | { readonly outcome: 'refused'; readonly message: string }
  | { readonly outcome: 'fault'; readonly what: string };

/** No file of a few kilobytes may take more CPU or more memory than this. */
const LONGEST_MS = 2_000;
const LARGEST_BYTES = 128 * 1024 * 1024;

/** Reads `bytes`, written to `path`, as a file called `name`. Any error but a clear refusal is a fault. */
export async function verdictOn(bytes: Uint8Array, path: string, name: string): Promise<Verdict> {
  await writeFile(path, bytes);
  const begun = process.cpuUsage();
  const peak = process.resourceUsage().maxRSS;
  const verdict = await judged(path, name);
  const { user, system } = process.cpuUsage(begun);
  const tookMs = (user + system) / 1000;
  const grewBytes = (process.resourceUsage().maxRSS - peak) * 1024;
  if (tookMs > LONGEST_MS) return { outcome: 'fault', what: `took ${Math.round(tookMs)} ms` };
  if (grewBytes > LARGEST_BYTES) return { outcome: 'fault', what: `grew by ${grewBytes >> 20} MB` };
  return verdict;
}

async function judged(path: string, name: string): Promise<Verdict> {
  try {
    const file = await openFile(path, name);
    try {
      const read: { name: string | null; hidden: boolean; rows: RawRow[] }[] = [];
      const merged: string[][] = [];
      for (const table of file.tables) {
        const rows: RawRow[] = [];
        for await (const batch of table.rows()) rows.push(...batch);
        read.push({ name: table.name, hidden: table.hidden, rows });
        merged.push((await table.findings()).merged.map(rangeName));
      }
      return { outcome: 'rows', read, merged };
    } finally {
      await file.close();
    }
  } catch (error) {
    const { message = String(error), name: kind = typeof error } = error as Error;
    if (!(error instanceof UnreadableError)) return { outcome: 'fault', what: `${kind}: ${message}` };
    const { place, problem, remedy } = error.fault;
    const isClear = place.file === name && problem.length > 5 && (remedy ?? '').length > 5;
    return isClear ? { outcome: 'refused', message } : { outcome: 'fault', what: `unclear: ${message}` };
  }
}
