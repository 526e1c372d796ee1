// The name of a file decides its dataset.

import { describe, expect, it } from '@jest/globals';
import { datasetNamedBy } from '../../../ingest/sources/folder.ts';

describe('datasetNamedBy', () => {
  it.each([
    ['ggr', 'ggr'],
    ['ggr-asia', 'ggr'],
    ['GGR Europe', 'ggr'],
    ['turnover.2026', 'turnover'],
    ['country', 'country'],
    ['country-europe', 'country'],
    ['country-reference', 'country_reference'],
    ['Country Reference', 'country_reference'],
    ['country_reference_2026', 'country_reference'],
    ['fx', 'fx'],
  ])('reads %j as %s', (name, dataset) => {
    expect(datasetNamedBy(name)).toBe(dataset);
  });

  it.each(['countryside', 'ggrs', 'fx2026', 'sales', '', 'Notes'])('does not guess at %j', (name) => {
    expect(datasetNamedBy(name)).toBeNull();
  });
});
