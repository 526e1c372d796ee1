// Reads the rows of the current snapshot in advance, while the files of the new month are still being written.

import { DATASET_NAMES, type DatasetName } from '../../../src/catalog/datasets.ts';
import type { ComparisonEngine } from '../comparisonEngine.ts';
import type { PartialSide } from '../side.ts';
import type { CodeArray, Rows } from './codedRows.ts';
import { codeTypes } from './codeSql.ts';
import { Codes } from './codes.ts';
import { readRows } from './readRows.ts';

/** The rows of a dataset that were read in advance. Their codes number the values of the earlier side alone. */
interface ReadDataset {
  readonly codes: Codes;
  readonly rows: Rows;
  /** The digest of the file from which they were read. */
  readonly sha256: string;
}

/** The datasets of a snapshot that were read in advance. */
export class EarlierRows {
  readonly #datasets: ReadonlyMap<DatasetName, ReadDataset>;

  private constructor(datasets: ReadonlyMap<DatasetName, ReadDataset>) {
    this.#datasets = datasets;
  }

  static async read(engine: ComparisonEngine, side: PartialSide): Promise<EarlierRows> {
    const read = new Map<DatasetName, ReadDataset>();
    for (const name of DATASET_NAMES) {
      const described = side.datasets[name];
      if (described === undefined) continue;
      const codes = new Codes(name, described, described);
      // Datasets that need ENUM types are not read in advance, because the types for the values of both sides need the same
      // names.
      if (codeTypes(codes).length > 0) continue;
      const rows = await readRows(engine, codes, side, 0);
      read.set(name, { codes, rows, sha256: described.sha256 });
    }
    return new EarlierRows(read);
  }

  /** The rows of a dataset, translated into these codes; null when its file was not read in advance. */
  in(codes: Codes, sha256: string): Rows | null {
    const read = this.#datasets.get(codes.dataset);
    return read === undefined || read.sha256 !== sha256 ? null : recoded(read, codes);
  }
}

/** The rows with the codes of `to`. They stay sorted, because codes sort as values do. */
function recoded({ codes: from, rows }: ReadDataset, to: Codes): Rows {
  const columns = to.dimensions.map((dimension): [typeof dimension, CodeArray] => {
    const known = rows.codes(dimension);
    const codeOf = from.values(dimension).map((value) => to.codeOf(dimension, value) ?? 0);
    if (codeOf.every((code, i) => code === i)) return [dimension, known];
    const column = to.arrayFor(dimension, rows.count);
    for (let row = 0; row < column.length; row += 1) column[row] = codeOf[known[row] as number] as number;
    return [dimension, column];
  });
  const recoded = rows.with(new Map(columns));
  if (columns.every(([dimension, column]) => column === rows.codes(dimension)))
    to.keys.reuseKeys(recoded, from.keys, rows);
  return recoded;
}
