// Every dataset has the columns on which checks and reports rely.

import { describe, expect, it } from '@jest/globals';
import { DATASET_NAMES, datasetOf, isFinancial } from '../../src/catalog/datasets.ts';

describe('the table of datasets', () => {
  it.each(DATASET_NAMES.filter(isFinancial))(
    '%s has the dimensions that checks and reports rely on',
    (name) => {
      expect(datasetOf(name).dimensions).toEqual(
        expect.arrayContaining(['year', 'region', 'country', 'state', 'temporal']),
      );
    },
  );
});
