// The export of whole datasets and selections as files.

import { DATASET_NAMES } from '../../../catalog/datasets.ts';
import { PARAMETER_RULES } from '../../../query/parameters/parameterRules.ts';
import { EXPORT_FORMATS, MEDIA_TYPES } from '../../api/export/exportFormats.ts';
import { FILTERED, type Operation } from './operation.ts';

export const FILES: readonly Operation[] = [
  {
    path: '/v1/export/{dataset}.{format}',
    id: 'exportDataset',
    tag: 'Files',
    summary: 'A whole dataset or selection as a file',
    description:
      'Everything that the filters select, in the published order. Without filters `.parquet` is the published file, byte for byte, with a strong `ETag`, `Accept-Ranges` and `Repr-Digest`.\n\nFour exports run at once on a server process, two of one key; further ones get 503. A file that breaks off ends with a reset connection. `.xlsx` has at most 1,048,575 rows.',
    rules: [PARAMETER_RULES.export],
    parts: { dataset: DATASET_NAMES, format: EXPORT_FORMATS },
    requestHeaders: [...FILTERED, 'Range', 'If-Match', 'If-Range'],
    answers: Object.fromEntries(
      EXPORT_FORMATS.map((format) => [MEDIA_TYPES[format].split(';')[0] ?? '', null]),
    ),
    isFile: true,
    examples: [
      { summary: 'The country lookup of Malta', request: '/v1/export/country_reference.csv?country=Malta' },
    ],
  },
];
