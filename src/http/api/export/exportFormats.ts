// The formats of `GET /v1/export/<dataset>.<format>`.

export const EXPORT_FORMATS = ['parquet', 'csv', 'arrow', 'xlsx'] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const MEDIA_TYPES: Readonly<Record<ExportFormat, string>> = {
  parquet: 'application/vnd.apache.parquet',
  csv: 'text/csv; charset=utf-8; header=present',
  arrow: 'application/vnd.apache.arrow.file',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** The formats that the server compresses when the client accepts gzip. The other formats are compressed already. */
export const GZIPPED: ReadonlySet<ExportFormat> = new Set(['csv', 'arrow']);
