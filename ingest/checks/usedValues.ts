// Lists the values of each text dimension in the staged rows, each with its number of rows and the place of the first one.

import { type DatasetName, type DimensionName, datasetOf, isText } from '../../src/catalog/datasets.ts';
import { stagingColumn, stagingTable } from '../staging/database/stagingTables.ts';
import { PLACE_SQL, queryStaging, type StagedDatasets } from './stagedPlaces.ts';
import { NO_CODE, type RowsInMemory, type StagedRows, sizesOf } from './stagedRows.ts';

/** A value of a dimension that occurs in the staged rows. */
export interface UsedValue {
  readonly text: string;
  readonly rows: number;
  /** The place of the first row with it, as `PLACE_SQL` gives it. */
  readonly first: bigint;
}

type ByDimension = ReadonlyMap<DimensionName, readonly UsedValue[]>;

/** The values of the text dimensions of some datasets. */
export class UsedValues {
  readonly #datasets: ReadonlyMap<DatasetName, ByDimension>;

  private constructor(datasets: ReadonlyMap<DatasetName, ByDimension>) {
    this.#datasets = datasets;
  }

  /** The values of all datasets of `input`. It queries the datasets whose rows are not in `rowsInMemory`. */
  static async of(input: StagedDatasets, inMemory: RowsInMemory): Promise<UsedValues> {
    const datasets = new Map<DatasetName, ByDimension>();
    for (const dataset of input.datasets) {
      const rows = inMemory.get(dataset);
      datasets.set(dataset, rows ? valuesAmong(input, dataset, rows) : await valuesOf(input, dataset));
    }
    return new UsedValues(datasets);
  }

  /** The values of a dimension in the order of their first rows; none where the dataset lacks the dimension. */
  in(dataset: DatasetName, dimension: DimensionName): readonly UsedValue[] {
    return this.#datasets.get(dataset)?.get(dimension) ?? [];
  }

  /**
   * The number of staged rows of the dataset. Each row has one value in each text dimension, so the first dimension counts
   * all.
   */
  rows(dataset: DatasetName): number {
    const [values = []] = this.#datasets.get(dataset)?.values() ?? [];
    return values.reduce((sum, { rows }) => sum + rows, 0);
  }

  has(dataset: DatasetName, dimension: DimensionName, text: string): boolean {
    return this.in(dataset, dimension).some((value) => value.text === text);
  }
}

function valuesAmong({ staging }: StagedDatasets, dataset: DatasetName, rows: StagedRows): ByDimension {
  return new Map(
    datasetOf(dataset)
      .dimensions.filter(isText)
      .map((dimension) => {
        const codes = rows.dimension(dimension);
        const sizes = sizesOf(rows.numbered(dimension));
        const values = [...sizes.first].flatMap((row, value): UsedValue[] => {
          if (codes[row] === NO_CODE) return [];
          const text = staging.text(codes[row]);
          return [{ text, rows: sizes.rows[value] as number, first: rows.placeOf(row) }];
        });
        return [dimension, values];
      }),
  );
}

/** The values of a large dataset, counted by one query for all dimensions. */
async function valuesOf({ staging }: StagedDatasets, dataset: DatasetName): Promise<ByDimension> {
  const dimensions = datasetOf(dataset).dimensions.filter(isText);
  const codes = dimensions.map(stagingColumn);
  const found = new Map(dimensions.map((dimension) => [dimension, [] as UsedValue[]]));
  // Each row of the result has the code of one dimension, and NULL for all other dimensions.
  const values = await queryStaging(
    staging,
    `SELECT count(*)::INTEGER, min(${PLACE_SQL}) AS first, ${codes.join(', ')} FROM ${stagingTable(dataset)}
     GROUP BY GROUPING SETS (${codes.map((code) => `(${code})`).join(', ')}) ORDER BY first`,
  );
  for (const [rows, first, ...row] of values) {
    const index = row.findIndex((code) => code !== null);
    const dimension = dimensions[index];
    if (dimension !== undefined && typeof first === 'bigint')
      found.get(dimension)?.push({ text: staging.text(row[index]), rows: Number(rows), first });
  }
  return found;
}
