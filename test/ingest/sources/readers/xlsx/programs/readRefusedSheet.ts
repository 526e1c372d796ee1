// Reads the first sheet of a workbook until the reader refuses it.
// Argument: the path of the workbook. Prints a `RefusedSheet`.

import { openFile } from '../../../../../../ingest/sources/readers/openFile.ts';

export interface RefusedSheet {
  /** The message of the refusal; null when the sheet was read. */
  readonly message: string | null;
  /** The growth of the resident memory at its highest. */
  readonly grownKb: number;
}

const [path = ''] = process.argv.slice(2);
const before = process.resourceUsage().maxRSS;
const file = await openFile(path, 'a.xlsx');
let message: string | null = null;
try {
  for await (const _ of file.tables[0]?.rows() ?? []);
} catch (error) {
  message = (error as Error).message;
}
await file.close();
const refused: RefusedSheet = { message, grownKb: process.resourceUsage().maxRSS - before };
process.stdout.write(`${JSON.stringify(refused)}\n`);
