// The formats of source files: their extensions, the name of a row in messages, and the size of a large file.

const MB = 1024 * 1024;

/** The formats. A new one also needs an entry in the table of readers, and a folder for its reader. */
export const FILE_FORMATS = {
  xlsx: { extensions: ['xlsx', 'xlsm'], hasSheets: true, rowCalled: 'row', largeBytes: 4 * MB },
  ods: { extensions: ['ods'], hasSheets: true, rowCalled: 'row', largeBytes: 2 * MB },
  csv: { extensions: ['csv', 'tsv'], hasSheets: false, rowCalled: 'line', largeBytes: 24 * MB },
  // No Parquet file needs a separate process, because DuckDB reads it on all cores.
  parquet: {
    extensions: ['parquet'],
    hasSheets: false,
    rowCalled: 'row',
    largeBytes: Number.POSITIVE_INFINITY,
  },
} as const satisfies Record<string, FormatFacts>;

export interface FormatFacts {
  /** File extensions, in lower case and without the dot. */
  readonly extensions: readonly string[];
  /** Whether a file has sheets, whose cells have names: `Data!C41`. */
  readonly hasSheets: boolean;
  /** The word for a row in messages. */
  readonly rowCalled: 'row' | 'line';
  /**
   * From this size on, a separate process reads the file. Reading a file of this size takes half a second, and starting a
   * process takes less.
   */
  readonly largeBytes: number;
}

export type FileFormat = keyof typeof FILE_FORMATS;

/** The facts about a format. */
export const factsOf = (format: FileFormat): FormatFacts => FILE_FORMATS[format];

/** The format by the file's extension; null for an unknown one. */
export function formatOf(name: string): FileFormat | null {
  const extension = extensionOf(name);
  const formats = Object.keys(FILE_FORMATS) as FileFormat[];
  return formats.find((format) => factsOf(format).extensions.includes(extension)) ?? null;
}

/** The extension of a file name, in lower case and without the dot; `''` when there is none. */
export const extensionOf = (name: string): string => /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
