// What a market is: the rows of a country that agree in these dimensions.

import type { DimensionName } from '../../../src/catalog/datasets.ts';

export const MARKET: readonly DimensionName[] = ['product', 'channel', 'sub_channel'];
