// The type of a csv file whose first records have been read row by row, before SQL reads the others.

import type { FileHandle } from 'node:fs/promises';

export interface CsvFile {
  readonly path: string;
  readonly name: string;
  readonly handle: FileHandle;
  readonly separator: string;
  /** The byte and the line at which the next record begins. */
  readonly byte: number;
  readonly line: number;
}
