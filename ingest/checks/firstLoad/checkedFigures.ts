// Defines the input of the checks that compare each figure with others, and warns of a row.

import type { DimensionName } from '../../../src/catalog/datasets.ts';
import type { Diagnostic } from '../../messages/fault.ts';
import type { Problems } from '../../messages/problems.ts';
import type { StagingView } from '../../staging/database/staging.ts';
import { placeOfCellAt } from '../stagedPlaces.ts';
import type { RowGroups, StagedRows } from '../stagedRows.ts';

/** The rows of a dataset, the metric whose figures are compared, and the receiver of the problems. */
export interface RowsOfMetric {
  readonly staging: StagingView;
  readonly problems: Problems;
  readonly metric: string;
  readonly rows: StagedRows;
}

/** The figures of a dataset with currencies. It has one metric. */
export interface CheckedFigures extends RowsOfMetric {
  /** The rows by series. The rows of a series agree in all dimensions but year, region and temporal. */
  readonly series: RowGroups;
  /** The rows by market. The rows of a market agree in all dimensions but year, region, temporal and currency. */
  readonly markets: RowGroups;
}

/** Warns at the figure of a row, or at its value of the dimension `column`. */
export const warnOfRow = (
  { staging, problems, metric, rows }: RowsOfMetric,
  row: number,
  fault: Diagnostic,
  column: DimensionName | string = metric,
): void => problems.add('warning', placeOfCellAt(staging, rows.placeOf(row), column), fault);

/** `words` followed by the product of a row. Empty if the dataset has no products. */
export const productOf = ({ staging, rows }: RowsOfMetric, row: number, words: string): string =>
  rows.has('product') ? `${words}${staging.text(rows.dimension('product')[row])}` : '';
