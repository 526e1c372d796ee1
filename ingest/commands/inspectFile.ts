// `inspect <file>`: what a file holds, in words and tables.

import type { Outcome } from '../../src/commandLine.ts';
import { printable } from '../../src/printable.ts';
import { inspect } from './inspect.ts';
import { printedTable } from './output/inspection.ts';

/** `typed` names the file in what is said. */
export async function inspectFile(file: string, typed: string): Promise<Outcome> {
  const inspected = await inspect(file, typed);
  const text = `${printable(inspected.file)} (${inspected.format})\n\n${inspected.tables.map(printedTable).join('\n')}`;
  return { json: inspected, text };
}
