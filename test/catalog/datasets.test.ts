// Every dataset has the columns on which checks, reports and totals rely.

import { describe, expect, it } from '@jest/globals';
import {
  DATASET_NAMES,
  type DimensionName,
  datasetOf,
  dimensionOf,
  isFinancial,
} from '../../src/catalog/datasets.ts';

describe('the table of datasets', () => {
  it.each(DATASET_NAMES.filter(isFinancial))(
    '%s has the dimensions that checks and reports rely on',
    (name) => {
      expect(datasetOf(name).dimensions).toEqual(
        expect.arrayContaining(['year', 'region', 'country', 'state', 'temporal']),
      );
    },
  );

  it.each(DATASET_NAMES)(
    '%s has at most one dimension of views of one year, on which totals rely',
    (name) => {
      const isView = (dimension: DimensionName) => dimensionOf(dimension).notAdditive === 'views of one year';
      expect(datasetOf(name).dimensions.filter(isView).length).toBeLessThanOrEqual(1);
    },
  );
});
